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
    #[diagnose(
        Conflict,
        hint = "`mem inbox edit ID` puts both into your editor, `mem inbox reject ID` drops it"
    )]
    Overtaken {
        /// The file.
        path: MemoryPath,
        /// What stands there now.
        now: Vec<u8>,
        /// What the entry would put there.
        wanted: Vec<u8>,
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
