//! The back end over a memory directory: a record *is* a topic file.
//!
//! Name and description are made from the content ([`crate::title`]), the type from the category; the
//! category, tags, importance and end are fields of the frontmatter, where any other key stays as it
//! is. So recall, drift, history, sync and the scanner serve records without a second store, and a
//! note that somebody wrote by hand is a record as well: of the category that it says, or that its
//! type suggests.
//!
//! Records are written to one tier and retrieved from all that a [`Host`] shows. Only what says a
//! category of the six is superseded, only in its tier, and nothing that is pinned.

mod document;
mod host;
mod note;
mod write;

use std::collections::BTreeSet;

use mem_core::history::NoteId;
use mem_core::memory::{Note, ProjectMemory, ScopeDir};
use mem_core::store::{LocalStore, StoreError};
use mem_core::{Now, Scope};
use mem_recall::{RankOptions, rank_documents};

use crate::error::RecordError;
use crate::record::{NewRecord, Record, RecordId};
use crate::records::{Deleted, RecordFilter, Records, RetrievalAnswer, Retrieve, StoreOutcome};
use crate::retrieval;

pub use document::{note_document, note_key, of_key};
pub use host::{Host, QueryIndex};
pub use note::{record_content, record_from_note};

/// The records of a memory directory.
#[derive(Debug)]
pub struct FileRecords<'a, H> {
    memory: &'a ProjectMemory,
    /// Where new records go.
    scope: Scope,
    /// What may be seen.
    scopes: Vec<Scope>,
    host: H,
}

impl<'a, H: Host> FileRecords<'a, H> {
    /// The records of some tiers; new ones go to `scope`.
    pub fn new(memory: &'a ProjectMemory, scope: Scope, scopes: &[Scope], host: H) -> Self {
        Self {
            memory,
            scope,
            scopes: scopes.to_vec(),
            host,
        }
    }

    /// The note that a record is, by its id.
    ///
    /// # Errors
    /// There is none in what may be seen.
    pub fn find_note(&self, id: &RecordId) -> Result<Note, RecordError> {
        for (store, scopes) in self.visible_stores() {
            let snapshot = store.snapshot()?;
            for path in snapshot.walk().files.keys() {
                let scope = store.tiers().scope_of(path);
                let known = snapshot.catalog().get(path);
                let is_other = known.is_some_and(|entry| entry.note.as_str() != id.as_str());
                if is_other || !scopes.contains(&scope) || ScopeDir(scope).note(path).is_none() {
                    continue;
                }
                let note = Note::read(&snapshot, scope, path)?;
                if let Some(note) = note.filter(|note| note.id.as_str() == id.as_str()) {
                    return Ok(note);
                }
            }
        }
        Err(self.missing_record_error(id)?)
    }

    /// Why there is no record of an id: nobody knows it, or another one says it now.
    fn missing_record_error(&self, id: &RecordId) -> Result<RecordError, RecordError> {
        let old = id.clone();
        let note = NoteId::from_stored(id.as_str());
        for (store, _) in self.visible_stores() {
            let Some(history) = store.open_history()? else {
                continue;
            };
            let versions = history.of_note(&note).map_err(StoreError::from)?;
            let successor = versions
                .first()
                .and_then(|(_, last)| last.superseded_by.clone());
            if let Some(successor) = successor {
                let new = RecordId::parse(successor.as_str())?;
                return Ok(RecordError::Superseded { old, new });
            }
        }
        Ok(RecordError::NotFound(old))
    }

    /// The stores that hold what may be seen, each once.
    fn visible_stores(&self) -> Vec<(&LocalStore, Vec<Scope>)> {
        let mut stores: Vec<(&LocalStore, Vec<Scope>)> = Vec::new();
        let mut roots = BTreeSet::new();
        for store in self.memory.stores() {
            let holds =
                |scope: &&Scope| self.memory.store(**scope).places().root == store.places().root;
            let scopes: Vec<Scope> = self.scopes.iter().filter(holds).copied().collect();
            if !scopes.is_empty() && roots.insert(store.places().root.clone()) {
                stores.push((store, scopes));
            }
        }
        stores
    }

    fn note_record(&self, note: &Note, ground: &H::QueryIndex<'_>) -> Option<Record> {
        let used = ground.used_at(&note_key(note.scope, &note.file));
        record_from_note(note, used)
    }
}

impl<H: Host> Records for FileRecords<'_, H> {
    fn store(&mut self, new: &NewRecord, now: Now) -> Result<StoreOutcome, RecordError> {
        write::store_record(self, new, now)
    }

    fn retrieve(&mut self, query: &Retrieve, now: Now) -> Result<RetrievalAnswer, RecordError> {
        let (asked, ground) = self.host.prepare_query(query.query())?;
        let options = RankOptions {
            weights: self.host.rank_weights(),
            beside: ground.document_facts(),
            ..retrieval::options(query, &self.scopes, now)
        };
        let ranking = rank_documents(ground.index(), &asked, &options);
        let find = |key: &str| self.note_record(&ground.read_note(key)?, &ground);
        let half_life_days = self.host.half_life_days();
        let (keys, answer) = retrieval::answer(&ranking, query, now, half_life_days, find);
        self.host.mark_retrieved(&keys, now);
        Ok(answer)
    }

    fn list(&mut self, listing: &RecordFilter, now: Now) -> Result<Vec<Record>, RecordError> {
        let notes = self.memory.list(&self.scopes)?.notes;
        let used = self.host.used_at();
        let records = notes.iter().filter_map(|note| {
            let used = used.get(&note_key(note.scope, &note.file)).copied();
            record_from_note(note, used)
        });
        Ok(listing.select(records, now))
    }

    fn delete(&mut self, id: &RecordId, reason: &str, now: Now) -> Result<Deleted, RecordError> {
        write::delete_record(self, id, reason, now)
    }
}
