//! Answers of an earlier run, which hold while the repository stays as it was.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use git2::Oid;
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
    /// The commit that was checked out, or nothing.
    head: String,
    notes: BTreeMap<String, Vec<Finding>>,
}

/// The answers by note.
pub(crate) struct Cache {
    stored: Stored,
    is_changed: bool,
}

impl Cache {
    /// Reads a cache; one that is damaged, of another version or of another state is empty.
    pub(crate) fn read(bytes: Option<&[u8]>, stamp: u64, head: Option<Oid>) -> Self {
        let stamp = format!("{stamp:016x}");
        let read = stored(bytes).filter(|stored| stored.stamp == stamp);
        Self {
            is_changed: read.is_none(),
            stored: read.unwrap_or(Stored {
                version: VERSION,
                stamp,
                head: named(head),
                notes: BTreeMap::new(),
            }),
        }
    }

    /// Reads a cache whatever has changed since, other than the commit that is checked out.
    pub(crate) fn read_of_head(bytes: &[u8], head: Option<Oid>) -> Option<Self> {
        let stored = stored(Some(bytes)).filter(|stored| stored.head == named(head))?;
        Some(Self {
            stored,
            is_changed: false,
        })
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

    /// The answers for a note, none if it was not checked.
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

fn stored(bytes: Option<&[u8]>) -> Option<Stored> {
    let bytes = bytes.filter(|bytes| bytes.len() <= CACHE_BYTES_MAX)?;
    let stored: Stored = serde_json::from_slice(bytes).ok()?;
    (stored.version == VERSION).then_some(stored)
}

fn named(head: Option<Oid>) -> String {
    head.map(|id| id.to_string()).unwrap_or_default()
}
