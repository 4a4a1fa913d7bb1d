//! Stores that are attached to a repository, and an offline copy of each that agents read and write, kept in step with
//! the server.
//!
//! # Layout
//! - [`AttachmentFile`]: what is attached; `slug`: under which name. [`resources`]: the same as the API has it.
//!   [`AttachmentRequest`]: what is to be attached.
//! - [`OfflineCopy`]: the copy, plain files. [`CopyStatus`]: what is remembered of it.
//! - `unsent`: what waits to be sent.
//! - [`AttachedStore`]: one talk with the server. `replica`: the copy as the engine of team memory replicates it;
//!   `remote`: the store as its remote.
//! - `skipped_deletion`: deletions that were not made.
//! - [`AttachedStores`]: what an agent's call works on; `tool_stores`: the same for the tools of the API. `search`:
//!   finding in a copy. [`redaction`]: a text that is to be gone.
//! - [`CopyEnvironment`]: what is needed of the program around.
//!
//! Nothing is lost that only stands here: a text that gives way is put aside and told.

mod attached_stores;
mod attachment_file;
mod copy;
mod environment;
mod error;
pub mod redaction;
mod remote;
mod replica;
mod request;
pub mod resources;
mod round;
mod search;

mod skipped_deletion;
mod slug;
mod state;
mod tool_stores;
mod unsent;

pub use attached_stores::AttachedStores;
pub use attachment_file::{Attachment, AttachmentFile, StoreAccess};
pub use copy::{ALTERED, LockedCopy, OfflineCopy};
pub use environment::{CopyEnvironment, EnvironmentError};
pub use error::{AttachError, CopyError};
pub use request::AttachmentRequest;
pub use round::{AttachedStore, Effort, RoundOutcome};
pub use skipped_deletion::SkippedDeletion;
pub use state::{
    Base, BlockedUpload, ConflictCopy, CopyStatus, LastSynced, StateFiles, UnsentChanges,
    VersionCursor,
};
