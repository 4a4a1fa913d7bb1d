//! Every file with the digest of its bytes: for what compares a memory with another place.

use std::cell::RefCell;
use std::collections::HashMap;

use super::error::StoreError;
use super::locked::LockedStore;
use super::walk::{Skipped, Stat};
use super::write::LocalStore;
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

/// Files of which the look before had not told all, with what stands there now.
pub(super) type Unsure = Vec<(MemoryPath, Stat)>;

impl LocalStore {
    /// Records what others changed, and tells the digest of every file. One that did not change since
    /// it was last read is not opened, this time or the next.
    ///
    /// # Errors
    /// Whatever the system has against it.
    pub fn digests(&self, now: Now) -> Result<Digests, StoreError> {
        let told = RefCell::default();
        self.tell_digests(now, |digests| drop(told.replace(digests)))?;
        Ok(told.into_inner())
    }

    /// The same, told as soon as it is known: what others changed is recorded after that. It is told once more
    /// where a damaged history is begun anew.
    ///
    /// # Errors
    /// As [`LocalStore::digests`]; then it may have been told or not.
    pub fn tell_digests(&self, now: Now, tell: impl Fn(Digests)) -> Result<(), StoreError> {
        if self.is_nowhere() {
            tell(Digests::default());
            return Ok(());
        }
        let unsure = RefCell::default();
        let mut locked = LockedStore::begin_with(self, |locked| {
            locked.settle_telling(now, &|digests, rest| {
                unsure.replace(rest);
                tell(digests);
            })
        })?;
        locked.settle_catalog(&unsure.into_inner())
    }
}

impl LockedStore<'_> {
    /// The digests of the files that were walked. Those of files that differ from what is known, as they were read,
    /// are in `new`.
    pub(super) fn take_digests(&mut self, new: &HashMap<MemoryPath, Sha256>) -> (Digests, Unsure) {
        let mut digests = Digests {
            skipped: std::mem::take(&mut self.walk.skipped),
            ..Digests::default()
        };
        let mut unsure = Vec::new();
        // Nothing is made anew of thousands of files, of which the look before has told all but a few.
        let files = std::mem::take(&mut self.walk.files);
        let told = std::mem::take(&mut self.told);
        let told = told.into_iter().chain(std::iter::repeat(None));
        digests.files.reserve(files.len());
        for ((path, stat), told) in files.into_iter().zip(told) {
            if let Some(sha256) = told {
                digests.files.push((path, sha256));
                continue;
            }
            let known = || self.catalog.digest_of(&path, &stat);
            let found = new.get(&path).copied();
            match found.or_else(|| known().map(|(sha256, _)| sha256)) {
                Some(sha256) => {
                    unsure.push((path.clone(), stat));
                    digests.files.push((path, sha256));
                }
                None => digests.unread.push(path),
            }
        }
        (digests, unsure)
    }

    /// Has the next look find everything in the catalog.
    fn settle_catalog(&mut self, unsure: &Unsure) -> Result<(), StoreError> {
        let mut known = unsure
            .iter()
            .filter_map(|(path, stat)| self.catalog.digest_of(path, stat));
        if !known.all(|(_, is_unchanged)| is_unchanged) || self.catalog.is_to_be_replaced() {
            // Read because its time could not show a change; by a later catalog it can. One of an earlier
            // format is read slowly.
            self.catalog.save(&self.store.places.catalog())?;
        }
        Ok(())
    }
}
