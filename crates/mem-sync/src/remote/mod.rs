//! The other end, as a trait.
//!
//! Its calls block. A command has nothing else to do meanwhile, and a daemon gives each repository a
//! thread; in return the client is one plain function after the other, which a test can stop between
//! any two calls. A remote that is asynchronous inside runs its own current-thread runtime.

pub mod conformance;
mod error;
mod in_memory;

use std::collections::BTreeSet;

pub use error::{Class, RemoteError};
pub use in_memory::{InMemory, StoredVersion};

use crate::key::Key;
use crate::wire::{Answer, ETag, PutAnswer, PutBody, Rejected};

/// A store of one repository, somewhere else.
pub trait Remote {
    /// Asks for what the store holds.
    ///
    /// # Errors
    /// See [`RemoteError`].
    fn get(&mut self, query: &Query, if_none_match: Option<&ETag>) -> Result<Fetched, RemoteError>;

    /// Writes and deletes: all keys that are not rejected, or none. With `if_match`, only if the store
    /// still is what that names. Without, whatever it is: later writes win.
    ///
    /// # Errors
    /// See [`RemoteError`]. After [`RemoteError::Unreachable`] it may have been done all the same.
    fn put(&mut self, body: &PutBody, if_match: Option<&ETag>) -> Result<Put, RemoteError>;
}

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Without contents.
    pub hashes: bool,
    /// Only these; everything where none is named.
    pub keys: BTreeSet<Key>,
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// The store is still what `if_none_match` names.
    NotModified,
    /// The store, or what was asked of it.
    Found {
        /// Names this state of the store, whatever part of it was asked for.
        etag: ETag,
        /// The good keys.
        answer: Answer,
        /// The bad ones.
        rejected: Vec<Rejected>,
    },
}

/// What a write came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// Names the state right after it.
    pub etag: ETag,
    /// Key by key.
    pub answer: PutAnswer,
}
