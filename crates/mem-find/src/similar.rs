//! Notes that are alike, and those that say the same: two that would have to be kept in step.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mem_core::history::Sha256;
use mem_core::memory::{Note, ProjectMemory, ScopeDir};
use mem_core::store::StoreError;
use mem_core::topic::{Eol, FrontmatterForm, NewTopic, render};
use mem_core::{MemoryPath, Scope};
use mem_recall::text::spaced_share;
use mem_recall::{
    Document, RecallIndex, SAME_MIN, SAME_WORDS_MIN, Similar, document_terms, term_overlap,
};
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
/// How many of the nearest are looked at, and named where older ones say the same.
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

/// What is like a note.
#[derive(Debug)]
pub struct SimilarAnswer {
    /// The most alike first.
    pub notes: Vec<SimilarNote>,
    /// Files and folders that could not be read, and why.
    pub warnings: Vec<String>,
}

/// The notes that are most like one.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn similar_notes(
    memory: &ProjectMemory,
    note: &Note,
    limit: usize,
    storing: Storing,
) -> Result<SimilarAnswer, StoreError> {
    let mut kept = refreshed_index(memory, storing)?;
    let warnings = std::mem::take(&mut kept.warnings);
    let key = documents::document_key(note.scope, &note.file);
    let own = ComparedDocument::from_note(note);
    let similar = kept.index.similar_documents(&key, limit);
    let notes = similar_documents(similar, &own, &kept);
    Ok(SimilarAnswer { notes, warnings })
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
    let own = ComparedDocument::new(note_document(scope, "", &path, &bytes));
    let asked = is_against.map_or(NEAREST, |_| ASKED);
    let found = stored_index(memory)?.similar_to(&own.document, asked);
    let is_unseen = own.spaced_share < SPACED_SHARE_MIN;
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
fn compare_now(key: &str, own: &ComparedDocument, memory: &ProjectMemory) -> Option<SimilarNote> {
    let note = note_at(key, memory)?;
    let other = ComparedDocument::from_note(&note);
    let mut index = RecallIndex::new();
    index.add_documents([&other.document]);
    let similar = index.similar_to(&own.document, 1).pop()?;
    let score = similar.likeness.combined_score();
    let is_same = own.says_the_same(&other, score);
    let is_near =
        score >= WORDS_NEAR_MIN || (own.is_unseen_beside(&other) && own.shares_terms_with(&other));
    is_near.then_some(SimilarNote {
        note,
        score,
        is_same,
    })
}

/// A note that says the same as older ones.
#[derive(Debug)]
pub struct DuplicateNote {
    /// The note.
    pub note: Note,
    /// The nearest of the older ones, best first: how lists name each, and how alike it is.
    pub older: Vec<(String, f32)>,
    /// How many older ones there are beside these.
    pub more: usize,
}

/// The older notes that say the same as one.
#[derive(Default)]
struct OlderNotes<'k> {
    /// The score and the key of each, best first.
    nearest: Vec<(f32, &'k str)>,
    more: usize,
}

impl<'k> OlderNotes<'k> {
    /// Whether a note of this score would be among the nearest. Of the others the terms are not compared: they are
    /// counted only.
    fn is_near(&self, score: f32) -> bool {
        let is_nearer = self.nearest.last().is_none_or(|(last, _)| score > *last);
        self.nearest.len() < NEAREST || is_nearer
    }

    fn add(&mut self, score: f32, key: &'k str) {
        self.nearest.push((score, key));
        self.nearest
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        if self.nearest.len() > NEAREST {
            self.nearest.pop();
            self.more += 1;
        }
    }
}

/// A note of the index, read once however many others it is compared with.
struct ComparedNote {
    note: Note,
    document: ComparedDocument,
    /// The checksum of the text without the white space around it, as exact duplicates are recognised.
    body: Sha256,
}

impl ComparedNote {
    fn read(key: &str, kept: &CurrentIndex<'_>) -> Option<Self> {
        let note = read_note(key, kept)?;
        let document = ComparedDocument::from_note(&note);
        let body = Sha256::digest(note.topic.body(&note.bytes).trim_ascii());
        Some(Self {
            note,
            document,
            body,
        })
    }
}

/// All notes that say the same as older ones and do not have the same text; `None` where there are too many notes to
/// compare.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn duplicate_notes(
    memory: &ProjectMemory,
    storing: Storing,
) -> Result<Option<Vec<DuplicateNote>>, StoreError> {
    let kept = refreshed_index(memory, storing)?;
    if kept.index.len() > PAIRED_NOTES_MAX {
        return Ok(None);
    }
    let mut notes: HashMap<&str, Option<ComparedNote>> = HashMap::new();
    let mut duplicates: BTreeMap<&str, OlderNotes<'_>> = BTreeMap::new();
    kept.index
        .each_similar_pair(SAME_WORDS_MIN, |one, other, likeness| {
            let score = likeness.combined_score();
            if score < SAME_MIN {
                return;
            }
            for key in [one, other] {
                let read = || ComparedNote::read(key, &kept);
                notes.entry(key).or_insert_with(read);
            }
            let (Some(Some(first)), Some(Some(second))) = (notes.get(one), notes.get(other)) else {
                return;
            };
            let has_other_numbers = first.document.title_numbers != second.document.title_numbers;
            if has_other_numbers || first.body == second.body {
                return;
            }
            let (older, newer) = match first.note.modified <= second.note.modified {
                true => (one, other),
                false => (other, one),
            };
            let found = duplicates.get(newer);
            let is_near = found.is_none_or(|found| found.is_near(score));
            if is_near && !first.document.says_the_same(&second.document, score) {
                return;
            }
            duplicates.entry(newer).or_default().add(score, older);
        });
    let note_of = |key: &str| Some(&notes.get(key)?.as_ref()?.note);
    let duplicates = duplicates.into_iter().filter_map(|(key, found)| {
        let label = |(score, key): (f32, &str)| Some((note_of(key)?.label(), score));
        Some(DuplicateNote {
            note: note_of(key)?.clone(),
            older: found.nearest.into_iter().filter_map(label).collect(),
            more: found.more,
        })
    });
    Ok(Some(duplicates.collect()))
}

