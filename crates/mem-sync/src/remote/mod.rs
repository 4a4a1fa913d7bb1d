//! The other end, as a trait.
//!
//! Its calls block. A command has nothing else to do meanwhile, and a daemon gives each repository a
//! thread; in return the client is one plain function after the other, which a test can stop between
//! any two calls. A remote that is asynchronous inside runs its own current-thread runtime.

mod error;
#[cfg(feature = "git")]
pub mod git;
#[cfg(feature = "http")]
pub mod http;

use std::collections::BTreeSet;

pub use error::{ErrorClass, RemoteError};

#[cfg(any(test, feature = "testutils"))]
pub use crate::testutils::{InMemory, StoredVersion, conformance};

use crate::key::EntryKey;
use crate::limits::{LOG_PAGE_MAX, PUT_BYTES_MAX};
use crate::wire::{
    ETag, LogPage, PutAnswer, PutBody, RedactBody, RedactOutcome, RefusalReport, RejectedKey,
    StateAnswer,
};

/// A store of one repository, somewhere else. May be boxed.
pub trait Remote {
    /// How many bytes of JSON one [`put_entries`](Self::put_entries) may have. Whoever has more to write writes one
    /// portion after the other; a remote for which each write is dear takes more at once.
    fn put_bytes_max(&self) -> usize {
        PUT_BYTES_MAX
    }

    /// Asks for what the store holds.
    ///
    /// # Errors
    /// See [`RemoteError`].
    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError>;

    /// What is left of the caller's quotas at the remote, as it was last told.
    fn quota(&self) -> Option<&str> {
        None
    }

    /// Writes and deletes: all keys that are not rejected, or none. With `if_match`, only if the store
    /// still is what that names. Without, whatever it is: later writes win.
    ///
    /// # Errors
    /// See [`RemoteError`]. After [`RemoteError::Unreachable`] it may have been done all the same.
    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError>;

    /// Who changed what, the newest first, a page at a time.
    ///
    /// # Errors
    /// See [`RemoteError`]; [`RemoteError::NotFound`] where the remote keeps no log.
    fn read_log(&mut self, _: &LogQuery) -> Result<LogPage, RemoteError> {
        Err(RemoteError::NotFound)
    }

    /// Takes every earlier content of a key out of the remote's history. What the key holds now stays: a
    /// value that leaked is overwritten or deleted first. With the name goes all that is known of the key,
    /// its tombstone included: who never saw that has a file that nothing speaks against.
    ///
    /// # Errors
    /// See [`RemoteError`]; [`RemoteError::Refused`] where the key never held anything but what it holds
    /// now, or its name is to go and something stands under it; [`RemoteError::NotFound`] where it never
    /// held anything, or the remote keeps no log.
    fn redact_key(&mut self, _: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        Err(RemoteError::NotFound)
    }

    /// Reports that a memory was not sent, because it holds a secret. Says whether anybody was told.
    ///
    /// # Errors
    /// See [`RemoteError`]; [`RemoteError::NotFound`] where the remote takes no reports.
    fn report_refusal(&mut self, _: &RefusalReport) -> Result<bool, RemoteError> {
        Err(RemoteError::NotFound)
    }
}

impl<R: Remote + ?Sized> Remote for Box<R> {
    fn put_bytes_max(&self) -> usize {
        (**self).put_bytes_max()
    }

    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        (**self).get_state(query, if_none_match)
    }

    fn quota(&self) -> Option<&str> {
        (**self).quota()
    }

    fn put_entries(
        &mut self,
        body: &PutBody,
        if_match: Option<&ETag>,
    ) -> Result<PutOutcome, RemoteError> {
        (**self).put_entries(body, if_match)
    }

    fn read_log(&mut self, query: &LogQuery) -> Result<LogPage, RemoteError> {
        (**self).read_log(query)
    }

    fn redact_key(&mut self, what: &RedactBody) -> Result<RedactOutcome, RemoteError> {
        (**self).redact_key(what)
    }

    fn report_refusal(&mut self, report: &RefusalReport) -> Result<bool, RemoteError> {
        (**self).report_refusal(report)
    }
}

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateQuery {
    /// Without contents.
    pub hashes: bool,
    /// Only these; everything where none is named.
    pub keys: BTreeSet<EntryKey>,
}

impl StateQuery {
    /// Which entries there are, without contents.
    pub fn of_hashes() -> Self {
        Self {
            hashes: true,
            keys: BTreeSet::new(),
        }
    }

    /// Some entries with their contents; all of them where none is named.
    pub fn of_contents(keys: BTreeSet<EntryKey>) -> Self {
        Self {
            hashes: false,
            keys,
        }
    }
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
        answer: StateAnswer,
        /// The bad ones.
        rejected: Vec<RejectedKey>,
    },
}

/// What a write came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutOutcome {
    /// Names the state right after it.
    pub etag: ETag,
    /// Key by key.
    pub answer: PutAnswer,
}

/// Which part of the log is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogQuery {
    /// This key's changes only.
    pub key: Option<EntryKey>,
    /// Changes of one page, from 1 to [`LOG_PAGE_MAX`]; what is outside is taken for the nearest.
    pub limit: u32,
    /// Where to go on: [`LogPage::next_page`] of the page before.
    pub page: Option<String>,
}

impl Default for LogQuery {
    fn default() -> Self {
        Self {
            key: None,
            limit: LOG_PAGE_MAX,
            page: None,
        }
    }
}

impl LogQuery {
    /// The limit, within its bounds.
    pub fn page_size(&self) -> u32 {
        self.limit.clamp(1, LOG_PAGE_MAX)
    }
}
