//! Answers of an earlier run, which hold while the repository stays as it was.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::limits::CACHE_BYTES_MAX;
use crate::note::Note;

/// Raised whenever answers are found in another way.
const VERSION: u32 = 1;

/// What is stored: JSON.
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    version: u32,
    stamp: String,
    notes: BTreeMap<String, Vec<Finding>>,
}

/// The answers by note.
pub(crate) struct Cache {
    stored: Stored,
    is_changed: bool,
}

impl Cache {
    /// Reads a cache; one that is damaged, of another version or of another state is empty.
    pub(crate) fn read(bytes: Option<&[u8]>, stamp: u64) -> Self {
        let stamp = format!("{stamp:016x}");
        let read = bytes
            .filter(|bytes| bytes.len() <= CACHE_BYTES_MAX)
            .and_then(|bytes| serde_json::from_slice::<Stored>(bytes).ok())
            .filter(|stored| stored.version == VERSION && stored.stamp == stamp);
        Self {
            is_changed: read.is_none(),
            stored: read.unwrap_or(Stored {
                version: VERSION,
                stamp,
                notes: BTreeMap::new(),
            }),
        }
    }

    /// What a note's answers depend on, the repository aside.
    pub(crate) fn key(note: &Note, remotes: &[String]) -> String {
        let mut hasher = DefaultHasher::new();
        note.text.hash(&mut hasher);
        note.written
            .map(jiff::Timestamp::as_nanosecond)
            .hash(&mut hasher);
        note.blobs.hash(&mut hasher);
        remotes.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    pub(crate) fn holds(&self, key: &str) -> bool {
        self.stored.notes.contains_key(key)
    }

    pub(crate) fn get(&self, key: &str) -> Vec<Finding> {
        self.stored.notes.get(key).cloned().unwrap_or_default()
    }

    pub(crate) fn put(&mut self, key: &str, findings: Vec<Finding>) {
        self.is_changed = true;
        self.stored.notes.insert(key.to_owned(), findings);
    }

    /// The bytes to store, if they differ from those that were read.
    pub(crate) fn into_bytes(self) -> Option<Vec<u8>> {
        let bytes = self
            .is_changed
            .then(|| serde_json::to_vec(&self.stored).ok())
            .flatten()?;
        (bytes.len() <= CACHE_BYTES_MAX).then_some(bytes)
    }
}
