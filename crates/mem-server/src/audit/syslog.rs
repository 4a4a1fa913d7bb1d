//! Syslog as RFC 5424 has it: over UDP (RFC 5426), over TCP with counted octets (RFC 6587), or to the socket of this
//! machine.

use std::io::{self, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _, UdpSocket};
#[cfg(unix)]
use std::os::unix::net::UnixDatagram;
#[cfg(unix)]
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;

/// Facility 13 (log audit), severity 6 (informational).
const PRIORITY: u8 = 13 * 8 + 6;
/// For a connection, and for each line.
const PATIENCE: Duration = Duration::from_secs(5);

/// A syslog; it is connected to when the first line is written, and again after a failure.
#[derive(Debug)]
pub(super) struct Syslog {
    address: SyslogAddress,
    line: Option<SyslogLine>,
}

#[derive(Debug)]
enum SyslogAddress {
    Udp(String),
    Tcp(String),
    #[cfg(unix)]
    Unix(PathBuf),
}

#[derive(Debug)]
enum SyslogLine {
    Udp(UdpSocket),
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixDatagram),
}

impl Syslog {
    /// `None` for what is no address.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let has_port = rest
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        let address = match scheme {
            "udp" if has_port => SyslogAddress::Udp(rest.to_owned()),
            "tcp" if has_port => SyslogAddress::Tcp(rest.to_owned()),
            #[cfg(unix)]
            "unix" if rest.starts_with('/') => SyslogAddress::Unix(PathBuf::from(rest)),
            _ => return None,
        };
        let line = None;
        Some(Self { address, line })
    }

    /// Whether a line that nobody receives is an error.
    pub(super) fn confirms(&self) -> bool {
        !matches!(self.address, SyslogAddress::Udp(_))
    }

    /// Connects, where it is not connected.
    pub(super) fn connect(&mut self) -> io::Result<()> {
        if self.line.is_none() {
            self.line = Some(self.address.connect()?);
        }
        Ok(())
    }

    /// Sends a line; over a connection that broke meanwhile once more.
    pub(super) fn write(&mut self, time: Timestamp, line: &[u8]) -> io::Result<()> {
        let message = syslog_message(time, line);
        let was_connected = self.line.is_some();
        match self.send_message(&message) {
            Err(_) if was_connected => self.send_message(&message),
            sent => sent,
        }
    }

    fn send_message(&mut self, message: &[u8]) -> io::Result<()> {
        let mut line = match self.line.take() {
            Some(line) => line,
            None => self.address.connect()?,
        };
        match &mut line {
            SyslogLine::Udp(socket) => drop(socket.send(message)?),
            SyslogLine::Tcp(stream) => {
                let mut counted = format!("{} ", message.len()).into_bytes();
                counted.extend_from_slice(message);
                stream.write_all(&counted)?;
            }
            #[cfg(unix)]
            SyslogLine::Unix(socket) => drop(socket.send(message)?),
        }
        self.line = Some(line);
        Ok(())
    }
}

impl SyslogAddress {
    fn connect(&self) -> io::Result<SyslogLine> {
        let resolved = |text: &str| {
            let found = text.to_socket_addrs()?.next();
            found
                .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the syslog has no address"))
        };
        Ok(match self {
            Self::Udp(text) => {
                let address = resolved(text)?;
                let own = if address.is_ipv4() {
                    "0.0.0.0:0"
                } else {
                    "[::]:0"
                };
                let socket = UdpSocket::bind(own)?;
                socket.connect(address)?;
                SyslogLine::Udp(socket)
            }
            Self::Tcp(text) => {
                let stream = TcpStream::connect_timeout(&resolved(text)?, PATIENCE)?;
                stream.set_write_timeout(Some(PATIENCE))?;
                SyslogLine::Tcp(stream)
            }
            #[cfg(unix)]
            Self::Unix(path) => {
                let socket = UnixDatagram::unbound()?;
                socket.connect(path)?;
                socket.set_write_timeout(Some(PATIENCE))?;
                SyslogLine::Unix(socket)
            }
        })
    }
}

/// The header has no name of this machine: who receives it knows whom it came from.
fn syslog_message(time: Timestamp, line: &[u8]) -> Vec<u8> {
    let process = std::process::id();
    let mut message = format!("<{PRIORITY}>1 {time:.6} - mem {process} audit - ").into_bytes();
    message.extend_from_slice(line);
    message
}
