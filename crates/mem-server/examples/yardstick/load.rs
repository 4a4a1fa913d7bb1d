//! Asks one thing over and over, on connections that stay open.

use std::io::Read as _;
use std::time::Instant;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Outcome;

/// Stands for the number of the connection in the request, in as many digits.
const PLACE: &str = "@@";

/// Seconds that so many requests took on each connection. The request stands on the standard input.
///
/// # Errors
/// An answer has another status, or no length.
pub(crate) async fn run(address: &str, status: &str, at_once: usize, each: usize) -> Outcome<f64> {
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request)?;
    let mut streams = Vec::new();
    for _ in 0..at_once {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let before = Instant::now();
    let mut all = JoinSet::new();
    for (number, stream) in streams.into_iter().enumerate() {
        let request = request.replace(PLACE, &format!("{number:02}"));
        let expected = format!("HTTP/1.1 {status} ");
        all.spawn(ask(stream, request, expected, each));
    }
    all.join_all().await.into_iter().collect::<Outcome<()>>()?;
    Ok(before.elapsed().as_secs_f64())
}

async fn ask(mut stream: TcpStream, request: String, expected: String, each: usize) -> Outcome<()> {
    // The pull of a store of 64 memories has some 43 KB.
    let mut buffer = vec![0; 128 * 1024];
    for _ in 0..each {
        stream.write_all(request.as_bytes()).await?;
        let mut filled = 0;
        loop {
            let free = buffer.get_mut(filled..).unwrap_or_default();
            let read = stream.read(free).await?;
            filled += read;
            let answer = buffer.get(..filled).unwrap_or_default();
            if read == 0 {
                return Err("the connection ended".into());
            }
            if !answer.starts_with(expected.as_bytes()) {
                return Err(String::from_utf8_lossy(answer).into());
            }
            if length(answer).is_some_and(|length| filled >= length) {
                break;
            }
        }
    }
    Ok(())
}

/// The length of the whole answer, once its head is there.
fn length(answer: &[u8]) -> Option<usize> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(answer.get(..end)?).ok()?;
    let body = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.parse::<usize>().ok()).flatten()
    });
    Some(end + body.unwrap_or(0))
}
