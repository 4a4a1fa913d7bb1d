//! The local tier as the client sees it.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;

use mem_core::history::Sha256;
use mem_core::state_file::StateError;
use mem_core::store::StoreError;

use crate::decide::KnownKey;
use crate::key::EntryKey;

/// The files of one tier. The binary implements it over a store, so that a batch is one change of the
/// history; tests implement it over a map.
pub trait SyncFiles {
    /// Every file by the name it would have as a key (in NFC), with the checksum of its bytes. Names may
    /// be ones that are no keys. Asking twice reads no file twice that did not change.
    ///
    /// # Errors
    /// The tier cannot be read.
    fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError>;

    /// A file's bytes; `None` if there is none.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&mut self, key: &EntryKey) -> Result<Option<Vec<u8>>, FilesError>;

    /// A text that stood here earlier, by its checksum; `None` if that is not known any more. What two
    /// changed texts come from is looked up here.
    fn earlier(&mut self, key: &EntryKey, sha256: Sha256) -> Option<Vec<u8>>;

    /// What both ends have in common once the remote, put back to an older state, has this content where `base` was
    /// agreed: it, where what stands here came of it; `None` where nobody knows, so that a copy of what gives way is kept.
    fn base_after_rollback(
        &mut self,
        key: &EntryKey,
        _base: Option<KnownKey>,
        now: Sha256,
    ) -> Option<KnownKey> {
        self.earlier(key, now).map(|_| KnownKey::At(now))
    }

    /// Whether this content already waits here for a person, or was rejected by one: then it is neither
    /// fetched nor applied again.
    fn awaits(&mut self, _: &EntryKey, _: Sha256) -> bool {
        false
    }

    /// Whether a file that was deleted for everybody stands here again because somebody here who had seen
    /// that took it back: then it goes to everybody again. A file that merely turned up does not.
    fn is_restored(&mut self, _: &EntryKey) -> bool {
        false
    }

    /// Whether a file that is missing here was removed through this program, so that it is to be deleted at the
    /// remote too. A file that another program took away is not.
    fn is_removed(&mut self, _: &EntryKey) -> bool {
        false
    }

    /// Whether the remote refuses to delete what was removed here: the file stays away all the same.
    fn is_undeletable(&mut self, _: &EntryKey) -> bool {
        false
    }

    /// Makes the changes, as one batch that survives a crash. A file that is not what its change expects
    /// is left as it is.
    ///
    /// Returns the keys that were changed.
    ///
    /// # Errors
    /// Nothing is known to have been changed.
    fn apply(&mut self, changes: &[BatchFile]) -> Result<BTreeSet<EntryKey>, FilesError>;
}

/// One file of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchFile {
    /// Which file.
    pub key: EntryKey,
    /// What it has to be for the change to be made; `None`: it must not be there.
    pub expected: Option<Sha256>,
    /// What it is to be; `None`: it goes. Whoever writes it takes no copy of thousands of files.
    pub new: Option<Arc<Vec<u8>>>,
    /// The remote's text that it brings, or that is merged into it; `None` for a removal.
    pub remote: Option<Sha256>,
    /// Who wrote or deleted it at the remote.
    pub actor: String,
    /// When, RFC 3339, as the remote says.
    pub updated_at: String,
}

/// The tier could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct FilesError(#[source] pub Box<dyn Error + Send + Sync>);

impl From<StoreError> for FilesError {
    fn from(error: StoreError) -> Self {
        Self(Box::new(error))
    }
}

impl From<StateError> for FilesError {
    fn from(error: StateError) -> Self {
        Self(Box::new(error))
    }
}
