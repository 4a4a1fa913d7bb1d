//! [`Dripping`]: a server that begins an answer and then sends a byte now and then, for clients to give up.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::http::read_head;

/// Between two bytes.
const PAUSE: Duration = Duration::from_millis(5);
/// What it promises; at its pace that takes minutes.
const LENGTH: usize = 60_000;

/// A server on a free port of this machine. The first that asks it is sent no end of an answer.
#[derive(Debug)]
pub struct Dripping {
    url: String,
    sent: JoinHandle<usize>,
}

impl Dripping {
    /// Starts it; whoever comes after the first finds nobody.
    pub fn start() -> Self {
        Self::before(&[])
    }

    /// Starts it; whoever comes after the first is answered with the next of these, each a body of JSON.
    pub fn before(bodies: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let bodies: Vec<String> = bodies.iter().map(|body| (*body).to_owned()).collect();
        let sent = thread::spawn(move || {
            let (stream, _) = listener.accept().expect("somebody asks");
            let sent = drip(stream);
            for body in bodies {
                let (mut stream, _) = listener.accept().expect("somebody asks again");
                read_head(&mut stream);
                let head = head(body.len());
                let answer = format!("{head}{body}");
                stream.write_all(answer.as_bytes()).expect("a reader");
                // Until it was read: what is closed with bytes unread takes the answer along.
                while stream.read(&mut [0; 1024]).is_ok_and(|read| read > 0) {}
            }
            sent
        });
        Self { url, sent }
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits until everybody has had enough, and says how many bytes the first had been sent until then.
    ///
    /// # Panics
    /// Nobody came.
    pub fn bytes(self) -> usize {
        self.sent.join().expect("somebody asked")
    }
}

fn head(length: usize) -> String {
    let kind = "ETag: \"1\"\r\nContent-Type: application/json\r\nConnection: close";
    format!("HTTP/1.1 200 OK\r\n{kind}\r\nContent-Length: {length}\r\n\r\n")
}

/// Until the client has had enough.
fn drip(mut stream: TcpStream) -> usize {
    // What is said before it is asked for is no answer.
    read_head(&mut stream);
    let begun = stream.write_all(head(LENGTH).as_bytes());
    begun.expect("a client");
    stream.set_read_timeout(Some(PAUSE)).expect("a connection");
    let mut sent = 0;
    while sent < LENGTH && stream.write_all(b" ").is_ok() {
        sent += 1;
        // The time passes in waiting for the end; what else comes is the rest of the request.
        if matches!(stream.read(&mut [0; 1024]), Ok(0)) {
            break;
        }
    }
    sent
}
