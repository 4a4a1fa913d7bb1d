//! Notes that are alike, and those that say the same: two that would have to be kept in step.

use std::collections::BTreeSet;

use mem_core::memory::{Note, ProjectMemory, ScopeDir};
use mem_core::store::StoreError;
use mem_core::topic::{Eol, FrontmatterForm, NewTopic, render};
use mem_core::{MemoryPath, Scope};
use mem_recall::text::spaced_share;
use mem_recall::{Document, RecallIndex, SAME_MIN, SAME_WORDS_MIN, Similar, term_overlap};
use mem_secrets::Scanner;

use crate::candidates::read_note;
use crate::current_index::{CurrentIndex, Storing, refreshed_index, stored_index};
use crate::documents::{self, SourceDocument};

/// The more two notes are written without spaces, the less the vectors see of them; from this share
/// of other letters on they are believed.
const SPACED_SHARE_MIN: f32 = 0.7;
/// Terms that notes without spaces share when they say the same.
const OVERLAP_MIN: f32 = 0.5;
/// From here on two notes are compared word by word, whether or not vectors take them for the same.
const WORDS_NEAR_MIN: f32 = 0.6;
/// So many of the nearest are looked at.
const NEAREST: usize = 5;
/// So many of them are asked whether they say the contrary: of few words, of which one is another, vectors see little.
const ASKED: usize = 16;
/// All pairs of more notes than this are not compared: it would take the square of their number.
pub const PAIRED_NOTES_MAX: usize = 8_000;

/// A note that is like another.
#[derive(Debug)]
pub struct SimilarNote {
    /// The note.
    pub note: Note,
    /// How alike, from 0 to 1.
    pub score: f32,
    /// Whether both say the same.
    pub is_same: bool,
}

/// The notes that are most like one, best first.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn similar_notes(
    memory: &ProjectMemory,
    note: &Note,
    limit: usize,
    storing: Storing,
) -> Result<Vec<SimilarNote>, StoreError> {
    let kept = refreshed_index(memory, storing)?;
    let key = documents::document_key(note.scope, &note.file);
    let own = document_of(note);
    Ok(similar_documents(
        kept.index.similar_documents(&key, limit),
        &own,
        &kept,
    ))
}

/// The notes that say what a new one will say, best first, as far as a glance at the index tells:
/// somebody waits for a save.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn same_as_new(
    memory: &ProjectMemory,
    scope: Scope,
    topic: &NewTopic,
) -> Result<Vec<SimilarNote>, StoreError> {
    let near = near_new(memory, scope, topic)?.into_iter();
    Ok(near.filter(|one| one.is_same).collect())
}

/// The notes that a new one is near, best first, with those whose words are its own and say otherwise.
///
/// # Errors
/// A memory directory cannot be listed.
pub(crate) fn near_new(
    memory: &ProjectMemory,
    scope: Scope,
    topic: &NewTopic,
) -> Result<Vec<SimilarNote>, StoreError> {
    near_or_against(memory, scope, topic, None)
}

/// The same, with those further off that say the contrary.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn near_or_against(
    memory: &ProjectMemory,
    scope: Scope,
    topic: &NewTopic,
    is_against: Option<&dyn Fn(&Note) -> bool>,
) -> Result<Vec<SimilarNote>, StoreError> {
    let bytes = render(topic, FrontmatterForm::Flat, Eol::Lf);
    let Ok(path) = MemoryPath::parse("new.md") else {
        return Ok(Vec::new());
    };
    let own = note_document(scope, "", &path, &bytes);
    let asked = is_against.map_or(NEAREST, |_| ASKED);
    let found = stored_index(memory)?.similar_to(&own, asked);
    let is_unseen = document_spaced_share(&own) < SPACED_SHARE_MIN;
    let near = found.iter().enumerate().filter_map(|(at, one)| {
        let score = one.likeness.combined_score();
        let may_be_near = at < NEAREST && (is_unseen || score >= WORDS_NEAR_MIN);
        let near = may_be_near.then(|| compare_now(&one.key, &own, memory));
        near.flatten().or_else(|| {
            let note = note_at(&one.key, memory).filter(is_against?)?;
            Some(SimilarNote {
                note,
                score,
                is_same: false,
            })
        })
    });
    Ok(near.collect())
}

