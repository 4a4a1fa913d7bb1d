//! A place that lines of the audit log go to: a file that another program may move away to begin a new one, or a syslog.
//!
//! Syslog is as RFC 5424 has it: over UDP (RFC 5426), over TCP with counted octets (RFC 6587), or to the socket of this
//! machine.

use std::fs::File;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs as _, UdpSocket};
#[cfg(unix)]
use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use mem_core::regular_file;

/// Facility 13 (log audit), severity 6 (informational).
const PRIORITY: u8 = 13 * 8 + 6;
/// For a connection, and for each line.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where a place is.
#[derive(Clone, Debug)]
pub(super) enum PlaceAddress {
    File(PathBuf),
    Udp(String),
    Tcp(String),
    #[cfg(unix)]
    Unix(PathBuf),
}

/// A place that takes lines.
#[derive(Debug)]
pub(super) enum OpenPlace {
    File(File),
    Udp(UdpSocket),
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixDatagram),
}

impl PlaceAddress {
    /// The address of a syslog; `None` for what is none.
    pub(super) fn parse_syslog(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let has_port = rest
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        match scheme {
            "udp" if has_port => Some(Self::Udp(rest.to_owned())),
            "tcp" if has_port => Some(Self::Tcp(rest.to_owned())),
            #[cfg(unix)]
            "unix" if rest.starts_with('/') => Some(Self::Unix(PathBuf::from(rest))),
            _ => None,
        }
    }

    /// Opens the file, made where there is none, or connects.
    pub(super) fn open(&self) -> io::Result<OpenPlace> {
        Ok(match self {
            Self::File(path) => OpenPlace::File(regular_file::append(path)?),
            Self::Udp(text) => {
                let address = resolve_address(text)?;
                let own: SocketAddr = match address {
                    SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
                    SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
                };
                let socket = UdpSocket::bind(own)?;
                socket.connect(address)?;
                OpenPlace::Udp(socket)
            }
            Self::Tcp(text) => {
                let stream = TcpStream::connect_timeout(&resolve_address(text)?, PATIENCE)?;
                stream.set_write_timeout(Some(PATIENCE))?;
                OpenPlace::Tcp(stream)
            }
            #[cfg(unix)]
            Self::Unix(path) => {
                let socket = UnixDatagram::unbound()?;
                socket.connect(path)?;
                socket.set_write_timeout(Some(PATIENCE))?;
                OpenPlace::Unix(socket)
            }
        })
    }
}

fn resolve_address(text: &str) -> io::Result<SocketAddr> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the syslog has no address");
    text.to_socket_addrs()?.next().ok_or_else(none)
}

impl OpenPlace {
    /// Whether it is what is at the address now: a file that was moved away or removed is not.
    pub(super) fn is_at(&self, address: &PlaceAddress) -> bool {
        match (self, address) {
            (Self::File(open), PlaceAddress::File(path)) => {
                let (open, there) = (open.metadata(), std::fs::metadata(path));
                open.is_ok_and(|open| there.is_ok_and(|there| is_same(&open, &there)))
            }
            _ => true,
        }
    }

    /// Writes a line, in one write, so that a reader sees it whole or not at all.
    pub(super) fn write(&mut self, time: Timestamp, line: &[u8]) -> io::Result<()> {
        match self {
            Self::File(file) => {
                let length = file.metadata()?.len();
                let written = file.write_all(&[line, b"\n"].concat());
                if written.is_err() {
                    // Half a line would spoil the one after it.
                    let _ = file.set_len(length);
                }
                written
            }
            Self::Udp(socket) => socket.send(&syslog_message(time, line)).map(drop),
            Self::Tcp(stream) => {
                let message = syslog_message(time, line);
                let length = format!("{} ", message.len()).into_bytes();
                stream.write_all(&[length, message].concat())
            }
            #[cfg(unix)]
            Self::Unix(socket) => socket.send(&syslog_message(time, line)).map(drop),
        }
    }
}

/// The header has no name of this machine: who receives it knows whom it came from.
fn syslog_message(time: Timestamp, line: &[u8]) -> Vec<u8> {
    let process = std::process::id();
    let header = format!("<{PRIORITY}>1 {time:.6} - mem {process} audit - ");
    [header.as_bytes(), line].concat()
}

#[cfg(unix)]
fn is_same(open: &std::fs::Metadata, there: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (there.dev(), there.ino()) == (open.dev(), open.ino())
}

/// An open file cannot be moved away.
#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, there: &std::fs::Metadata) -> bool {
    there.is_file()
}
