//! What happened to a memory directory: a SQLite database of `mem`'s own, outside of it.
//!
//! Every command is one [`Change`] with an id of its own, however many files it touches; each
//! file's part of it is a [`Version`]. Contents are kept once, by their digest.
//!
//! ```text
//! history/history.db      changes   sequence, lineage, id, record (JSON, or sealed), is_pending
//!                         files     path x sequence -> content, or none where the file went
//!                         notes     note x sequence
//!                         contents  digest, bytes (as they are, or sealed)
//!                         facts     format, epoch
//! history/history.db-wal  commits that are not in the database yet
//! ```
//!
//! A lineage is the past of one directory: 0 its own, others were brought along by an adoption.
//! The files as of a change are, for each path, the newest row of its lineage up to it.
//!
//! A redaction writes the whole database anew beside the old one and exchanges the folders: no
//! page of the old one survives, and readers that have it open go on with it.

mod author;
mod change;
mod citation_snapshot;
mod content;
mod database;
mod digest;
mod error;
mod git_format;
mod id;
mod integrity;
mod read;
mod rewrite;
mod sealed;
mod staging;
mod write;

pub use author::{Author, AuthorKind};
pub use change::{Change, FileOperation, Version};
pub use citation_snapshot::CitationSnapshot;
pub(crate) use content::CommitTree;
pub(crate) use database::remove_odd;
pub use database::{ChangeSequence, Head, History};
pub use digest::Sha256;
pub use error::HistoryError;
pub(crate) use git_format::remove_earlier;
pub use id::{ChangeId, NoteId, ProposalId, VersionId};
pub(crate) use integrity::HistoryPart;
pub use integrity::Integrity;
pub use read::{HistoryEntry, undone_changes};
pub use rewrite::{HistoryRewrite, Proof};
pub use write::Brought;
pub(crate) use write::{FileChange, Pending};
