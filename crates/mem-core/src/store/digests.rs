//! Every file with the digest of its bytes: for what compares a memory with another place.

use super::catalog::Beside;
use super::error::StoreError;
use super::locked::Locked;
use super::walk::Skipped;
use super::write::Store;
use crate::history::Sha256;
use crate::{MemoryPath, Now};

/// The files of a memory, as they were recorded a moment ago.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    /// In the order of their paths.
    pub files: Vec<(MemoryPath, Sha256)>,
    /// Files that cannot be read, or are too large for a memory.
    pub unread: Vec<MemoryPath>,
    /// What is no file of a memory, and why.
    pub skipped: Vec<Skipped>,
}

impl Store {
    /// Records what others changed, and tells the digest of every file. One that did not change since
    /// it was last read is not opened, this time or the next.
    ///
    /// # Errors
    /// Whatever the system has against it.
    pub fn digests(&self, now: Now) -> Result<Digests, StoreError> {
        match self.observe(now)? {
            Some(mut locked) => locked.digests(),
            None => Ok(Digests::default()),
        }
    }
}

impl Locked<'_> {
    fn digests(&mut self) -> Result<Digests, StoreError> {
        let mut digests = Digests {
            skipped: self.walk.skipped.clone(),
            ..Digests::default()
        };
        digests.files.reserve(self.walk.files.len());
        let mut is_settled = true;
        for one in self.catalog.beside(&self.walk.files) {
            let Beside::File {
                path,
                sha256,
                is_unchanged,
                ..
            } = one
            else {
                continue;
            };
            match sha256 {
                Some(sha256) => {
                    digests.files.push((path.clone(), sha256));
                    is_settled = is_settled && is_unchanged;
                }
                None => digests.unread.push(path.clone()),
            }
        }
        if !is_settled || self.catalog.is_to_be_replaced() {
            // Read because its time could not show a change; by a later catalog it can. One of an earlier
            // format is read slowly.
            self.catalog.save(&self.store.places.catalog())?;
        }
        Ok(digests)
    }
}
