//! What came instead of an answer of the API.

use mem_core::{Diagnose, ErrorKind};
use mem_http::{AddressFault, LineFault};

use super::TURNS_MAX;

/// A model behind the API that cannot be asked, or has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// Not an address that a key may go to.
    #[error("the address of the model's API cannot be used: {0}")]
    Address(AddressFault),
    /// A key that does not belong into a header.
    #[error(
        "the key of the model's API is none: one line of letters, digits and signs is expected"
    )]
    Key,
    /// Nobody said which model.
    #[error("no model is named")]
    NoName,
    /// HTTP cannot be spoken.
    #[error("cannot speak HTTP: {0}")]
    Setup(String),
    /// Nobody answered, or the line broke.
    #[error("the model's API does not answer: {0}")]
    Unreachable(String),
    /// Not within its time.
    #[error("the model's API took more than {seconds} s")]
    Late {
        /// The limit.
        seconds: u64,
    },
    /// The server says no.
    #[error("the model's API refuses ({status}): {message}")]
    Refused {
        /// The status.
        status: u16,
        /// What it says, harmless for a terminal.
        message: String,
    },
    /// It sends somewhere else, where nobody goes: that address would be given the key.
    #[error("the model's API redirects to `{0}`, which is not followed")]
    Elsewhere(String),
    /// Longer than any answer.
    #[error(
        "the model's API answered with more than {} bytes",
        crate::model::ANSWER_BYTES_MAX
    )]
    TooLong,
    /// It cannot be understood.
    #[error("the answer of the model's API cannot be understood: {0}")]
    Nonsense(String),
    /// The model does not want to.
    #[error("the model declines to answer")]
    Declined,
    /// It said more than it may, or its context is full.
    #[error("the model's answer was cut off")]
    CutOff,
    /// Too many tokens.
    #[error("the model's budget of {tokens_max} tokens is used up")]
    Budget {
        /// The limit.
        tokens_max: u64,
    },
    /// It went on and on.
    #[error("the model had not finished after {TURNS_MAX} turns")]
    Endless,
}

impl From<LineFault> for ApiError {
    fn from(fault: LineFault) -> Self {
        match fault {
            LineFault::TooLong { .. } => Self::TooLong,
            fault @ LineFault::Garbled(_) => Self::Nonsense(fault.to_string()),
            fault => Self::Unreachable(fault.to_string()),
        }
    }
}

impl Diagnose for ApiError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Address(_)
            | Self::Key
            | Self::NoName
            | Self::TooLong
            | Self::Nonsense(_)
            | Self::Declined
            | Self::CutOff
            | Self::Budget { .. }
            | Self::Endless => ErrorKind::Invalid,
            Self::Setup(_) => ErrorKind::Io,
            Self::Unreachable(_) | Self::Late { .. } | Self::Elsewhere(_) => ErrorKind::Unreachable,
            Self::Refused { status, .. } => match status {
                401 | 403 => ErrorKind::Refused,
                408 | 429 | 500.. => ErrorKind::Unreachable,
                _ => ErrorKind::Invalid,
            },
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Address(_) | Self::Elsewhere(_) => {
                "`mem config set model.api https://HOST`; http:// is for this machine alone"
            }
            Self::Key => "give the key alone, as it was handed out",
            Self::NoName => "`mem config set model.name NAME`",
            Self::Late { .. } => "`mem config set model.timeout SECONDS` gives it longer",
            Self::Budget { .. } => "`mem config set model.max_tokens N` gives it more",
            Self::Unreachable(_) | Self::TooLong | Self::Nonsense(_) => {
                "`mem config get model.api` shows where it is asked"
            }
            Self::Refused { status: 401, .. } => "`mem doctor` says where its key is taken from",
            Self::Refused {
                status: 400 | 404, ..
            } => {
                "`mem config set model.name NAME` names another model: it has to know the memory \
                 tool, context editing and compaction"
            }
            Self::Refused { status: 429, .. } => "wait a little and repeat",
            Self::Setup(_)
            | Self::Refused { .. }
            | Self::Declined
            | Self::CutOff
            | Self::Endless => return None,
        };
        Some(hint.to_owned())
    }
}
