//! A memory directory in a throw-away home, and the least that a host has to be.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use mem_core::history::{Author, AuthorKind};
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::{ChangeMetadata, OpenGate, StoreError, WriteGate};
use mem_core::{Dirs, Now, Scope};
use mem_recall::{DocumentFacts, RankWeights, RecallIndex, RecallQuery};
use mem_records::files::{FileRecords, Host, QueryIndex, note_document, note_key};
use tempfile::TempDir;

/// A home with a memory of its own for every name.
pub(crate) struct Fixture {
    home: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self { home }
    }

    /// A memory of one's own, whose tiers are all the private one.
    pub(crate) fn memory(&self, user: &str) -> ProjectMemory {
        let base = self.home.path().join(user);
        ProjectMemory::at(&base.join("memory"), &dirs(self.home.path(), &base))
    }
}

fn dirs(home: &Path, base: &Path) -> Dirs {
    Dirs {
        home: Some(home.to_owned()),
        base: base.to_owned(),
        config: home.join("config"),
        state: home.join("state"),
        cache: home.join("cache"),
        managed: home.join("managed"),
        seals: mem_core::sealing::StateKeys::default(),
    }
}

pub(crate) fn now() -> Now {
    Now("2026-03-01T12:00:00Z".parse().unwrap())
}

pub(crate) fn files(memory: &ProjectMemory) -> FileRecords<'_, Alone<'_>> {
    let host = Alone {
        memory,
        used: RefCell::default(),
    };
    FileRecords::new(memory, Scope::Private, &[Scope::Private], host)
}

/// A host that makes its index anew each time.
pub(crate) struct Alone<'a> {
    memory: &'a ProjectMemory,
    used: RefCell<HashMap<String, Timestamp>>,
}

pub(crate) struct Fresh<'a> {
    index: RecallIndex,
    notes: Vec<Note>,
    used: &'a RefCell<HashMap<String, Timestamp>>,
}

impl Host for Alone<'_> {
    type QueryIndex<'g>
        = Fresh<'g>
    where
        Self: 'g;

    fn change_metadata(&self, verb: &'static str, now: Now) -> ChangeMetadata {
        let author = Author {
            actor: AuthorKind::Agent,
            name: None,
            session: None,
            host: None,
            source: None,
        };
        ChangeMetadata::new(verb, author, now)
    }

    fn write_gate(&self) -> &dyn WriteGate {
        &OpenGate
    }

    fn redact_content(&self, content: &str) -> String {
        content.to_owned()
    }

    fn prepare_query(&self, text: &str) -> Result<(RecallQuery, Fresh<'_>), StoreError> {
        let notes = self.memory.list(&[Scope::Private]);
        let notes = notes.map(|listing| listing.notes).unwrap_or_default();
        let mut index = RecallIndex::new();
        let documents: Vec<_> = notes.iter().map(note_document).collect();
        index.add_documents(&documents);
        let used = &self.used;
        Ok((RecallQuery::new(text), Fresh { index, notes, used }))
    }

    fn cached_index(&self) -> Result<RecallIndex, StoreError> {
        self.prepare_query("x").map(|(_, ground)| ground.index)
    }

    fn used_at(&self) -> HashMap<String, Timestamp> {
        self.used.borrow().clone()
    }

    fn mark_retrieved(&self, keys: &[String], now: Now) {
        let mut used = self.used.borrow_mut();
        used.extend(keys.iter().map(|key| (key.clone(), now.0)));
    }

    fn keeps_index(&self) -> bool {
        true
    }

    fn half_life_days(&self) -> f64 {
        30.0
    }

    fn rank_weights(&self) -> RankWeights {
        RankWeights::default()
    }
}

impl QueryIndex for Fresh<'_> {
    fn index(&self) -> &RecallIndex {
        &self.index
    }

    fn read_note(&self, wanted: &str) -> Option<Note> {
        let is_it = |note: &&Note| note_key(note.scope, &note.file) == wanted;
        self.notes.iter().find(is_it).cloned()
    }

    fn used_at(&self, key: &str) -> Option<Timestamp> {
        self.used.borrow().get(key).copied()
    }

    fn document_facts(&self) -> HashMap<String, DocumentFacts> {
        HashMap::new()
    }
}
