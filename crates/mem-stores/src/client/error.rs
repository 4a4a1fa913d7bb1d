//! What came instead of an answer.

use std::fmt;

use mem_core::{Diagnose, ErrorKind};
use mem_http::{AddressFault, LineFault};

use crate::wire::FailureKind;

/// A request that was not answered as it was hoped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum ClientError {
    /// Not an address of a server.
    #[error("the address of the server cannot be used: {0}")]
    #[diagnose(
        Invalid,
        hint = "write it as `https://host`, with a port and a path if need be"
    )]
    Address(AddressFault),
    /// A key that does not belong into a header.
    #[error("the key contains characters that no key has")]
    #[diagnose(Invalid, hint = "give the key alone, as it was handed out")]
    Key,
    /// The client could not be made.
    #[error("cannot speak HTTP: {0}")]
    #[diagnose(Io)]
    Setup(String),
    /// An id that is none.
    #[error("`{}` is no id", crate::path::escaped(.0))]
    #[diagnose(Invalid, hint = "ids are such as `memstore_…`, `mem_…` and `memver_…`")]
    Id(String),
    /// Nobody answered, or the line broke.
    #[error("the server does not answer: {0}")]
    #[diagnose(
        Unreachable,
        hint = "look whether the server runs and the address is right"
    )]
    Unreachable(String),
    /// The server says no.
    #[error("{0}")]
    #[diagnose(
        kind = _0.error_kind(),
        hint = refused(_0)
    )]
    Refused(Box<ServerRefusal>),
    /// It sends somewhere else, where nobody goes: that address would be given the key.
    #[error("the server redirects to `{0}`, which is not followed")]
    #[diagnose(
        Unreachable,
        hint = "if that is the server, give its address with --base-url"
    )]
    Elsewhere(String),
    /// The answer is longer than any answer.
    #[error("the server's answer is too long")]
    #[diagnose(Unreachable, hint = "look whether it is a server of this API")]
    TooLong,
    /// The answer cannot be understood.
    #[error("the server's answer cannot be understood: {0}")]
    #[diagnose(Unreachable, hint = "look whether it is a server of this API")]
    Nonsense(String),
}

/// What a server says with a status that is no success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRefusal {
    /// The status.
    pub status: u16,
    /// The type of the envelope, as it stands there; empty where there is none.
    pub word: String,
    /// What the type means.
    pub kind: Option<FailureKind>,
    /// What the server says, harmless for a terminal.
    pub message: String,
    /// The id of the memory that is in the way, where it is told.
    pub conflicting_memory_id: Option<String>,
    /// The path that is in the way, where it is told.
    pub conflicting_path: Option<String>,
    /// How the server calls the request.
    pub request_id: Option<String>,
}

impl ServerRefusal {
    /// What the status means for whoever asked.
    fn error_kind(&self) -> ErrorKind {
        match self.status {
            404 => ErrorKind::NotFound,
            409 | 412 => ErrorKind::Conflict,
            401..=403 => ErrorKind::Refused,
            408 | 429 | 500.. => ErrorKind::Unreachable,
            _ => ErrorKind::Invalid,
        }
    }
}

impl fmt::Display for ServerRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.word.as_str() {
            "" => "no type",
            word => word,
        };
        write!(
            f,
            "the server refuses ({}, {word}): {}",
            self.status, self.message
        )
    }
}

impl From<LineFault> for ClientError {
    fn from(fault: LineFault) -> Self {
        match fault {
            LineFault::TooLong { .. } => Self::TooLong,
            fault @ LineFault::Garbled(_) => Self::Nonsense(fault.to_string()),
            fault => Self::Unreachable(fault.to_string()),
        }
    }
}

impl ClientError {
    /// What the server said, if it said anything.
    pub fn refusal(&self) -> Option<&ServerRefusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// Whether there is no such thing, as far as the caller may know.
    pub fn is_not_found(&self) -> bool {
        self.status() == Some(404)
    }

    /// Whether somebody else was first: a precondition, a path, or anything else in the way.
    pub fn is_conflict(&self) -> bool {
        matches!(self.status(), Some(409 | 412))
    }

    /// Whether the same request will be refused again: what is sent is wrong.
    pub fn is_permanent(&self) -> bool {
        matches!(self.status(), Some(400 | 413 | 422))
    }

    /// Whether this key may not do it.
    pub fn is_forbidden(&self) -> bool {
        self.status() == Some(403)
    }

    /// Whether the server does not answer now, and may later.
    pub fn is_away(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Elsewhere(_) | Self::Nonsense(_) | Self::TooLong => true,
            _ => matches!(self.status(), Some(408 | 429 | 500..)),
        }
    }

    fn status(&self) -> Option<u16> {
        self.refusal().map(|refusal| refusal.status)
    }
}

fn refused(refusal: &ServerRefusal) -> Option<String> {
    let hint = match (refusal.status, refusal.kind) {
        (401, _) => {
            "give a key: `mem team login --server URL` keeps one, MEM_TOKEN names one for a run; \
             ANTHROPIC_API_KEY is for https://api.anthropic.com alone"
        }
        (403, _) => "the key does not allow it; ask whoever runs the server",
        (404, _) => {
            "`mem store list`, `mem store memories STORE` and `mem store versions STORE` show what there is"
        }
        (409 | 412, Some(FailureKind::MemoryPreconditionFailed)) => {
            "somebody changed it; look at it again and repeat"
        }
        (409 | 412, Some(FailureKind::MemoryPathConflict)) => {
            let what = refusal
                .conflicting_path
                .as_deref()
                .map(crate::path::escaped);
            let what = what.map_or_else(|| "what".to_owned(), |path| format!("`{path}`, which"));
            return Some(format!("choose another path, or move {what} is in the way"));
        }
        (429, _) => "wait a little and repeat",
        _ => return None,
    };
    Some(hint.to_owned())
}
