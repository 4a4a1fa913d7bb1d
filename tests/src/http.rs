//! [`Ask`]: one HTTP request as a test wants it, right or wrong, and its [`Answer`].

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// A server that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request on a connection of its own.
#[derive(Clone, Debug)]
pub struct Ask {
    address: SocketAddr,
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status; 0 where the connection ended without one.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, its pieces put together.
    pub body: Vec<u8>,
}

impl Ask {
    /// A request without a body. `target` is sent as it is.
    pub fn new(address: SocketAddr, method: &str, target: &str) -> Self {
        let headers = vec![("host".to_owned(), address.to_string())];
        Self {
            address,
            line: format!("{method} {target} HTTP/1.1\r\n"),
            headers,
            body: Vec::new(),
        }
    }

    /// Adds a header.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Takes a header away.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    /// Shows a token.
    pub fn token(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// A body of JSON, with its true length.
    pub fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("content-type", "application/json").body(body)
    }

    /// A body of no type, with its true length.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        let length = self.body.len();
        self.header("content-length", length.to_string())
    }

    /// A body that may lie about its length, or does not say it.
    pub fn raw_body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The bytes of it.
    pub fn bytes(&self) -> Vec<u8> {
        let headers = self.headers.iter();
        let headers: String = headers
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let head = format!("{}{headers}connection: close\r\n\r\n", self.line);
        [head.as_bytes(), &self.body].concat()
    }

    /// Sends it to a server that may be gone; `None` where there is no whole answer.
    pub fn try_send(&self) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.write_all(&self.bytes()).ok()?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).ok()?;
        Some(Answer::parse(&bytes)).filter(|answer| answer.status > 0)
    }

    /// Opens a connection and sends everything.
    ///
    /// # Panics
    /// Nobody listens.
    pub fn begin(&self) -> TcpStream {
        let mut stream = connect(self.address);
        // A server may have had enough before the end.
        let _ = stream.write_all(&self.bytes());
        stream
    }

    /// Sends it and waits for the answer.
    ///
    /// # Panics
    /// There is none.
    pub fn send(&self) -> Answer {
        Answer::read(self.begin())
    }

    /// The same, but says no more after the last byte.
    ///
    /// # Panics
    /// There is no answer.
    pub fn send_all(&self) -> Answer {
        let stream = self.begin();
        stream.shutdown(Shutdown::Write).expect("a connection");
        Answer::read(stream)
    }
}

/// A connection.
///
/// # Panics
/// Nobody listens.
pub fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("somebody listens");
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a connection");
    stream
}

/// Plays a server that answers one request without a body with these bytes; returns its address.
///
/// # Panics
/// There is no free port.
pub fn serve_once(answer: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        read_head(&mut stream);
        // Whoever has had enough hangs up.
        let _ = stream.write_all(&answer);
    });
    format!("http://{address}")
}

/// Reads the head of a request, for whoever plays a server; what follows it stays to be read.
///
/// # Panics
/// It comes to no end.
pub fn read_head(stream: &mut TcpStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("a request");
        head.push(byte[0]);
    }
}

impl Answer {
    /// Reads until the server closes the connection.
    ///
    /// # Panics
    /// It does not.
    pub fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        if let Err(error) = stream.read_to_end(&mut bytes) {
            let reset = error.kind() == std::io::ErrorKind::ConnectionReset;
            assert!(reset, "no answer: {error}");
        }
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = bytes.split_at(end.map_or(bytes.len(), |end| end + 4));
        let head = String::from_utf8_lossy(head);
        let mut lines = head.lines();
        let status = lines
            .next()
            .and_then(|line| line.split(' ').nth(1)?.parse().ok());
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        let mut answer = Self {
            status: status.unwrap_or(0),
            headers: headers.collect(),
            body: body.to_vec(),
        };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = joined(body);
        }
        answer
    }

    /// The header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The ETag.
    ///
    /// # Panics
    /// There is none.
    #[track_caller]
    pub fn etag(&self) -> String {
        self.header("etag").expect("an ETag").to_owned()
    }

    /// The body as JSON.
    ///
    /// # Panics
    /// It is none.
    #[track_caller]
    pub fn json(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {self:?} {text}"))
    }

    /// Asserts the status, and for an error the envelope; returns its type.
    ///
    /// # Panics
    /// It is another one.
    #[track_caller]
    pub fn assert(&self, status: u16) -> String {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        if status < 400 {
            return String::new();
        }
        let body = self.json();
        assert_eq!(body["type"], "error", "{text}");
        let id = body["request_id"].as_str().expect("a request has a name");
        assert_eq!(self.header("request-id"), Some(id), "{text}");
        assert!(id.starts_with("req_"), "{text}");
        assert!(body["error"]["message"].is_string(), "{text}");
        body["error"]["type"].as_str().expect("a type").to_owned()
    }
}

/// The pieces of a chunked body.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = std::str::from_utf8(&rest[..end]).expect("a length");
        let length = usize::from_str_radix(length, 16).expect("a length");
        if length == 0 {
            break;
        }
        whole.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 2 + length + 2..];
    }
    whole
}
