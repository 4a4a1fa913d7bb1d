//! A change that is put into place: a file of the state stands for it as long as that lasts.
//!
//! Readers take no lock. One that comes while a change is carried out may see some of its files old and some new, which
//! is over within a moment; after a kill it would last until the next write. So who finds the file and nobody at work
//! finishes the change first, as a writer would. Without a kill all that costs a reader is a look for one file.
//!
//! ```text
//!  writer   lock  begin  pending  exchange a  exchange b  mark  end  unlock
//!  writing        |=========================================|
//!  reader             (1) file and lock: reads on; the writer ends it at once
//!                     (2) file, no lock: the writer was killed; finishes, then reads
//! ```
//!
//! A shared lock for readers would be simpler, and would let any slow reader hold up every save.
//! **Invariant:** while a change is pending the file is there, so it is created before the record and removed after the
//! mark. The converse need not hold: a file without a pending change costs one needless recovery.
//!
//! Test: `store::crash::who_reads_sees_all_of_a_change_that_was_interrupted`.

use crate::regular_file;

use super::error::StoreError;
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use super::memory_paths::MemoryPaths;

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
    pub fn is_applying(&self) -> bool {
        self.places.writing().exists()
    }

    /// Finishes a change that a kill interrupted, if nobody is writing. Whoever reads goes on in any case: what cannot
    /// be finished now, the next writer says, and so what is damaged.
    pub(super) fn finish_applying(&self) {
        let is_left = || self.is_applying() && !self.lock_state().0;
        // The history is opened first, because a damaged one is no reader's to set aside. The lock is tried and not
        // waited for: whoever holds it recovers before anything else.
        if is_left() && self.open_history().is_ok() {
            let _ = LockedStore::begin_if_free(self);
        }
    }
}
