//! The back end over anything that keeps texts under ids: a memory store of a server, say.
//!
//! A record is the text of its topic file, with the moment it came to be as `modified`. What only a
//! place can do, keep a text, replace one in one step and remember what went, is a [`TextStorage`]; filters,
//! ranking and supersession are done here, over all texts of one namespace.

mod text;
mod text_storage;

use mem_core::Now;
use mem_core::compact_sort::CompactSort as _;
use mem_core::history::NoteId;
use mem_recall::{RecallIndex, RecallQuery, rank_documents};

use crate::conflict::{self, WORDS_MIN};
use crate::error::RecordError;
use crate::importance_decay::HALF_LIFE_DAYS;
use crate::record::{NewRecord, Record, RecordId};
use crate::records::{
    Deleted, RecordFilter, Records, RetrievalAnswer, Retrieve, StoreOutcome, Superseded,
};
use crate::retrieval;

pub use text::StoredText;
pub use text_storage::{DeletedRecord, TextStorage};

/// Tries at a write that others overtake.
const TRIES_MAX: usize = 64;

/// The records that a storage keeps.
#[derive(Debug)]
pub struct TextRecords<S> {
    storage: S,
}

impl<S: TextStorage> TextRecords<S> {
    /// The records of a storage, each counting half after thirty days without use.
    pub fn new(storage: S) -> Self {
        Self { storage }
    }

    /// The storage.
    pub fn into_storage(self) -> S {
        self.storage
    }

    /// All records, with the texts that they are.
    fn all(&mut self) -> Result<Vec<(Record, StoredText)>, RecordError> {
        let used = self.storage.used()?;
        let all = self.storage.all()?.into_iter();
        Ok(all
            .map(|kept| (kept.record(used.get(&kept.id).copied()), kept))
            .collect())
    }

    /// The record that a new one supersedes.
    fn predecessor<'r>(
        new: &NewRecord,
        all: &'r [(Record, StoredText)],
    ) -> Option<(&'r Record, &'r StoredText, f32)> {
        let is_one = |(record, kept): &&(Record, StoredText)| {
            record.category == new.category() && !record.pinned && kept.says_category()
        };
        let mut near: Vec<_> = all
            .iter()
            .filter(is_one)
            .map(|one| {
                (
                    conflict::word_similarity(&one.0.content, new.content()),
                    one,
                )
            })
            .filter(|(words, _)| *words >= WORDS_MIN)
            .collect();
        near.compact_sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let near = near
            .into_iter()
            .map(|(_, one)| (one, one.0.content.clone()));
        let ((record, kept), likeness) = conflict::find_superseded(new.content(), near)?;
        Some((record, kept, likeness))
    }

    /// The same content again: what else is new about it is set.
    fn renewed(
        &mut self,
        record: &Record,
        kept: &StoredText,
        new: &NewRecord,
    ) -> Result<StoreOutcome, RecordError> {
        let text = kept.with(new)?;
        let is_new = text != kept.text;
        if is_new {
            self.storage.replace(kept, &kept.id, text)?;
        }
        Ok(StoreOutcome {
            change: is_new.then(|| record.id.to_string()),
            ..StoreOutcome::new(record.id.clone(), false, None)
        })
    }
}

/// What was decided by what others changed meanwhile is decided again, so often at most: each time somebody else
/// came through.
fn again<T>(mut once: impl FnMut() -> Result<T, RecordError>) -> Result<T, RecordError> {
    for _ in 1..TRIES_MAX {
        match once() {
            Err(RecordError::Overtaken { .. }) => {}
            done => return done,
        }
    }
    once()
}

