//! What a PUT does to a store: a function over the part of the store that it can touch. The database
//! reads that part before, and writes what changed after, within one transaction.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_sync::Key;
use mem_sync::key::KeySet;
use mem_sync::limits::{ENTRIES_MAX, ENTRY_BYTES_MAX};
use mem_sync::wire::{Code, PutAnswer, PutBody, Rejection};

use super::flush::Row;
use super::{Actor, StorageError, id, load};

/// A path that has something, or had it last.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) id: String,
    pub(super) live: bool,
    pub(super) version_id: String,
    pub(super) sequence: u64,
    /// Of what is there, or of what was deleted.
    pub(super) sha256: Sha256,
    pub(super) size: usize,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// A version that a change makes.
#[derive(Debug)]
pub(super) struct NewVersion {
    /// The store's number after everything that was done at once with this.
    pub(super) change: u64,
    pub(super) path: String,
    pub(super) operation: &'static str,
    pub(super) content: Option<String>,
    pub(super) actor: Actor,
    /// Why something was deleted, where somebody said so.
    pub(super) reason: Option<String>,
    /// What the path is with it.
    pub(super) memory: Memory,
}

/// The part of one store that some changes can touch.
#[derive(Debug)]
pub(super) struct Shelf {
    sequence: u64,
    live: u64,
    memories: BTreeMap<Key, Memory>,
    keys: KeySet,
    versions: Vec<NewVersion>,
    touched: BTreeSet<Key>,
}

/// Who changes something, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct By<'a> {
    pub(super) actor: &'a Actor,
    pub(super) now: Timestamp,
}

/// Why a key was not changed, if it was not.
type Change = Result<(), Rejection>;

impl Shelf {
    /// A store with its counters, and the memories that may matter.
    pub(super) fn new(
        sequence: u64,
        live: u64,
        memories: impl IntoIterator<Item = (Key, Memory)>,
    ) -> Self {
        let memories: BTreeMap<Key, Memory> = memories.into_iter().collect();
        let mut keys = KeySet::default();
        for (key, memory) in &memories {
            if memory.live {
                // What is stored together passed this very check.
                let _ = keys.insert(key);
            }
        }
        Self {
            sequence,
            live,
            memories,
            keys,
            versions: Vec::new(),
            touched: BTreeSet::new(),
        }
    }

    /// The number of the newest change.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// How many entries there are.
    pub(super) fn live(&self) -> u64 {
        self.live
    }

    /// What is to be stored, in the order of its numbers.
    pub(super) fn versions(&self) -> &[NewVersion] {
        &self.versions
    }

    /// What is at the paths that changed.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let touched = self.touched.iter();
        let row = |key: &Key| {
            let memory = self.memories.get(key)?;
            Some(Row {
                path: load::path(key),
                folded: load::folded(key),
                memory,
            })
        };
        touched.filter_map(row).collect()
    }

    /// Carries out a PUT.
    pub(super) fn put(&mut self, mut body: PutBody, by: By<'_>) -> Result<PutAnswer, StorageError> {
        let mut answer = PutAnswer::default();
        let earlier = self.versions.len();
        for key in body.delete {
            match self.delete(&key, by)? {
                Ok(()) => {
                    let reason = body.reasons.remove(&key);
                    if let Some(version) = self.versions.last_mut() {
                        version.reason = reason;
                    }
                }
                Err(why) => drop(answer.rejected.insert(key.into(), why)),
            }
        }
        for (key, text) in body.entries {
            let sha256 = Sha256::of(text.as_bytes());
            let is_deleted = !body.revive.contains(&key) && self.is_what_was_deleted(&key, sha256);
            let written = match is_deleted {
                true => no(Code::Deleted, "this very content was deleted"),
                false => self.write(&key, text, sha256, by)?,
            };
            match written {
                Ok(()) => drop(answer.written.insert(key, sha256)),
                Err(why) => drop(answer.rejected.insert(key.into(), why)),
            }
        }
        for version in self.versions.iter_mut().skip(earlier) {
            version.change = self.sequence;
        }
        answer.version = self.sequence;
        Ok(answer)
    }

    /// An old client sends it: whoever has seen the tombstone and means it says so.
    fn is_what_was_deleted(&self, key: &Key, sha256: Sha256) -> bool {
        let known = self.memories.get(key);
        known.is_some_and(|gone| !gone.live && gone.sha256 == sha256)
    }

    fn write(
        &mut self,
        key: &Key,
        text: String,
        sha256: Sha256,
        by: By<'_>,
    ) -> Result<Change, StorageError> {
        let known = self.memories.get(key);
        let live = known.filter(|memory| memory.live);
        if live.is_some_and(|memory| memory.sha256 == sha256) {
            return Ok(Ok(()));
        }
        if text.len() > ENTRY_BYTES_MAX {
            let why = "its content is larger than 102,400 bytes";
            return Ok(no(Code::TooLarge, why));
        }
        if live.is_none() && self.live >= ENTRIES_MAX as u64 {
            let why = "the store holds 10,000 entries already";
            return Ok(no(Code::StoreFull, why));
        }
        let (old_id, created_at) = live.map_or((None, by.now), |memory| {
            (Some(memory.id.clone()), memory.created_at)
        });
        if let Err(clash) = self.keys.insert(key) {
            return Ok(no(Code::of(&clash), &clash.to_string()));
        }
        let operation = match &old_id {
            Some(_) => "modified",
            None => "created",
        };
        self.live += u64::from(old_id.is_none());
        let memory = Memory {
            id: old_id.map_or_else(id::memory, Ok)?,
            live: true,
            version_id: id::version()?,
            sequence: self.sequence + 1,
            sha256,
            size: text.len(),
            created_at,
            updated_at: by.now,
        };
        self.record(key, memory, operation, Some(text), by);
        Ok(Ok(()))
    }

    fn delete(&mut self, key: &Key, by: By<'_>) -> Result<Change, StorageError> {
        let live = self.memories.get(key).filter(|memory| memory.live);
        let Some(live) = live else {
            return Ok(no(Code::NotFound, "there is no such entry"));
        };
        let memory = Memory {
            live: false,
            version_id: id::version()?,
            sequence: self.sequence + 1,
            updated_at: by.now,
            ..live.clone()
        };
        self.keys.remove(key);
        self.live = self.live.saturating_sub(1);
        self.record(key, memory, "deleted", None, by);
        Ok(Ok(()))
    }

    fn record(
        &mut self,
        key: &Key,
        memory: Memory,
        operation: &'static str,
        content: Option<String>,
        by: By<'_>,
    ) {
        self.sequence = memory.sequence;
        self.memories.insert(key.clone(), memory.clone());
        self.touched.insert(key.clone());
        self.versions.push(NewVersion {
            change: self.sequence,
            path: load::path(key),
            operation,
            content,
            actor: by.actor.clone(),
            reason: None,
            memory,
        });
    }
}

fn no(code: Code, message: &str) -> Change {
    let message = message.to_owned();
    Err(Rejection { code, message })
}
