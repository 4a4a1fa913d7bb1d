//! Every file with the digest of its bytes: for what compares a memory with another place.

use std::collections::BTreeMap;

use super::error::StoreError;
use super::locked::Locked;
use super::walk::Skipped;
use super::write::Store;
use crate::history::Sha256;
use crate::{MemoryPath, Now};

/// The files of a memory, as they were recorded a moment ago.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    /// By path.
    pub files: BTreeMap<MemoryPath, Sha256>,
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
        let mut files = Vec::with_capacity(self.walk.files.len());
        let mut is_settled = true;
        for (path, stat) in &self.walk.files {
            match self.catalog.get(path) {
                Some(entry) if entry.stat.agrees(stat) => {
                    files.push((path.clone(), entry.sha256));
                    is_settled = is_settled && self.catalog.is_unchanged(path, stat);
                }
                _ => digests.unread.push(path.clone()),
            }
        }
        digests.files = files.into_iter().collect();
        if !is_settled {
            // Read because its time could not show a change; by a later catalog it can.
            self.catalog.save(&self.store.places.catalog())?;
        }
        Ok(digests)
    }
}
