//! What can go wrong with an inbox.

use std::path::PathBuf;

use crate::MemoryPath;
use crate::error::Diagnose;
use crate::history::ProposalId;
use crate::limits::INBOX_ENTRY_BYTES_MAX;
use crate::sealing::SealError;
use crate::state_file::StateError;
use crate::store::StoreError;

/// An entry could not be taken in, read or carried out.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum InboxError {
    /// As many wait as may.
    #[error("{0} writes wait in the inbox already")]
    #[diagnose(Refused, hint = "accept or reject what waits first: `mem inbox`")]
    Full(usize),
    /// The write is too large to be put aside.
    #[error("a write of {0} bytes is over the inbox's limit of {INBOX_ENTRY_BYTES_MAX}")]
    #[diagnose(Refused)]
    TooLarge(usize),
    /// The entry cannot be written as JSON.
    #[error("the write cannot be put aside: {0}")]
    #[diagnose(Refused)]
    Shape(serde_json::Error),
    /// The entry's file is no entry.
    #[error("`{}` is no entry of the inbox: {cause}", path.display())]
    #[diagnose(Corrupt, hint = format!("look at it, and remove `{}`", path.display()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    State(#[from] StateError),
    /// It is sealed, and cannot be opened or written.
    #[error(transparent)]
    Sealed(#[from] SealError),
    /// What stands there now was changed since, in the same lines.
    #[error("`{path}` was changed since this was written, in the same lines")]
    #[diagnose(Conflict, hint = overtaken_hint(id, path, wanted.is_some()))]
    Overtaken {
        /// The entry.
        id: ProposalId,
        /// The file.
        path: MemoryPath,
        /// What stands there now.
        now: Vec<u8>,
        /// What the entry would put there; none for a removal.
        wanted: Option<Vec<u8>>,
    },
    /// The memory that the entry changes is not there any more.
    #[error("`{path}` was removed or renamed since this was written")]
    #[diagnose(
        Conflict,
        hint = "`mem inbox edit {id}` writes it again, `mem inbox reject {id}` drops it"
    )]
    Gone {
        /// The entry.
        id: ProposalId,
        /// The file.
        path: MemoryPath,
    },
    /// The entry renames a memory, and another one has the new name.
    #[error("`{path}` exists already, and this renames another memory to it")]
    #[diagnose(
        Conflict,
        hint = "`mem inbox reject {id}` drops it, or rename the memory that exists"
    )]
    Exists {
        /// The entry.
        id: ProposalId,
        /// The new name.
        path: MemoryPath,
    },
    /// An edited text holds the marks that separate the two sides of a conflict.
    #[error("the text for `{path}` still has lines that mark a conflict; nothing was written")]
    #[diagnose(
        Conflict,
        hint = "`mem inbox edit {id}`: leave one text, without the lines `<<<<<<< now`, `=======` and `>>>>>>> wanted`"
    )]
    Unmerged {
        /// The entry.
        id: ProposalId,
        /// The file.
        path: MemoryPath,
    },
    /// Somebody else decided on it, or changed it.
    #[error("entry `{0}` was decided on or changed meanwhile; nothing was written")]
    #[diagnose(Conflict, hint = "`mem inbox` lists what waits")]
    Decided(ProposalId),
    /// Nothing waits under that id.
    #[error("there is no entry `{0}` in the inbox")]
    #[diagnose(
        NotFound,
        hint = "`mem inbox` lists what waits, `mem inbox list --rejected` what was rejected"
    )]
    Unknown(String),
    /// Several ids begin so.
    #[error("several entries begin with `{0}`")]
    #[diagnose(Invalid, hint = "give more of the id")]
    Ambiguous(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn overtaken_hint(id: &ProposalId, path: &MemoryPath, has_text: bool) -> String {
    match has_text {
        true => format!(
            "`mem inbox edit {id}` puts both into your editor, `mem inbox reject {id}` drops it"
        ),
        false => format!(
            "`mem remove {path}` removes it as it is now, `mem inbox reject {id}` drops the entry"
        ),
    }
}
