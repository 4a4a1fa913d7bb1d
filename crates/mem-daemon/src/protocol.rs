//! What goes over the socket: one JSON line a message. Every reply names the protocol; a daemon answers
//! requests of this protocol and of the one before.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The newest protocol that this end speaks.
pub const PROTOCOL: u32 = 1;
/// The oldest that a daemon answers.
pub const OLDEST: u32 = 1;

/// A line is at most so long; a longer one ends the connection.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// A question, and the protocol it is asked in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProtocolQuestion {
    /// See [`PROTOCOL`].
    pub protocol: u32,
    /// What is asked.
    #[serde(flatten)]
    pub request: DaemonRequest,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum DaemonRequest {
    /// How it is: [`DaemonStatus`].
    Status,
    /// Synchronise now; answered at once with [`DaemonStatus`].
    Sync,
    /// Settings, remote or token are new.
    Reload,
    /// Somebody has written below a directory, as a watch would tell.
    Wrote {
        /// Whether it is shared with a team.
        team: bool,
    },
    /// To end: answered with [`DaemonStatus`], then nothing waits but for what has to be sent.
    Stop,
    /// Anything that the program around the daemon answers.
    Work {
        /// Its name.
        name: String,
        /// What goes with it.
        #[serde(default)]
        input: Value,
    },
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DaemonReply {
    /// The newest that the daemon speaks.
    pub protocol: u32,
    /// The version of its program.
    pub version: String,
    /// What was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RequestFailure>,
}

/// Why a question got no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestFailure {
    /// What kind of failure it is.
    pub code: FailureCode,
    /// In words.
    pub message: String,
}

/// Kinds of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The line is no question.
    Malformed,
    /// It is asked in a protocol that this daemon does not speak.
    Protocol,
    /// The daemon is ending, or has too much to do.
    Unavailable,
    /// The work itself failed.
    Failed,
}

/// How a daemon is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonStatus {
    /// Its process.
    pub pid: u32,
    /// `watching`, `polling`, `busy`, `blocked` or `stopping`.
    pub state: String,
    /// RFC 3339.
    pub started_at: String,
    /// When it last agreed with the remote, RFC 3339.
    pub last_sync: Option<String>,
    /// Whether something waits to be sent.
    pub pending: bool,
    /// What stands in the way, if something does.
    pub trouble: Option<String>,
    /// What it looks after.
    pub root: String,
}

impl ProtocolQuestion {
    /// A question in the newest protocol.
    pub fn new(request: DaemonRequest) -> Self {
        Self {
            protocol: PROTOCOL,
            request,
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// It is no question, or asked in a protocol that is not spoken here.
    pub fn read(line: &[u8]) -> Result<Self, RequestFailure> {
        /// What every protocol has.
        #[derive(Deserialize)]
        struct ProtocolHead {
            protocol: u32,
        }
        let malformed = |error: serde_json::Error| RequestFailure {
            code: FailureCode::Malformed,
            message: format!("not a question: {error}"),
        };
        let head: ProtocolHead = serde_json::from_slice(line).map_err(malformed)?;
        if !(OLDEST..=PROTOCOL).contains(&head.protocol) {
            let message = format!("protocol {} is not spoken, {PROTOCOL} is", head.protocol);
            let code = FailureCode::Protocol;
            return Err(RequestFailure { code, message });
        }
        serde_json::from_slice(line).map_err(malformed)
    }
}

/// Something as one line.
pub(crate) fn line(message: &impl Serialize) -> Vec<u8> {
    // None of the messages has a key that is not a string, or a number that JSON lacks.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_back() {
        let input = serde_json::json!({"prompt": "x"});
        let name = "recall".to_owned();
        for request in [
            DaemonRequest::Status,
            DaemonRequest::Wrote { team: true },
            DaemonRequest::Work { name, input },
        ] {
            let question = ProtocolQuestion::new(request);
            let line = line(&question);
            assert_eq!(ProtocolQuestion::read(&line), Ok(question));
        }
    }

    #[test]
    fn what_is_no_question_is_told() {
        let code = |line: &[u8]| ProtocolQuestion::read(line).unwrap_err().code;
        assert_eq!(code(b""), FailureCode::Malformed);
        assert_eq!(code(b"\xff\xfe{"), FailureCode::Malformed);
        assert_eq!(code(b"{\"protocol\":1}"), FailureCode::Malformed);
        assert_eq!(
            code(b"{\"protocol\":1,\"request\":\"dance\"}"),
            FailureCode::Malformed
        );
        assert_eq!(
            code(b"{\"protocol\":0,\"request\":\"status\"}"),
            FailureCode::Protocol
        );
        assert_eq!(
            code(b"{\"protocol\":9,\"request\":\"new\"}"),
            FailureCode::Protocol
        );
    }
}
