//! A change that is put into place: a file of the state stands for it as long as that lasts.
//!
//! Readers take no lock. One that comes while a change is carried out may see some of its files old and some new, which
//! is over within a moment; after a kill it would last until the next write. So who finds the file and nobody at work
//! finishes the change first, as a writer would. Without a kill all that costs a reader is a look for one file.

use crate::regular_file;

use super::error::StoreError;
use super::locked::LockedStore;
use super::places::MemoryPaths;
use super::write::LocalStore;

/// To be called before the change is in the history.
pub(super) fn begin(places: &MemoryPaths) -> Result<(), StoreError> {
    let path = places.writing();
    regular_file::create(&path)
        .map(drop)
        .map_err(StoreError::io("write", &path))
}

/// All of it is there, or none. Where the file stays, the next who comes by finds nothing to finish.
pub(super) fn end(places: &MemoryPaths) {
    let _ = std::fs::remove_file(places.writing());
}

impl LocalStore {
    /// Whether a change is being put into place, or was when whoever made it was killed.
    pub fn is_halfway(&self) -> bool {
        self.places.writing().exists()
    }

    /// Finishes a change that a kill interrupted, if nobody is writing. Whoever reads goes on in any case: what cannot
    /// be finished now, the next writer says, and so what is damaged.
    pub(super) fn finish_halfway(&self) {
        let is_left = || self.is_halfway() && !self.lock_state().0;
        if is_left() && self.open_history().is_ok() {
            let _ = LockedStore::begin_if_free(self);
        }
    }
}
