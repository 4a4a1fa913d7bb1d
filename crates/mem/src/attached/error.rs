//! What can be wrong with attachments.

use mem_core::{Diagnose, ErrorKind};

use super::book::{ATTACHMENTS_MAX, INSTRUCTIONS_CHARS_MAX};

/// An attachment cannot be made, or not be found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AttachError {
    /// Not what sessions of the API are given.
    #[error("that is no list of resources: {0}")]
    Resources(String),
    /// More stores than an agent should have to look at.
    #[error("{0} stores would be attached, and {ATTACHMENTS_MAX} may be")]
    TooMany(usize),
    /// Instructions that are too long.
    #[error("the instructions have {0} characters, and {INSTRUCTIONS_CHARS_MAX} may be")]
    Instructions(usize),
    /// Nobody may write there.
    #[error("the store `{}` is archived", mem_core::memory_path::printable(.0))]
    Archived(String),
    /// No such attachment.
    #[error("no store `{}` is attached here", mem_core::memory_path::printable(.0))]
    NotAttached(String),
    /// Several of a name.
    #[error("`{}` is the name of several: {}", mem_core::memory_path::printable(.0), .1.join(", "))]
    Ambiguous(String, Vec<String>),
    /// What would be lost.
    #[error("{0} would be lost: the server does not have it")]
    Unsent(String),
    /// The same, and no server takes it.
    #[error("{what} would be lost: the server does not have it, and {why}")]
    Stuck {
        /// What.
        what: String,
        /// Why it cannot be sent.
        why: &'static str,
        /// Where the copy is.
        folder: String,
    },
    /// Texts that are kept aside.
    #[error("{0} would be lost")]
    GaveWay(String),
    /// A store that would be read only, while something waits.
    #[error("{0} of `{1}` would never be sent: nothing is sent to a store that is read only")]
    Waits(String, String),
    /// No such copy.
    #[error("there is no copy `{}`", mem_core::memory_path::printable(.0))]
    NoCopy(String),
}

impl Diagnose for AttachError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Resources(_) | Self::TooMany(_) | Self::Instructions(_) | Self::Ambiguous(..) => {
                ErrorKind::Invalid
            }
            Self::Archived(_)
            | Self::Unsent(_)
            | Self::Stuck { .. }
            | Self::GaveWay(_)
            | Self::Waits(..) => ErrorKind::Refused,
            Self::NotAttached(_) | Self::NoCopy(_) => ErrorKind::NotFound,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Resources(_) => {
                "give {\"resources\":[{\"type\":\"memory_store\",\"memory_store_id\":\"memstore_…\"}]}"
            }
            Self::TooMany(_) => "`mem detach STORE` makes room",
            Self::Instructions(_) => "say what it is for in a few lines, the rest in a memory",
            Self::Archived(_) => "`mem store memories` and `mem store export` still read it",
            Self::NotAttached(_) => "`mem attachments` lists what is",
            Self::Ambiguous(..) => "give one of them, or the id of the store",
            Self::Unsent(_) => "`mem attachments --sync` sends it; --discard gives it up",
            Self::Stuck { folder, .. } => {
                let folder = mem_core::memory_path::printable(folder);
                return Some(format!(
                    "copy what you need out of `{folder}`; --discard gives it up"
                ));
            }
            Self::GaveWay(_) => {
                "`mem attachments` names their files, `mem attachments --forget FILE` removes one; --discard \
                 gives all of them up"
            }
            Self::Waits(..) => {
                "`mem attachments --sync` sends them first; `mem detach STORE --discard` gives them up"
            }
            Self::NoCopy(_) => "`mem attachments` lists them",
        };
        Some(hint.to_owned())
    }
}
