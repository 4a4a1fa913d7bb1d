//! Why something was not done to a store.

use mem_core::Diagnose;

use crate::storage::StorageError;

/// What stands in the way. Nothing was stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(Refused)]
pub enum StoreRefusal {
    /// There is no such store, or it is none of the caller's.
    #[error("there is no such memory store")]
    #[diagnose(NotFound)]
    NoStore,
    /// There is no such memory in the store.
    #[error("there is no such memory")]
    #[diagnose(NotFound)]
    NoMemory,
    /// There is no such version in the store.
    #[error("there is no such memory version")]
    #[diagnose(NotFound)]
    NoVersion,
    /// The caller's grants cover some stores, but none that are yet to be made.
    #[error("this token may not create memory stores")]
    MayNotCreate,
    /// What was archived is not written any more.
    #[error("the memory store is archived")]
    Archived,
    /// The path, or one above or below it, is another memory's.
    #[error("the path is taken by another memory")]
    #[diagnose(Conflict)]
    PathConflict {
        /// Whose.
        memory_id: String,
        /// The path that it has.
        path: String,
    },
    /// The memory is not what the caller took it for.
    #[error("the memory is not in the state that the precondition names")]
    #[diagnose(
        Conflict,
        hint = "read the memory again and repeat the change on what it is now"
    )]
    Precondition,
    /// 10,000.
    #[error("the memory store holds 10,000 memories already")]
    Full,
    /// More pairs than a store may have, after the change.
    #[error("a memory store has at most 16 metadata pairs")]
    TooMuchMetadata,
    /// What is live is not redacted.
    #[error("this is the version that the memory has now: write a new version first")]
    Head,
    /// A repository's store takes the names that team memory can have on every machine.
    #[error("the path is none for the memory of a repository: {0}")]
    TeamPath(String),
}

/// Why something was not done, or not known to be done.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StoresError {
    /// Nothing was done, and the database is well.
    #[error(transparent)]
    Refused(#[from] StoreRefusal),
    /// The database.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
