//! One connection that stays open: a request, its answer.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Outcome;

/// A connection.
pub(crate) struct Line {
    stream: TcpStream,
    address: String,
}

impl Line {
    /// Connects.
    pub(crate) async fn open(address: &str) -> Outcome<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let address = address.to_owned();
        Ok(Self { stream, address })
    }

    /// Asks and returns the body of the answer, which has to be a 200 with a length.
    pub(crate) async fn ask(&mut self, method: &str, target: &str, body: &str) -> Outcome<Vec<u8>> {
        let length = body.len();
        let request = format!(
            "{method} {target} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}",
            self.address
        );
        self.stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::with_capacity(16 * 1024);
        loop {
            if self.stream.read_buf(&mut answer).await? == 0 {
                return Err("the connection ended".into());
            }
            let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
                continue;
            };
            let head = std::str::from_utf8(answer.get(..end).unwrap_or_default())?;
            if !head.starts_with("HTTP/1.1 200 ") {
                return Err(String::from_utf8_lossy(&answer).into());
            }
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.parse::<usize>().ok()).flatten()
            });
            let length = length.ok_or("an answer without a length")?;
            if answer.len() >= end + 4 + length {
                return Ok(answer.split_off(end + 4));
            }
        }
    }

    /// The same of an answer that is an object.
    pub(crate) async fn value(
        &mut self,
        method: &str,
        target: &str,
        body: &serde_json::Value,
    ) -> Outcome<serde_json::Value> {
        let answer = self.ask(method, target, &body.to_string()).await?;
        Ok(serde_json::from_slice(&answer)?)
    }
}
