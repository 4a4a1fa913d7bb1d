//! Storing and deleting: each one change in the history.

use std::collections::BTreeSet;

use mem_core::history::Sha256;
use mem_core::index::MemoryIndex;
use mem_core::memory::{Addition, Note, Predecessor, SaveOutcome, SaveRequest, ScopeDir};
use mem_core::notes::INDEX_FILE;
use mem_core::topic::{FrontmatterForm, NewTopic, TopicFile, file_name_for, numbered};
use mem_core::{Now, Scope, state_file};
use mem_recall::Document;

use super::document::{note_key, of_key};
use super::note::is_pinned;
use super::{FileRecords, Host, record_content};
use crate::category::Category;
use crate::conflict::{self, WORDS_MIN};
use crate::error::RecordError;
use crate::record::{NewRecord, RecordId};
use crate::records::{Deleted, StoreOutcome, Superseded};
use crate::topic::topic_of;

/// So many of the nearest notes of all tiers and categories are looked at.
const LOOKED_AT: usize = 24;
/// The index compares titles as well as texts, so what it says of words is only near to what they are.
const INDEXED_WORDS_MIN: f32 = WORDS_MIN - 0.1;
/// So many files of the same name are looked at.
const NUMBERED: usize = 3;

/// A record of the tier that is near to a new one.
struct Near {
    file: String,
    bytes: Vec<u8>,
    content: String,
}

pub(super) fn store_record<H: Host>(
    files: &FileRecords<'_, H>,
    new: &NewRecord,
    now: Now,
) -> Result<StoreOutcome, RecordError> {
    // Who stores at the same time has to be seen: what is near is found and written in one turn.
    let place = &files.memory.store(files.scope).places().state;
    let _turn = state_file::lock(&place.join("records.lock"))?;
    let near = nearest_records(files, new);
    let (mut stored, scope) = match near.iter().find(|one| one.content == new.content()) {
        Some(same) => (renew_record(files, same, new, now)?, files.scope),
        None => (add_record(files, &near, new, now)?, files.scope),
    };
    stored.file = stored.file.map(|file| scope.label(&file));
    if new.expires_at().is_some_and(|end| end.is_past(now.0)) {
        let text = "`expires_at` has passed: no retrieval will bring it";
        stored.warnings.push(text.to_owned());
    }
    Ok(stored)
}

pub(super) fn delete_record<H: Host>(
    files: &FileRecords<'_, H>,
    id: &RecordId,
    reason: &str,
    now: Now,
) -> Result<Deleted, RecordError> {
    let note = files.find_note(id)?;
    let order = files.host.change_metadata("remove", now);
    let order = order.because(Some(reason.to_owned()));
    let removed = files
        .memory
        .remove(&note, &order, files.host.write_gate())?;
    Ok(Deleted {
        id: id.clone(),
        file: Some(note.label()),
        change: removed.change.map(|change| change.id.to_string()),
        warnings: removed.warnings,
    })
}

/// The records of the tier and the category that are nearest by their words. That they cannot be told
/// keeps nobody from storing.
fn nearest_records<H: Host>(files: &FileRecords<'_, H>, new: &NewRecord) -> Vec<Near> {
    let Ok(index) = files.host.cached_index() else {
        return Vec::new();
    };
    let topic = topic_of(new, &files.host.redact_content(new.content()));
    let own = Document {
        name: topic.name,
        description: topic.description,
        body: topic.body,
        ..Document::default()
    };
    let near = index.similar_to(&own, LOOKED_AT).into_iter();
    let near = near.filter(|one| one.likeness.statics >= INDEXED_WORDS_MIN);
    let named = named_alike(&own.name, new).into_iter();
    let mut seen = BTreeSet::new();
    let keys = near.map(|one| one.key);
    let keys = keys.chain(named.map(|file| note_key(files.scope, &file)));
    keys.filter(|key| seen.insert(key.clone()))
        .filter_map(|key| near_at(files, &key, new))
        .collect()
}

/// The files that the same content gets: the index sees no likeness in scripts without spaces.
fn named_alike(name: &str, new: &NewRecord) -> Vec<String> {
    let kind = new.category().memory_type();
    let first = [FrontmatterForm::Flat, FrontmatterForm::Nested]
        .map(|form| file_name_for(kind, name, form).ok());
    let mut files = Vec::new();
    for path in first.into_iter().flatten() {
        let more = (2..=NUMBERED).filter_map(|number| numbered(&path, number).ok());
        let more: Vec<String> = more.map(|path| path.to_string()).collect();
        files.push(path.to_string());
        files.extend(more);
    }
    files
}

