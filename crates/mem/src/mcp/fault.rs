//! What a client did wrong, told as the result of its call so that a model can do better.

use mem_core::{Diagnose, ErrorKind};

/// A call that cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    /// Arguments that do not fit.
    #[error("the arguments of `{tool}` do not fit: {reason}")]
    Arguments {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
    /// A write where only reading is allowed.
    #[error("this server only reads")]
    ReadOnly,
    /// A tier that was not opened to the client.
    #[error("there is no tier `{0}` here")]
    NoTier(&'static str),
    /// A tool for notes where there are records only.
    #[error("this server serves the records of one user, and no notes")]
    ForRecords,
    /// No such note.
    #[error("there is no note `{}`", mem_core::memory_path::printable(.0))]
    NotFound(String),
    /// The note is not the one that was read.
    #[error("`{path}` is not what you read: {now}")]
    Stale {
        /// The note.
        path: String,
        /// What it is now.
        now: String,
    },
    /// The text to replace is not there, or not once.
    #[error("`old_text` occurs {count} times in `{path}`")]
    NotOnce {
        /// The note.
        path: String,
        /// How often.
        count: usize,
    },
    /// Bytes that are no text.
    #[error("`{0}` is not UTF-8 text")]
    NotText(String),
    /// No session of this repository has notes.
    #[error("no session of this repository has notes yet")]
    NoNotes,
    /// Nobody waits for the answer any more.
    #[error("the call was cancelled")]
    Cancelled,
}

impl Diagnose for Fault {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Arguments { .. } | Self::NotOnce { .. } | Self::NotText(_) | Self::Cancelled => {
                ErrorKind::Invalid
            }
            Self::ReadOnly | Self::ForRecords => ErrorKind::Refused,
            Self::NoTier(_) | Self::NotFound(_) | Self::NoNotes => ErrorKind::NotFound,
            Self::Stale { .. } => ErrorKind::Conflict,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Arguments { .. } => "tools/list describes them",
            Self::ReadOnly => {
                "a person writes with `mem save`, or starts `mem mcp` anew without --read-only"
            }
            Self::ForRecords => "use memory_store, memory_retrieve and memory_delete",
            Self::NoTier(_) => "use one of the tiers that memory_list shows",
            Self::NotFound(_) => "memory_list shows what there is",
            Self::Stale { .. } => {
                "read it again with memory_read, and change what stands there now"
            }
            Self::NotOnce { count: 0, .. } => {
                "copy the text from memory_read, with its line breaks"
            }
            Self::NotOnce { .. } => "take more of the text around it",
            Self::NotText(_) => "a person has to look at it: `mem show --raw`",
            Self::NoNotes => "go on without them: they are taken while sessions run",
            Self::Cancelled => return None,
        };
        Some(hint.to_owned())
    }
}
