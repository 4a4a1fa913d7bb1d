//! Why a remote did not do it, told apart by what follows from it.

use mem_core::Diagnose;

use crate::wire::{ETag, WireError};

/// What follows from an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// Trying again later may help.
    Transient,
    /// Somebody else was faster: look again and try at once.
    Race,
    /// Not before something changes on this side.
    Permanent,
    /// A bug of one of the two ends; nothing that is said can be relied on.
    Fatal,
}

/// What stands behind an error, where the remote said something.
fn reason(message: &str) -> String {
    match message {
        "" => String::new(),
        message => format!(": {message}"),
    }
}

/// A remote said no, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum RemoteError {
    /// No connection, a timeout, a broken one. What was asked may have been done.
    #[error("the remote cannot be reached: {0}")]
    #[diagnose(
        Unreachable,
        hint = "check the address and the connection, then try again"
    )]
    Unreachable(String),
    /// 429 or 5xx.
    #[error("the remote is busy or ill (status {status}){}", reason(message))]
    #[diagnose(Unreachable, hint = "try again in a while")]
    Busy {
        /// The status.
        status: u16,
        /// What it says of it; empty where it says nothing.
        message: String,
        /// What `Retry-After` says, in seconds.
        retry_after_seconds: Option<u64>,
    },
    /// 412: the store is not what `if_match` names.
    #[error("somebody else wrote to the remote meanwhile")]
    #[diagnose(Conflict, hint = "try again")]
    Raced {
        /// What it is now, if that was said.
        etag: Option<ETag>,
    },
    /// A git remote whose ref another git holds, or held when it was killed.
    #[error("the git remote's ref `{0}` is locked")]
    #[diagnose(
        Conflict,
        hint = "another git writes there, or was killed: if it lasts, remove `{0}.lock` in the \
                remote"
    )]
    Locked(String),
    /// 401.
    #[error("the remote does not know this token")]
    #[diagnose(
        Refused,
        hint = "sign in with `mem login`, or ask for a token and give it with `mem team login --server URL`"
    )]
    Unauthorized,
    /// 401 to a request without a token.
    #[error("the server at `{0}` asks for a token, and none is kept for it here")]
    #[diagnose(
        Refused,
        hint = "sign in with `mem login --server {0}`, or ask who runs it for a token, and give it with `mem team login --server {0}`"
    )]
    NoToken(String),
    /// 403.
    #[error("this token may not do that at the remote")]
    #[diagnose(Refused, hint = "ask who runs the server for a token that may do this")]
    Forbidden,
    /// 404.
    #[error("the remote has no such store")]
    #[diagnose(NotFound, hint = "check the address and the repository's name")]
    NotFound,
    /// 413.
    #[error("the remote does not take so much at once")]
    #[diagnose(
        Invalid,
        hint = "check that the address is that of a team memory server of a like version"
    )]
    TooLarge,
    /// 507: a quota is used up, or a disk is full.
    #[error("the remote has no room for this: {0}")]
    #[diagnose(
        Refused,
        hint = "delete memories there that nobody needs, or ask who runs the server for more room; \
                `mem status` shows the quotas"
    )]
    NoRoom(String),
    /// The answer is larger than this end reads.
    #[error("the remote's answer is too large")]
    #[diagnose(
        Corrupt,
        hint = "check that the address is that of a team memory server of a like version"
    )]
    AnswerTooLarge,
    /// 409: what stands there has to go first.
    #[error("the remote refuses this: {0}")]
    #[diagnose(
        Conflict,
        hint = "write something else there, or delete the entry, first"
    )]
    InTheWay(String),
    /// Another status of the 400s.
    #[error("the remote refuses the request (status {status}): {message}")]
    #[diagnose(
        Invalid,
        hint = "check that the address is that of a team memory server of a like version"
    )]
    Refused {
        /// The status, or the one that a server would have used.
        status: u16,
        /// What the remote says, without control characters.
        message: String,
    },
    /// A git remote that takes branches and tags only.
    #[error("the git remote does not take the ref `{reference}`: {message}")]
    #[diagnose(
        Refused,
        hint = "run a server (`mem serve`), and set up that as the remote"
    )]
    RefNotTaken {
        /// The ref's full name.
        reference: String,
        /// What git says, without control characters.
        message: String,
    },
    /// A git remote that is not there, or not for this user; forges do not say which.
    #[error("git cannot use the remote: {0}")]
    #[diagnose(
        Refused,
        hint = "`git fetch` from it has to work without a question: check the address, the ssh \
                agent and the credential helper"
    )]
    Access(String),
    /// Everybody can read what would be written.
    #[error("anybody can read that git remote")]
    #[diagnose(Refused, hint = "use a private remote")]
    Public,
    /// Something on this machine is in the way: the `git` program, or the files of the remote's copy.
    #[error("{0}")]
    #[diagnose(Io, hint = "`mem doctor` looks at mem's own directories and at git")]
    Local(String),
    /// An answer that is none.
    #[error("the remote does not speak the protocol: {0}")]
    #[diagnose(
        Corrupt,
        hint = "check that the address is that of a team memory server of a like version"
    )]
    Nonsense(String),
}

impl RemoteError {
    /// What follows from it.
    pub fn error_class(&self) -> ErrorClass {
        match self {
            Self::Unreachable(_) | Self::Busy { .. } => ErrorClass::Transient,
            Self::Raced { .. } | Self::Locked(_) => ErrorClass::Race,
            Self::Unauthorized | Self::NoToken(_) | Self::Forbidden => ErrorClass::Permanent,
            Self::NotFound => ErrorClass::Permanent,
            Self::TooLarge | Self::NoRoom(_) => ErrorClass::Permanent,
            Self::Refused { .. } | Self::InTheWay(_) => ErrorClass::Permanent,
            Self::RefNotTaken { .. } => ErrorClass::Permanent,
            Self::Public | Self::Local(_) | Self::Access(_) => ErrorClass::Permanent,
            Self::AnswerTooLarge | Self::Nonsense(_) => ErrorClass::Fatal,
        }
    }
}

impl From<WireError> for RemoteError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Size { .. } => Self::AnswerTooLarge,
            WireError::Form { .. } => Self::Nonsense(error.to_string()),
        }
    }
}
