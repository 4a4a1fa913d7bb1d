//! Every file with the digest of its bytes: for what compares a memory with another place.

use std::collections::HashMap;

use super::catalog::MergedPath;
use super::error::StoreError;
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use super::walk::Skipped;
use crate::compact_sort::CompactSort as _;
use crate::history::Sha256;
use crate::{MemoryPath, Now};

/// The files of a memory, as they were recorded a moment ago.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    /// In the order of their paths. Those in a folder that cannot be read are as they were recorded.
    pub files: Vec<(MemoryPath, Sha256)>,
    /// Files that cannot be read, or are too large for a memory.
    pub unread: Vec<MemoryPath>,
    /// What is no file of a memory or cannot be read, and why.
    pub skipped: Vec<Skipped>,
}

impl LocalStore {
    /// Records what others changed, and returns the digest of every file. One that did not change since
    /// it was last read is not opened, this time or the next.
    ///
    /// # Errors
    /// Whatever the system has against it.
    pub fn digests(&self, now: Now) -> Result<Digests, StoreError> {
        match self.is_nowhere() {
            true => Ok(Digests::default()),
            false => LockedStore::begin(self, now)?.into_digests(),
        }
    }
}

impl LockedStore<'_> {
    fn into_digests(mut self) -> Result<Digests, StoreError> {
        let files = std::mem::take(&mut self.walk.files);
        let (mut known, mut unseen) = (Vec::new(), Vec::new());
        for one in self.catalog.merge_with_files(&files) {
            match one {
                MergedPath::File {
                    sha256,
                    is_unchanged,
                    ..
                } => known.push((sha256, is_unchanged)),
                // A sync would delete a file that is missing here elsewhere, too.
                MergedPath::Gone(name, line) if self.walk.is_unseen(name) => {
                    let path = MemoryPath::parse(name).ok();
                    unseen.extend(path.zip(line.value().map(|entry| entry.sha256)));
                }
                MergedPath::Gone(..) => {}
            }
        }
        let mut digests = Digests {
            skipped: std::mem::take(&mut self.walk.skipped),
            ..Digests::default()
        };
        // A file may have changed once more between the walk and its being read.
        let versions = self
            .external_change
            .iter()
            .flat_map(|change| &change.versions);
        let new: HashMap<_, _> = versions
            .filter_map(|version| Some((&version.path, version.sha256?)))
            .collect();
        let mut is_settled = true;
        for ((path, _), (sha256, is_unchanged)) in files.into_iter().zip(known) {
            match new.get(&path).copied().or(sha256) {
                Some(sha256) => {
                    is_settled &= is_unchanged;
                    digests.files.push((path, sha256));
                }
                None => digests.unread.push(path),
            }
        }
        if !unseen.is_empty() {
            digests.files.append(&mut unseen);
            digests.files.compact_sort_by(|a, b| a.0.cmp(&b.0));
        }
        // A file was read because its time could not show a change; by a later catalog it can. A catalog of an earlier
        // format is read slowly.
        if !is_settled || self.catalog.is_to_be_replaced() {
            self.catalog.save(&self.store.places.catalog())?;
        }
        Ok(digests)
    }
}
