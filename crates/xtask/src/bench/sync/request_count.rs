//! A proxy that counts what is asked through it.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// What went through.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    /// Bytes that were sent to the server, heads and all.
    pub(super) sent: usize,
    /// The methods of the requests.
    pub(super) methods: Vec<String>,
    /// The statuses of the answers.
    pub(super) statuses: Vec<String>,
}

impl Traffic {
    /// Methods and statuses, in words.
    pub(super) fn words(&self) -> String {
        format!("{} {}", self.methods.join(" "), self.statuses.join(" "))
    }
}

/// The proxy; it ends with the process.
#[derive(Clone, Debug)]
pub(super) struct Proxy {
    /// Where clients connect to.
    pub(super) address: SocketAddr,
    traffic: Arc<Mutex<Traffic>>,
}

impl Proxy {
    /// A proxy to a server.
    pub(super) fn to(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let proxy = Self {
            address: listener.local_addr()?,
            traffic: Arc::default(),
        };
        let own = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // Whoever it was sees a broken connection, and fails.
                let _ = own.carry(client, server);
            }
        });
        Ok(proxy)
    }

    /// What went through since the last time.
    pub(super) fn take(&self) -> Traffic {
        std::mem::take(&mut *self.open())
    }

    fn open(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn carry(&self, client: TcpStream, server: SocketAddr) -> io::Result<()> {
        let server = TcpStream::connect(server)?;
        server.set_nodelay(true)?;
        client.set_nodelay(true)?;
        let (from_client, to_client) = (client.try_clone()?, client);
        let (from_server, to_server) = (server.try_clone()?, server);
        let (up, down) = (self.clone(), self.clone());
        thread::spawn(move || pass(from_client, to_server, |bytes| up.asked(bytes)));
        thread::spawn(move || pass(from_server, to_client, |bytes| down.answered(bytes)));
        Ok(())
    }

    /// A client that waits for each answer begins each request with a piece of its own.
    fn asked(&self, bytes: &[u8]) {
        let mut traffic = self.open();
        traffic.sent += bytes.len();
        let line = bytes.split(|byte| *byte == b'\r').next();
        let line = String::from_utf8_lossy(line.unwrap_or_default());
        if line.ends_with("HTTP/1.1") {
            let method = line.split(' ').next().unwrap_or_default();
            traffic.methods.push(method.to_owned());
        }
    }

    fn answered(&self, bytes: &[u8]) {
        if let Some(rest) = bytes.strip_prefix(b"HTTP/1.1 ") {
            let status = String::from_utf8_lossy(rest.get(..3).unwrap_or_default());
            self.open().statuses.push(status.into_owned());
        }
    }
}

/// Passes on what comes, until no more does.
fn pass(mut from: TcpStream, mut to: TcpStream, see: impl Fn(&[u8])) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        let bytes = buffer.get(..read).unwrap_or_default();
        see(bytes);
        if to.write_all(bytes).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
