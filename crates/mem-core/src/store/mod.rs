//! The one door to the files of a memory directory.
//!
//! [`LocalStore::write`] takes a plan, a [`WriteGate`] and an [`ChangeMetadata`] (who, why, when). Under one
//! lock it first records what others changed, runs the plan on a [`WriteTransaction`], asks the gate about
//! every file, and then makes the whole draft happen or none of it:
//!
//! ```text
//! 1 new contents go to temporary files in their target's folder, synced      crash: nothing happened
//! 2 change and contents go to the history as pending, in one synced commit   crash from here on: rolled forward
//! 3 each file is exchanged with its target, and what came out is compared    foreign save in between: all is put
//!   with what the plan had read                                              back, 2 is taken back, the plan runs again
//! 4 folders are synced, the change is marked as done, the catalog follows
//! ```
//!
//! A recovery finds the pending change, puts into place what still is as it was before, and marks it.

mod append;
mod apply;
mod apply_marker;
mod catalog;
mod change_metadata;
mod commit;
mod decryption_check;
mod digests;
mod effective_changes;
mod erase;
mod error;
mod external_edits;
mod file_limit;
mod folders;
mod gate;
mod health;
mod history_repair;
mod local_store;
mod lock;
mod locked_store;
mod memory_paths;
mod merge;
mod ownership;
mod pointer;
mod preview;
mod purge;
mod reader;
mod recover;
mod redact;
mod redact_inbox;
mod redact_names;
mod renames;
mod replaced_files;
mod reseal;
mod restore;
mod retention;
mod revision;
mod stage;
mod tree;
mod undo;
mod versions;
mod walk;
mod write_transaction;

pub use catalog::{Catalog, CatalogEntry};
pub use change_metadata::ChangeMetadata;
pub use decryption_check::OpenOutcome;
pub use digests::Digests;
pub(crate) use effective_changes::undoable;
pub(crate) use erase::name_without;
pub use erase::{spellings, without_text};
pub use error::StoreError;
pub use gate::{GateRefusal, GatedFile, OpenGate, ProposedChange, ProposedFile, WriteGate};
pub use health::Health;
pub(crate) use lock::Lock;
pub use locked_store::LockedStore;
pub use memory_paths::{MemoryPaths, Tiers};
pub use ownership::{ADOPT, DirectoryKind, FileClass};
pub use preview::Planned;
pub use purge::Purge;
pub use reader::Snapshot;
pub use write_transaction::WriteTransaction;

pub use local_store::{LocalStore, WriteOutcome};
pub use merge::merge_text;
pub use redact::{Redaction, RedactionPlan};
pub use reseal::{ResealOutcome, SealState, kept};
pub use restore::{RestoreError, Restored};
pub use retention::HistoryCleanup;
pub use revision::{Revision, RevisionError};
pub use undo::{Undo, UndoError};
pub use walk::{DirWalk, Skipped, Stat};
