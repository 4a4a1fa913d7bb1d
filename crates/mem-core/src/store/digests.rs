//! Every file with the digest of its bytes: for what compares a memory with another place.

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
            Some(locked) => locked.digests(),
            None => Ok(Digests::default()),
        }
    }
}

impl Locked<'_> {
    fn digests(mut self) -> Result<Digests, StoreError> {
        let mut digests = Digests {
            skipped: std::mem::take(&mut self.walk.skipped),
            ..Digests::default()
        };
        // Nothing is made anew of thousands of files, of which the look before has told all but a few.
        let files = std::mem::take(&mut self.walk.files);
        let told = std::mem::take(&mut self.told);
        let told = told.into_iter().chain(std::iter::repeat(None));
        digests.files.reserve(files.len());
        let mut is_settled = true;
        for ((path, stat), told) in files.into_iter().zip(told) {
            let known = told.map(|sha256| (sha256, true));
            match known.or_else(|| self.catalog.digest_of(&path, &stat)) {
                Some((sha256, is_unchanged)) => {
                    digests.files.push((path, sha256));
                    is_settled = is_settled && is_unchanged;
                }
                None => digests.unread.push(path),
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
