//! What a tier holds already, for telling what is new.

use std::collections::{BTreeMap, BTreeSet};

use super::ImportError;
use crate::MemoryPath;
use crate::duplicates::{Checksum, checksum};
use crate::history::{History, NoteId, Sha256};
use crate::memory::ScopeDir;
use crate::store::{StoreError, WriteTransaction};
use crate::topic::TopicFile;

/// The names, ids and contents of a store, as far as an import asks for them.
#[derive(Debug, Default)]
pub(super) struct ExistingMemories {
    /// Every path of the store in lower case: some file systems tell no cases apart.
    names: BTreeSet<String>,
    /// Every id of the store.
    ids: BTreeMap<NoteId, MemoryPath>,
    /// The notes of the tier by all their bytes.
    contents: BTreeMap<Sha256, MemoryPath>,
    /// The notes of the tier by what they said once: they were changed since, which counts.
    past: BTreeMap<Sha256, Vec<MemoryPath>>,
    /// The notes of the tier by their bodies.
    bodies: BTreeMap<Checksum, MemoryPath>,
}

impl ExistingMemories {
    /// Reads the notes of a tier.
    pub(super) fn for_transaction(
        draft: &mut WriteTransaction<'_>,
        tier: ScopeDir,
    ) -> Result<Self, ImportError> {
        let mut known = Self::default();
        for (path, entry) in draft.catalog().iter() {
            known.ids.insert(entry.note, path);
        }
        known.remember(draft.history(), tier)?;
        for (path, id) in draft.adopted() {
            known.ids.insert(id.clone(), path.clone());
        }
        for path in draft.files() {
            known.take(&path);
            if tier.note(&path).is_some() {
                // One that cannot be read is not the same as anything.
                let bytes = draft.read(&path).ok().flatten();
                known.learn(&path, &bytes.unwrap_or_default());
            }
        }
        Ok(known)
    }

    /// Reads what the notes that still stand said before.
    fn remember(&mut self, history: &History, tier: ScopeDir) -> Result<(), ImportError> {
        let entries = history.entries().map_err(StoreError::from)?;
        for version in entries.into_iter().flat_map(|entry| entry.change.versions) {
            let path = self.ids.get(&version.note);
            let path = path.filter(|path| tier.note(path).is_some());
            if let (Some(sha256), Some(path)) = (version.sha256, path) {
                self.past.entry(sha256).or_default().push(path.clone());
            }
        }
        Ok(())
    }

    /// Takes a name; false where it is taken already.
    pub(super) fn take(&mut self, path: &MemoryPath) -> bool {
        self.names.insert(path.as_str().to_lowercase())
    }

    /// Takes an id; false where another file has it.
    pub(super) fn take_id(&mut self, id: &NoteId, path: &MemoryPath) -> bool {
        let is_free = !self.ids.contains_key(id);
        if is_free {
            self.ids.insert(id.clone(), path.clone());
        }
        is_free
    }

    /// Remembers the content of a note.
    pub(super) fn learn(&mut self, path: &MemoryPath, bytes: &[u8]) {
        let body = TopicFile::parse(bytes).body(bytes);
        if !body.trim_ascii().is_empty() {
            self.bodies
                .entry(checksum(body))
                .or_insert_with(|| path.clone());
            self.contents
                .entry(Sha256::digest(bytes))
                .or_insert_with(|| path.clone());
        }
    }

    /// The file that has an id.
    pub(super) fn with_id(&self, id: &NoteId) -> Option<&MemoryPath> {
        self.ids.get(id)
    }

    /// Whether a note once had these very bytes.
    pub(super) fn once_said(&self, path: &MemoryPath, bytes: &[u8]) -> bool {
        let past = self.past.get(&Sha256::digest(bytes));
        past.is_some_and(|paths| paths.contains(path))
    }

    /// A note of the very same bytes, now or once. Empty ones are like nothing.
    pub(super) fn with_content(&self, bytes: &[u8]) -> Option<&MemoryPath> {
        if TopicFile::parse(bytes).is_empty(bytes) {
            return None;
        }
        let sha256 = Sha256::digest(bytes);
        let past = || self.past.get(&sha256)?.first();
        self.contents.get(&sha256).or_else(past)
    }

    /// A note that says the very same.
    pub(super) fn with_body(&self, body: &str) -> Option<&MemoryPath> {
        self.bodies.get(&checksum(body.as_bytes()))
    }
}