fn similar_documents(
    found: Vec<Similar>,
    own: &ComparedDocument,
    kept: &CurrentIndex<'_>,
) -> Vec<SimilarNote> {
    let notes = found.into_iter().filter_map(|one| {
        let note = read_note(&one.key, kept)?;
        let score = one.likeness.combined_score();
        let is_same = own.says_the_same(&ComparedDocument::from_note(&note), score);
        Some(SimilarNote {
            note,
            score,
            is_same,
        })
    });
    notes.collect()
}

/// A document, with what decides beside the likeness whether another one says the same.
struct ComparedDocument {
    document: Document,
    /// How much of it is written with spaces.
    spaced_share: f32,
    /// The numbers in name and description: notes on two releases, sprints or days may well be worded alike.
    title_numbers: BTreeSet<String>,
    /// Gathered when first asked for.
    terms: OnceCell<HashSet<String>>,
}

impl ComparedDocument {
    fn new(document: Document) -> Self {
        let texts = [&document.name, &document.description];
        let runs = texts
            .into_iter()
            .flat_map(|text| text.split(|c: char| !c.is_ascii_digit()));
        let numbers = runs.filter(|run| !run.is_empty());
        Self {
            spaced_share: spaced_share(&format!(
                "{}\n{}\n{}",
                document.name, document.description, document.body
            )),
            title_numbers: numbers.map(str::to_owned).collect(),
            terms: OnceCell::new(),
            document,
        }
    }

    fn from_note(note: &Note) -> Self {
        Self::new(note_document(
            note.scope,
            &note.file,
            &note.path,
            &note.bytes,
        ))
    }

    /// Whether both say the same, by their likeness and by what it does not see.
    fn says_the_same(&self, other: &Self, score: f32) -> bool {
        score >= SAME_MIN
            && self.title_numbers == other.title_numbers
            && (!self.is_unseen_beside(other) || self.shares_terms_with(other))
    }

    /// Whether the vectors see too little of one of them.
    fn is_unseen_beside(&self, other: &Self) -> bool {
        self.spaced_share.min(other.spaced_share) < SPACED_SHARE_MIN
    }

    fn shares_terms_with(&self, other: &Self) -> bool {
        term_overlap(self.terms(), other.terms()) >= OVERLAP_MIN
    }

    fn terms(&self) -> &HashSet<String> {
        self.terms.get_or_init(|| document_terms(&self.document))
    }
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
