//! What an adoption looks at: the target as it is, and both pasts.

use std::collections::BTreeSet;

use crate::MemoryPath;
use crate::history::{History, HistoryError, NoteId, Sha256, Version};
use crate::store::{Snapshot, StoreError, WriteTransaction};

/// The target of an adoption: read without the lock for a preview, as a draft to write to.
pub(super) trait AdoptionTarget {
    fn file_paths(&self) -> Vec<MemoryPath>;
    fn read(&mut self, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError>;
    fn note_id(&self, path: &MemoryPath) -> NoteId;
    /// Where a note stands now.
    fn path_of(&self, note: &NoteId) -> Option<MemoryPath>;
}

impl AdoptionTarget for WriteTransaction<'_> {
    fn file_paths(&self) -> Vec<MemoryPath> {
        WriteTransaction::files(self)
    }

    fn read(&mut self, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
        WriteTransaction::read(self, path)
    }

    fn note_id(&self, path: &MemoryPath) -> NoteId {
        WriteTransaction::note_id(self, path)
    }

    fn path_of(&self, note: &NoteId) -> Option<MemoryPath> {
        self.catalog().path_of(note)
    }
}

impl AdoptionTarget for Snapshot<'_> {
    fn file_paths(&self) -> Vec<MemoryPath> {
        self.walk().files.keys().cloned().collect()
    }

    fn read(&mut self, path: &MemoryPath) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(Snapshot::read(self, path)?.map(|(bytes, _)| bytes))
    }

    fn note_id(&self, path: &MemoryPath) -> NoteId {
        Snapshot::note_id(self, path)
    }

    fn path_of(&self, note: &NoteId) -> Option<MemoryPath> {
        let path = self.catalog().path_of(note)?;
        self.walk().files.contains_key(&path).then_some(path)
    }
}

/// Every content that a history knows of each note.
#[derive(Debug, Default)]
pub(super) struct PastContents(BTreeSet<(NoteId, Sha256)>);

impl PastContents {
    /// Reads a whole history, what was brought along included.
    pub(super) fn from_history(history: Option<&History>) -> Result<Self, HistoryError> {
        let entries = history.map(History::entries).transpose()?;
        let versions = entries
            .into_iter()
            .flatten()
            .flat_map(|entry| entry.change.versions);
        let known = |version: Version| Some((version.note, version.sha256?));
        Ok(Self(versions.filter_map(known).collect()))
    }

    pub(super) fn has_content(&self, note: &NoteId, content: Sha256) -> bool {
        self.0.contains(&(note.clone(), content))
    }
}