impl<S: TextStorage> TextRecords<S> {
    fn store_once(&mut self, new: &NewRecord, now: Now) -> Result<StoreOutcome, RecordError> {
        let all = self.all()?;
        let is_same = |(record, kept): &&(Record, StoredText)| {
            record.category == new.category()
                && kept.says_category()
                && record.content == new.content()
        };
        if let Some((record, kept)) = all.iter().find(is_same) {
            return self.renewed(record, kept, new);
        }
        let id = self.new_id(new, now)?;
        let mut superseded = None;
        match Self::predecessor(new, &all) {
            Some((record, kept, likeness)) => {
                let new = new.succeeding(Some(record.importance), &record.tags);
                let text = text::of(&new, now);
                self.storage.replace(kept, &id, text)?;
                let reason = format!("superseded by {id}, which says about the same");
                self.storage.remember(&DeletedRecord {
                    id: record.id.clone(),
                    reason,
                    time: now.0,
                    superseded_by: Some(id.clone()),
                })?;
                superseded = Some(Superseded {
                    id: record.id.clone(),
                    content: record.content.clone(),
                    likeness,
                });
            }
            None => self.storage.add(&id, text::of(new, now))?,
        }
        let mut stored = StoreOutcome {
            change: Some(id.to_string()),
            ..StoreOutcome::new(id, true, superseded)
        };
        if new.expires_at().is_some_and(|end| end.is_past(now.0)) {
            let text = "`expires_at` has passed: no retrieval will bring it";
            stored.warnings.push(text.to_owned());
        }
        Ok(stored)
    }

    fn delete_once(
        &mut self,
        id: &RecordId,
        reason: &str,
        now: Now,
    ) -> Result<Deleted, RecordError> {
        let found = self.all()?.into_iter().find(|(record, _)| record.id == *id);
        // What nobody can read any more can go all the same.
        let is_closed = found.is_none() && self.storage.closed().contains(id);
        if found.is_none() && !is_closed {
            let gone = self.storage.gone(id)?;
            let successor = gone.and_then(|gone| gone.superseded_by);
            return Err(match successor {
                Some(new) => RecordError::Superseded {
                    old: id.clone(),
                    new,
                },
                None => RecordError::NotFound(id.clone()),
            });
        }
        self.storage.remember(&DeletedRecord {
            id: id.clone(),
            reason: reason.to_owned(),
            time: now.0,
            superseded_by: None,
        })?;
        match found {
            Some((_, kept)) => self.storage.remove(&kept)?,
            None => self.storage.remove_closed(id)?,
        }
        Ok(Deleted {
            id: id.clone(),
            file: None,
            change: Some(id.to_string()),
            warnings: Vec::new(),
        })
    }
}

impl<S: TextStorage> Records for TextRecords<S> {
    fn store(&mut self, new: &NewRecord, now: Now) -> Result<StoreOutcome, RecordError> {
        again(|| self.store_once(new, now))
    }

    fn retrieve(&mut self, query: &Retrieve, now: Now) -> Result<RetrievalAnswer, RecordError> {
        let all = self.all()?;
        let documents: Vec<_> = all
            .iter()
            .map(|(record, kept)| kept.document(record))
            .collect();
        let mut index = RecallIndex::new();
        index.add_documents(&documents);
        let options = retrieval::options(query, &[], now);
        let ranking = rank_documents(&index, &RecallQuery::new(query.query()), &options);
        let find = |key: &str| {
            let found = all.iter().find(|(record, _)| record.id.as_str() == key);
            found.map(|(record, _)| record.clone())
        };
        let (_, answer) = retrieval::answer(&ranking, query, now, HALF_LIFE_DAYS, find);
        let memories = answer.memories.iter();
        let used: Vec<RecordId> = memories.map(|one| one.record.id.clone()).collect();
        self.storage.renew(&used, now)?;
        Ok(answer)
    }

    fn list(&mut self, listing: &RecordFilter, now: Now) -> Result<Vec<Record>, RecordError> {
        let all = self.all()?.into_iter().map(|(record, _)| record);
        Ok(listing.select(all, now))
    }

    fn delete(&mut self, id: &RecordId, reason: &str, now: Now) -> Result<Deleted, RecordError> {
        again(|| self.delete_once(id, reason, now))
    }
}

impl<S: TextStorage> TextRecords<S> {
    /// An id that nothing here has or had.
    fn new_id(&mut self, new: &NewRecord, now: Now) -> Result<RecordId, RecordError> {
        let nanos = now.0.as_nanosecond().to_le_bytes();
        let salt = self.storage.salt()?;
        let category = new.category().as_str().as_bytes();
        let id = NoteId::derive(&[&salt, &nanos, category, new.content().as_bytes()]);
        Ok(RecordId::parse(id.as_str())?)
    }
}
