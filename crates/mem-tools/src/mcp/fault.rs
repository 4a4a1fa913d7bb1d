//! What a client did wrong, told as the result of its call so that a model can do better.

use mem_core::Diagnose;
use mem_stores::tools::error::once_hint;

/// A call that cannot be carried out.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum Fault {
    /// Arguments that do not fit.
    #[error("the arguments of `{tool}` do not fit: {reason}")]
    #[diagnose(Invalid, hint = "tools/list describes them")]
    Arguments {
        /// The tool.
        tool: String,
        /// Why.
        reason: String,
    },
    /// A write where only reading is allowed.
    #[error("this server only reads")]
    #[diagnose(
        Refused,
        hint = "a person writes with `mem save`, or starts `mem mcp` anew without --read-only"
    )]
    ReadOnly,
    /// A tier that was not opened to the client.
    #[error("there is no tier `{0}` here")]
    #[diagnose(NotFound, hint = "use one of the tiers that memory_list shows")]
    NoTier(&'static str),
    /// A tool for notes where there are records only.
    #[error("this server serves the records of one user, and no notes")]
    #[diagnose(Refused, hint = "use memory_store, memory_retrieve and memory_delete")]
    ForRecords,
    /// No such note.
    #[error("there is no note `{}`", mem_core::memory_path::printable(.0))]
    #[diagnose(NotFound, hint = "memory_list shows what there is")]
    NotFound(String),
    /// A deletion of a memory index or its archive.
    #[error("`{}` is a memory index and cannot be deleted", mem_core::memory_path::printable(.0))]
    #[diagnose(Refused, hint = "memory_delete of a note removes its line")]
    DeleteIndex(String),
    /// The note is not the one that was read.
    #[error("`{path}` is not what you read: {now}")]
    #[diagnose(
        Conflict,
        hint = "read it again with memory_read, and change what stands there now"
    )]
    Stale {
        /// The note.
        path: String,
        /// What it is now.
        now: String,
    },
    /// The text to replace is not there, or not once.
    #[error("`old_text` occurs {count} times in `{path}`")]
    #[diagnose(Invalid, hint = once_hint(*count))]
    NotOnce {
        /// The note.
        path: String,
        /// How often.
        count: usize,
    },
    /// Bytes that are no text.
    #[error("`{0}` is not UTF-8 text")]
    #[diagnose(Invalid, hint = "a person has to look at it: `mem show --raw`")]
    NotText(String),
    /// No session of this repository has notes.
    #[error("no session of this repository has notes yet")]
    #[diagnose(
        NotFound,
        hint = "go on without them: they are taken while sessions run"
    )]
    NoNotes,
    /// Nobody waits for the answer any more.
    #[error("the call was cancelled")]
    #[diagnose(Invalid)]
    Cancelled,
}
