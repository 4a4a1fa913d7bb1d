//! A line that breaks: a proxy that drops, resets, answers with 500 or is slow, for some requests.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The proxy; it ends with the process.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where clients connect to.
    pub(super) address: SocketAddr,
    /// Of a thousand requests, so many go wrong.
    faults: Arc<AtomicU64>,
    /// How many went wrong.
    pub(super) happened: Arc<AtomicU64>,
}

/// What goes wrong with one request.
#[derive(Clone, Copy, Debug)]
enum Fault {
    None,
    /// The request does not arrive.
    Lost,
    /// It is carried out, and the answer is lost.
    Unanswered,
    /// Half of the answer comes.
    Torn,
    /// Something in between answers.
    Ill,
    /// It arrives byte by byte.
    Slow,
}

impl Line {
    /// A line to a server.
    pub(super) fn to(server: SocketAddr, faults_of_thousand: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let line = Self {
            address: listener.local_addr().unwrap(),
            faults: Arc::new(AtomicU64::new(faults_of_thousand)),
            happened: Arc::default(),
        };
        let own = line.clone();
        thread::spawn(move || {
            for (number, client) in (0..).zip(listener.incoming().flatten()) {
                let (own, fault) = (own.clone(), own.fault(number));
                // Whatever ends it early is one more fault.
                thread::spawn(move || own.carry(client, server, fault));
            }
        });
        line
    }

    /// From here on nothing goes wrong.
    pub(super) fn mend(&self) {
        self.faults.store(0, Ordering::SeqCst);
    }

    fn fault(&self, number: u64) -> Fault {
        // Fibonacci hashing: spread, and the same in every run.
        let drawn = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % 1000;
        if drawn >= self.faults.load(Ordering::SeqCst) {
            return Fault::None;
        }
        let all = [
            Fault::Lost,
            Fault::Unanswered,
            Fault::Torn,
            Fault::Ill,
            Fault::Slow,
        ];
        let nth = self.happened.fetch_add(1, Ordering::SeqCst);
        all[usize::try_from(nth).unwrap() % all.len()]
    }

    fn carry(&self, mut client: TcpStream, server: SocketAddr, fault: Fault) -> io::Result<()> {
        let request = request(&mut client)?;
        match fault {
            Fault::Lost => return Ok(()),
            Fault::Ill => {
                let answer =
                    b"HTTP/1.1 500 Internal\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
                return client.write_all(answer);
            }
            _ => {}
        }
        let answer = answer(server, &request, matches!(fault, Fault::Slow))?;
        let whole = match fault {
            Fault::Unanswered => return client.shutdown(Shutdown::Both),
            Fault::Torn => answer.len() / 2,
            _ => answer.len(),
        };
        client.write_all(&answer[..whole])
    }
}

/// One request, made one that ends its connection.
fn request(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let read = client.read(&mut buffer)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&buffer[..read]);
        let Some(head) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
        let length = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.map_or(0, |length| length.parse().unwrap());
        if bytes.len() >= head + 4 + length {
            let close = b"\r\nconnection: close";
            bytes.splice(head..head, close.iter().copied());
            return Ok(bytes);
        }
    }
}

fn answer(server: SocketAddr, request: &[u8], slowly: bool) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server)?;
    stream.set_nodelay(true)?;
    let piece = if slowly { 16 } else { request.len() };
    for piece in request.chunks(piece) {
        stream.write_all(piece)?;
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}
