//! What happened to a memory directory: a bare git repository of `mem`'s own, outside it.
//!
//! Every command is one [`Change`] with an id of its own, however many files it touches; each
//! file's part of it is a [`Version`]. Ids, authors, reasons and times live in the commit
//! messages (JSON after the summary line), never in the files, and none of them is derived from
//! a commit's hash: redaction may rewrite every commit.

mod author;
mod change;
mod cited;
mod copy;
mod digest;
mod error;
mod folders;
mod form;
mod id;
mod moment;
mod objects;
mod opened;
mod pack;
mod parcel;
mod place;
mod repository;
mod reseal;
mod rewrite;
mod size;
mod torn;
mod verify;
mod walk;

pub use author::{Actor, Author};
pub use change::{Change, Operation, Version};
pub use cited::Cited;
pub use digest::Sha256;
pub use error::HistoryError;
pub use id::{ChangeId, NoteId, ProposalId, VersionId};
pub(crate) use moment::Moment;
pub(crate) use objects::Sent;
pub use parcel::{Parcel, Parcels};
pub use repository::History;
pub use rewrite::{Proof, Rewrite};
pub use verify::Integrity;
pub use walk::Entry;
