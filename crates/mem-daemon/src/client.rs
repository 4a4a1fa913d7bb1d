//! Asking a running daemon. Whoever asks can do without: every wait is short.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
#[cfg(not(unix))]
use std::net::TcpStream as Stream;
#[cfg(unix)]
use std::os::unix::net::UnixStream as Stream;
use std::time::Duration;

use serde_json::Value;

use crate::place::DaemonFiles;
use crate::protocol::{
    DaemonReply, DaemonRequest, LINE_BYTES_MAX, PROTOCOL, ProtocolQuestion, RequestFailure, line,
};

/// An answer is at most so many lines' worth of bytes.
const REPLY_BYTES_MAX: u64 = 16 * LINE_BYTES_MAX as u64;

/// A connection to a daemon.
#[derive(Debug)]
pub struct DaemonClient {
    reader: BufReader<Stream>,
}

/// There is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No daemon listens.
    #[error("no daemon runs for this repository")]
    Absent,
    /// It does not answer, or not in time.
    #[error("the daemon does not answer: {0}")]
    Silent(#[source] io::Error),
    /// What listens belongs to somebody else.
    #[error("the daemon's socket belongs to another user")]
    Foreign,
    /// It speaks another protocol.
    #[error(
        "the daemon (version {version}) speaks protocol {protocol}, this program speaks {PROTOCOL}"
    )]
    Protocol {
        /// The newest that it speaks.
        protocol: u32,
        /// Of its program.
        version: String,
    },
    /// It said no.
    #[error("the daemon cannot do it: {}", .0.message)]
    Refused(RequestFailure),
}

impl DaemonClient {
    /// Connects. No answer of this connection is waited for longer than `patience`.
    ///
    /// # Errors
    /// No daemon of this user listens.
    pub fn connect(place: &DaemonFiles, patience: Duration) -> Result<Self, AskError> {
        place.check().map_err(|_| AskError::Absent)?;
        let stream = open_stream(place)?;
        stream
            .set_read_timeout(Some(patience))
            .and_then(|()| stream.set_write_timeout(Some(patience)))
            .map_err(AskError::Silent)?;
        let reader = BufReader::new(stream);
        Ok(Self { reader })
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    /// There is none, in time or at all.
    pub fn ask(&mut self, request: DaemonRequest) -> Result<Value, AskError> {
        let reply = self.reply(request)?;
        if let Some(failure) = reply.error {
            return Err(match failure.code {
                crate::protocol::FailureCode::Protocol => AskError::Protocol {
                    protocol: reply.protocol,
                    version: reply.version,
                },
                _ => AskError::Refused(failure),
            });
        }
        Ok(reply.answer.unwrap_or_default())
    }

    /// The whole reply, whichever it is.
    ///
    /// # Errors
    /// None came in time, or what came is none.
    pub fn reply(&mut self, request: DaemonRequest) -> Result<DaemonReply, AskError> {
        let question = line(&ProtocolQuestion::new(request));
        self.reader
            .get_mut()
            .write_all(&question)
            .map_err(AskError::Silent)?;
        let mut answer = Vec::new();
        (&mut self.reader)
            .take(REPLY_BYTES_MAX)
            .read_until(b'\n', &mut answer)
            .map_err(AskError::Silent)?;
        let nonsense = |error: serde_json::Error| AskError::Silent(error.into());
        serde_json::from_slice(&answer).map_err(nonsense)
    }
}

/// A connection to a daemon of this user.
#[cfg(unix)]
fn open_stream(place: &DaemonFiles) -> Result<Stream, AskError> {
    let stream = Stream::connect(place.socket()).map_err(|_| AskError::Absent)?;
    // Elsewhere the directory says it, which `DaemonFiles::check` wants to be this user's alone.
    #[cfg(target_os = "linux")]
    let peer = rustix::net::sockopt::socket_peercred(&stream);
    #[cfg(target_os = "linux")]
    if peer.is_ok_and(|peer| peer.uid != rustix::process::geteuid()) {
        return Err(AskError::Foreign);
    }
    Ok(stream)
}

/// There is no daemon, and nothing is connected to.
#[cfg(not(unix))]
fn open_stream(_place: &DaemonFiles) -> Result<Stream, AskError> {
    Err(AskError::Absent)
}