/// The record at a key of the index, if it is one of the tier and the category.
fn near_at<H: Host>(files: &FileRecords<'_, H>, key: &str, new: &NewRecord) -> Option<Near> {
    let (scope, file) = of_key(key)?;
    let path = ScopeDir(scope)
        .path(file)
        .ok()
        .filter(|_| scope == files.scope)?;
    let bytes = files.memory.store(scope).read(&path).ok()??;
    let topic = TopicFile::parse(&bytes);
    let is_one = Category::stated_category(&topic) == Some(new.category());
    is_one.then(|| Near {
        file: file.to_owned(),
        content: record_content(&topic, &bytes),
        bytes,
    })
}

/// The files that the index of the tier pins.
fn pinned_files<H: Host>(files: &FileRecords<'_, H>) -> Result<BTreeSet<String>, RecordError> {
    let Ok(path) = ScopeDir(files.scope).path(INDEX_FILE) else {
        return Ok(BTreeSet::new());
    };
    let index = files.memory.store(files.scope).read(&path)?;
    Ok(MemoryIndex::parse(&index.unwrap_or_default()).pinned())
}

/// A new record, and what it supersedes goes.
fn add_record<H: Host>(
    files: &FileRecords<'_, H>,
    near: &[Near],
    new: &NewRecord,
    now: Now,
) -> Result<StoreOutcome, RecordError> {
    let pinned = match near.is_empty() {
        true => BTreeSet::new(),
        false => pinned_files(files)?,
    };
    let may_go = near.iter().filter(|one| {
        !is_pinned(&TopicFile::parse(&one.bytes), &one.file) && !pinned.contains(&one.file)
    });
    let old = may_go.map(|one| (one, one.content.clone()));
    let superseded = conflict::find_superseded(new.content(), old);
    let predecessor = superseded.and_then(|(near, likeness)| {
        let note = note_of(files, &near.file)?;
        let sha256 = Sha256::digest(&near.bytes);
        (Sha256::digest(&note.bytes) == sha256).then_some((note, sha256, near, likeness))
    });
    let mut order = files.host.change_metadata("store", now);
    if let Some((note, _, _, likeness)) = &predecessor {
        let reason = format!(
            "supersedes {}, which said about the same (likeness {likeness:.2})",
            note.id
        );
        order = order.because(Some(reason));
    }
    let new = match &predecessor {
        Some((.., near, _)) => {
            let old = TopicFile::parse(&near.bytes);
            new.succeeding(old.importance, &old.tags)
        }
        None => new.clone(),
    };
    let addition = Addition {
        topic: topic_of(&new, &files.host.redact_content(new.content())),
        scope: files.scope,
        with_index: files.host.keeps_index(),
        supersedes: predecessor.as_ref().map(|(note, sha256, ..)| Predecessor {
            id: note.id.clone(),
            sha256: *sha256,
        }),
    };
    let added = files
        .memory
        .add(&addition, &order, files.host.write_gate())?;
    let gone = predecessor.filter(|_| added.superseded.is_some());
    let superseded = gone.and_then(|(note, _, near, likeness)| {
        Some(Superseded {
            id: RecordId::parse(note.id.as_str()).ok()?,
            content: near.content.clone(),
            likeness,
        })
    });
    store_outcome(added.saved, superseded)
}

/// The same content again: what else is new about it is set, and its id stays.
fn renew_record<H: Host>(
    files: &FileRecords<'_, H>,
    same: &Near,
    new: &NewRecord,
    now: Now,
) -> Result<StoreOutcome, RecordError> {
    let old = TopicFile::parse(&same.bytes);
    let fresh = topic_of(new, &files.host.redact_content(new.content()));
    let request = SaveRequest {
        topic: NewTopic {
            // Somebody may have given it a better name.
            name: old.name.clone().unwrap_or(fresh.name),
            description: old.description.clone().unwrap_or(fresh.description),
            body: String::new(),
            importance: Some(new.renewed_importance(old.importance)),
            ..fresh
        },
        scope: files.scope,
        file: Some(same.file.clone()),
        update: true,
        with_index: files.host.keeps_index(),
    };
    let order = files.host.change_metadata("store", now);
    let saved = files
        .memory
        .save(&request, &order, files.host.write_gate())?;
    store_outcome(saved, None)
}

fn store_outcome(
    saved: SaveOutcome,
    superseded: Option<Superseded>,
) -> Result<StoreOutcome, RecordError> {
    Ok(StoreOutcome {
        id: RecordId::parse(saved.id.as_str())?,
        created: saved.created,
        superseded,
        file: Some(saved.file),
        change: saved.change.map(|change| change.id.to_string()),
        warnings: saved.warnings,
    })
}

fn note_of<H: Host>(files: &FileRecords<'_, H>, file: &str) -> Option<Note> {
    let scope: Scope = files.scope;
    let snapshot = files.memory.store(scope).snapshot().ok()?;
    let path = ScopeDir(scope).path(file).ok()?;
    Note::read(&snapshot, scope, &path).ok()?
}