fn note_at(key: &str, memory: &ProjectMemory) -> Option<Note> {
    let (scope, file) = documents::of_key(key)?;
    let snapshot = memory.store(scope).snapshot().ok()?;
    let path = ScopeDir(scope).path(file).ok()?;
    Note::read(&snapshot, scope, &path).ok()?
}

/// A note as it is now: the index may be behind.
fn compare_now(key: &str, own: &Document, memory: &ProjectMemory) -> Option<SimilarNote> {
    let note = note_at(key, memory)?;
    let other = document_of(&note);
    let mut index = RecallIndex::new();
    index.add_documents([&other]);
    let similar = index.similar_to(own, 1).pop()?;
    let score = similar.likeness.combined_score();
    let is_same = is_same(&similar, own, &other);
    let is_unseen =
        || document_spaced_share(own).min(document_spaced_share(&other)) < SPACED_SHARE_MIN;
    let is_near =
        score >= WORDS_NEAR_MIN || (is_unseen() && term_overlap(own, &other) >= OVERLAP_MIN);
    is_near.then_some(SimilarNote {
        note,
        score,
        is_same,
    })
}

/// Two notes that say the same.
#[derive(Debug)]
pub struct DuplicatePair {
    /// The one that was written first.
    pub older: Note,
    /// The other.
    pub newer: Note,
    /// How alike they are.
    pub score: f32,
}

/// All pairs of notes that say the same and do not have the same text; `None` where there are too
/// many notes to compare.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn duplicate_pairs(
    memory: &ProjectMemory,
    storing: Storing,
) -> Result<Option<Vec<DuplicatePair>>, StoreError> {
    let kept = refreshed_index(memory, storing)?;
    if kept.index.len() > PAIRED_NOTES_MAX {
        return Ok(None);
    }
    let near = kept.index.similar_pairs(SAME_WORDS_MIN);
    let near = near
        .into_iter()
        .filter(|(_, other)| other.likeness.combined_score() >= SAME_MIN);
    let pair = |(one, other): (String, Similar)| {
        let (first, second) = (read_note(&one, &kept)?, read_note(&other.key, &kept)?);
        let is_same = is_same(&other, &document_of(&first), &document_of(&second));
        let (older, newer) = match first.modified <= second.modified {
            true => (first, second),
            false => (second, first),
        };
        let score = other.likeness.combined_score();
        (is_same && note_body(&older) != note_body(&newer)).then_some(DuplicatePair {
            older,
            newer,
            score,
        })
    };
    Ok(Some(near.filter_map(pair).collect()))
}

fn similar_documents(
    found: Vec<Similar>,
    own: &Document,
    kept: &CurrentIndex<'_>,
) -> Vec<SimilarNote> {
    let notes = found.into_iter().filter_map(|one| {
        let note = read_note(&one.key, kept)?;
        let is_same = is_same(&one, own, &document_of(&note));
        let score = one.likeness.combined_score();
        Some(SimilarNote {
            note,
            score,
            is_same,
        })
    });
    notes.collect()
}

fn is_same(similar: &Similar, one: &Document, other: &Document) -> bool {
    similar.likeness.combined_score() >= SAME_MIN
        && title_numbers(one) == title_numbers(other)
        && (document_spaced_share(one).min(document_spaced_share(other)) >= SPACED_SHARE_MIN
            || term_overlap(one, other) >= OVERLAP_MIN)
}

/// How much of it is written with spaces.
fn document_spaced_share(document: &Document) -> f32 {
    spaced_share(&format!(
        "{}\n{}\n{}",
        document.name, document.description, document.body
    ))
}

/// The numbers in name and description: notes on two releases, sprints or days may well be worded
/// alike.
fn title_numbers(document: &Document) -> BTreeSet<&str> {
    let texts = [document.name.as_str(), &document.description];
    let runs = texts
        .into_iter()
        .flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
    runs.filter(|run| !run.is_empty()).collect()
}

fn document_of(note: &Note) -> Document {
    note_document(note.scope, &note.file, &note.path, &note.bytes)
}

fn note_document(scope: Scope, file: &str, path: &MemoryPath, bytes: &[u8]) -> Document {
    let time = None;
    documents::make_document(
        &SourceDocument {
            scope,
            file,
            path,
            bytes,
            time,
        },
        &Scanner::new(),
    )
}

/// The text without the white space around it, as exact duplicates are told.
fn note_body(note: &Note) -> &[u8] {
    note.topic.body(&note.bytes).trim_ascii()
}
