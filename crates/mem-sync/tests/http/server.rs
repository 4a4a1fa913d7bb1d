//! A server that says what a test tells it to say, request by request.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mem_sync::remote::http::{Http, HttpOptions, Timeouts};
use mem_sync::repository::Repository;
use secrecy::SecretString;

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub(super) struct Request {
    /// Such as `GET /x HTTP/1.1`.
    pub(super) line: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// Which connection, from 0.
    pub(super) connection: usize,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// What is written to the socket for a request; `None` closes the connection.
pub(super) type Conduct = Box<dyn FnMut(&Request) -> Option<Vec<u8>> + Send>;

/// Requests as they came in.
pub(super) type Seen = Arc<Mutex<Vec<Request>>>;

/// Begins to serve and returns the address.
pub(super) fn serve(
    conduct: impl FnMut(&Request) -> Option<Vec<u8>> + Send + 'static,
) -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let seen = Seen::default();
    let (notes, conduct) = (
        Arc::clone(&seen),
        Arc::new(Mutex::new(Box::new(conduct) as Conduct)),
    );
    std::thread::spawn(move || {
        for (connection, stream) in listener.incoming().enumerate() {
            let (notes, conduct) = (Arc::clone(&notes), Arc::clone(&conduct));
            std::thread::spawn(move || converse(stream.unwrap(), connection, &notes, &conduct));
        }
    });
    (base, seen)
}

fn converse(mut stream: TcpStream, connection: usize, seen: &Seen, conduct: &Mutex<Conduct>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(mut request) = read(&mut reader) {
        request.connection = connection;
        seen.lock().unwrap().push(request.clone());
        let answer = (conduct.lock().unwrap())(&request);
        let Some(answer) = answer else { return };
        if stream.write_all(&answer).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut request = Request::default();
    let mut line = String::new();
    reader
        .read_line(&mut line)
        .ok()
        .filter(|bytes| *bytes > 0)?;
    request.line = line.trim_end().to_owned();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        request
            .headers
            .push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = request
        .header("content-length")
        .map_or(0, |length| length.parse().unwrap());
    request.body = vec![0; length];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}

/// A status, some header lines, and a JSON body with its length.
pub(super) fn answer(status: u16, headers: &str, body: &str) -> Option<Vec<u8>> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    Some([head.as_bytes(), body.as_bytes()].concat())
}

pub(super) fn options(base: &str) -> HttpOptions {
    HttpOptions {
        base: base.to_owned(),
        repository: Repository::of_name("acme/app").unwrap(),
        token: Some(SecretString::from(["t0k", "en"].concat())),
        actor: "Ada Lovelace".to_owned(),
        user_agent: "mem/test".to_owned(),
        limits: Timeouts {
            connect: Duration::from_secs(20),
            stall: Duration::from_secs(20),
            request: Duration::from_secs(20),
        },
    }
}

pub(super) fn open(base: &str) -> Http {
    Http::open(options(base)).unwrap()
}
