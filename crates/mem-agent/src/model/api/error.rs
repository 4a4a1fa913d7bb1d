//! What came instead of an answer of the API.

use mem_core::{Diagnose, ErrorKind};
use mem_http::{AddressFault, LineFault};

use super::TURNS_MAX;
use crate::model::ANSWER_BYTES_MAX;

/// A model behind the API that cannot be asked, or has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum ApiError {
    /// Not an address that a key may go to.
    #[error("the address of the model's API cannot be used: {0}")]
    #[diagnose(Invalid, hint = ADDRESS_HINT)]
    Address(AddressFault),
    /// A key that does not belong into a header.
    #[error(
        "the key of the model's API is none: one line of letters, digits and signs is expected"
    )]
    #[diagnose(Invalid, hint = "give the key alone, as it was handed out")]
    Key,
    /// Nobody said which model.
    #[error("no model is named")]
    #[diagnose(Invalid, hint = "`mem config set model.name NAME`")]
    NoName,
    /// HTTP cannot be spoken.
    #[error("cannot speak HTTP: {0}")]
    #[diagnose(Io)]
    Setup(String),
    /// Nobody answered, or the line broke.
    #[error("the model's API does not answer: {0}")]
    #[diagnose(Unreachable, hint = SHOWN_HINT)]
    Unreachable(String),
    /// Not within its time.
    #[error("the model's API took more than {seconds} s")]
    #[diagnose(
        Unreachable,
        hint = "`mem config set model.timeout SECONDS` gives it longer"
    )]
    Late {
        /// The limit.
        seconds: u64,
    },
    /// The server says no.
    #[error("the model's API refuses ({status}): {message}")]
    #[diagnose(kind = refusal_kind(*status), hint = refusal_hint(*status))]
    Refused {
        /// The status.
        status: u16,
        /// What it says, harmless for a terminal.
        message: String,
    },
    /// It sends somewhere else, where nobody goes: that address would be given the key.
    #[error("the model's API redirects to `{0}`, which is not followed")]
    #[diagnose(Unreachable, hint = ADDRESS_HINT)]
    Elsewhere(String),
    /// Longer than any answer.
    #[error("the model's API answered with more than {ANSWER_BYTES_MAX} bytes")]
    #[diagnose(Invalid, hint = SHOWN_HINT)]
    TooLong,
    /// It cannot be understood.
    #[error("the answer of the model's API cannot be understood: {0}")]
    #[diagnose(Invalid, hint = SHOWN_HINT)]
    Nonsense(String),
    /// The model does not want to.
    #[error("the model declines to answer")]
    #[diagnose(Invalid)]
    Declined,
    /// It said more than it may, or its context is full.
    #[error("the model's answer was cut off")]
    #[diagnose(Invalid)]
    CutOff,
    /// Too many tokens.
    #[error("the model's budget of {tokens_max} tokens is used up")]
    #[diagnose(Invalid, hint = "`mem config set model.max_tokens N` gives it more")]
    Budget {
        /// The limit.
        tokens_max: u64,
    },
    /// It went on and on.
    #[error("the model had not finished after {TURNS_MAX} turns")]
    #[diagnose(Invalid)]
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

const ADDRESS_HINT: &str =
    "`mem config set model.api https://HOST`; http:// is for this machine alone";
const SHOWN_HINT: &str = "`mem config get model.api` shows where it is asked";

fn refusal_kind(status: u16) -> ErrorKind {
    match status {
        401 | 403 => ErrorKind::Refused,
        408 | 429 | 500.. => ErrorKind::Unreachable,
        _ => ErrorKind::Invalid,
    }
}

fn refusal_hint(status: u16) -> Option<&'static str> {
    match status {
        401 => Some("`mem doctor` says where its key is taken from"),
        400 | 404 => Some(
            "`mem config set model.name NAME` names another model: it has to know the memory \
             tool, context editing and compaction",
        ),
        429 => Some("wait a little and repeat"),
        _ => None,
    }
}
