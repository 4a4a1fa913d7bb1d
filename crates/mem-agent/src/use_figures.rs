//! How much of what hooks gave a session its model made use of: measured from the transcript when a turn or a session
//! ends, kept as figures for `mem cost`, and counted for or against each memory when memories are ranked.
//!
//! A session is measured again at the end of each turn, so what counts is the difference to the time before:
//!
//! ```text
//!  first measured: not used -> against it, if its use could be seen
//!  later: used              -> for it, and nothing speaks against it any more
//! ```
//!
//! Nobody can see that a preference was followed, so only a memory that cites code is counted as unused.
//!
//! `recalled/used_later.json` beside the history of a project: one record a session, bounded, and erased with the
//! history.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use mem_core::memory::{Note, ProjectMemory, split_scope};
use mem_core::{Diagnose, MemoryPath, Scope};
use mem_drift::{CitationTarget, extract_citations};
use mem_find::documents::document_key;
use mem_find::record;
use mem_find::use_counts::{self, NoteOutcome};
use serde::{Deserialize, Serialize};

use crate::injection::{Injection, read_injections};
use crate::memory_use::{GivenMemory, GivenPlace, find_used};
use crate::transcript::TranscriptError;

/// Sessions that are remembered; those that were measured first go.
const SESSIONS_MAX: usize = 512;
/// A mark of fewer characters may stand anywhere.
const MARK_CHARS_MIN: usize = 4;

/// What became of the memories of a session cannot be measured.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum MeasureError {
    /// The transcript cannot be read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The record cannot be written.
    #[error(transparent)]
    #[diagnose(Io)]
    Record(#[from] io::Error),
}

/// What a memory was given with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GivenWith {
    /// A prompt that it helps with.
    Prompt,
    /// A file that it cites.
    File,
    /// The task of a subagent.
    Subagent,
}

impl GivenWith {
    /// For a sentence.
    pub fn as_words(self) -> &'static str {
        match self {
            Self::Prompt => "a prompt",
            Self::File => "a file",
            Self::Subagent => "a subagent's task",
        }
    }
}

/// Memories that were given, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UseFigures {
    /// How many were given.
    pub memories: usize,
    /// Their tokens, estimated.
    pub tokens: usize,
    /// How many of them the model named later.
    pub used: usize,
}

impl UseFigures {
    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.memories += other.memories;
        self.tokens += other.tokens;
        self.used += other.used;
    }

    /// The part that was used; 0 where nothing was given.
    pub fn share(&self) -> f64 {
        match self.memories {
            0 => 0.0,
            memories => self.used as f64 / memories as f64,
        }
    }
}

/// The figures of one session.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionUse {
    /// When it was measured, seconds since 1970.
    pub at: i64,
    /// By what the memories were given with.
    pub figures: BTreeMap<GivenWith, UseFigures>,
    /// Of each memory, by its key in the index, whether the model named it.
    pub memories: BTreeMap<String, bool>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct UseRecord {
    sessions: BTreeMap<String, SessionUse>,
}

/// A memory as it was given for the first time in a session.
struct FirstGiven {
    with: GivenWith,
    tokens: usize,
    key: String,
    /// It cites code, so that its use can be seen.
    cites_code: bool,
    memory: GivenMemory,
}

/// Reads in the transcript of a session what became of the memories that it was given. Without any nothing is read.
///
/// # Errors
/// The transcript cannot be read, or the record not be written.
pub fn measure_session(
    session: &str,
    transcript: &Path,
    memory: &ProjectMemory,
    at: i64,
) -> Result<(), MeasureError> {
    let given = given_memories(session, memory);
    if given.is_empty() {
        return Ok(());
    }
    let memories: Vec<GivenMemory> = given.iter().map(|one| one.memory.clone()).collect();
    let used = find_used(transcript, &memories)?;
    let mut measured = SessionUse {
        at,
        ..SessionUse::default()
    };
    for (one, &is_used) in given.iter().zip(&used) {
        let figures = measured.figures.entry(one.with).or_default();
        figures.add(UseFigures {
            memories: 1,
            tokens: one.tokens,
            used: usize::from(is_used),
        });
        *measured.memories.entry(one.key.clone()).or_default() |= is_used;
    }
    let countable: BTreeSet<&str> = given
        .iter()
        .filter(|one| one.cites_code)
        .map(|one| &*one.key)
        .collect();
    let now = measured.memories.clone();
    let before = write_figures(session, measured, memory)?;
    let outcomes: Vec<_> = now
        .into_iter()
        .filter_map(|(key, is_used)| {
            let outcome = outcome_since(
                before.get(&key).copied(),
                is_used,
                countable.contains(&*key),
            )?;
            Some((key, outcome))
        })
        .collect();
    use_counts::count_outcomes(memory, &outcomes, at)?;
    Ok(())
}

/// What has become of a memory since the session was measured before.
fn outcome_since(before: Option<bool>, is_used: bool, is_countable: bool) -> Option<NoteOutcome> {
    match (before, is_used) {
        (Some(true), _) | (Some(false), false) => None,
        (_, true) => Some(NoteOutcome::Used),
        (None, false) => is_countable.then_some(NoteOutcome::Unused),
    }
}

/// Writes the figures of a session, and gives what was known of its memories before.
fn write_figures(
    session: &str,
    measured: SessionUse,
    memory: &ProjectMemory,
) -> io::Result<BTreeMap<String, bool>> {
    let mut before = BTreeMap::new();
    record::change_record(&record_file(memory), |known: &mut UseRecord| {
        let sessions = &mut known.sessions;
        if let Some(known) = sessions.insert(session.to_owned(), measured) {
            before = known.memories;
        }
        while sessions.len() > SESSIONS_MAX {
            let first = sessions.iter().min_by_key(|(_, one)| one.at);
            let Some(first) = first.map(|(id, _)| id.clone()) else {
                return;
            };
            sessions.remove(&first);
        }
    })?;
    Ok(before)
}

/// The figures of every session that was measured.
pub fn measured_sessions(memory: &ProjectMemory) -> BTreeMap<String, SessionUse> {
    record::read_record::<UseRecord>(&record_file(memory)).sessions
}

/// The memories that a session was given, each once for what it was given with first.
fn given_memories(session: &str, memory: &ProjectMemory) -> Vec<FirstGiven> {
    let ledger = read_injections(memory).into_iter();
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for injection in ledger.filter(|one| one.session == session) {
        let Some((with, place)) = given_place(&injection) else {
            continue;
        };
        for part in &injection.entries {
            let is_subagent = with == GivenWith::Subagent;
            if seen.contains(&(is_subagent, part.label.clone())) {
                continue;
            }
            // Of one that is gone nobody can tell what it cited.
            let Some(note) = read_note(&part.label, memory) else {
                continue;
            };
            seen.insert((is_subagent, part.label.clone()));
            let cited = cited_marks(&note);
            all.push(FirstGiven {
                with,
                tokens: part.tokens,
                key: document_key(note.scope, &note.file),
                cites_code: !cited.is_empty(),
                memory: GivenMemory {
                    marks: marks_of(&note, cited),
                    place: place.clone(),
                },
            });
        }
    }
    all
}

fn given_place(injection: &Injection) -> Option<(GivenWith, GivenPlace)> {
    let time = Timestamp::from_second(injection.at).ok()?;
    Some(match &*injection.event {
        "user-prompt-submit" => (GivenWith::Prompt, GivenPlace::Time(time)),
        "subagent-start" => (GivenWith::Subagent, GivenPlace::Subagent(time)),
        // Without an id nobody can tell what was written before: nothing counts.
        "pre-tool-use" | "post-tool-use" => {
            (GivenWith::File, GivenPlace::Call(injection.call.clone()))
        }
        _ => return None,
    })
}

/// The memory of a label; `None` for an index and whatever else a session is given.
fn read_note(label: &str, memory: &ProjectMemory) -> Option<Note> {
    let (scope, file) = split_scope(label, None);
    let scope = scope.unwrap_or(Scope::Private);
    let path: MemoryPath = mem_core::memory::ScopeDir(scope).path(file).ok()?;
    let snapshot = memory.store(scope).snapshot().ok()?;
    Note::read(&snapshot, scope, &path).ok().flatten()
}

/// What a memory is recognised by.
fn marks_of(note: &Note, cited: Vec<String>) -> Vec<String> {
    let name = note.file.rsplit('/').next().unwrap_or(&note.file);
    let mut marks = vec![name.to_owned()];
    // A single word may mean anything.
    let names = [name.trim_end_matches(".md"), note.title()].into_iter();
    let names = names.filter(|text| text.contains([' ', '_', '-']));
    marks.extend(names.map(str::to_owned));
    marks.extend(cited);
    marks.retain(|mark| mark.chars().count() >= MARK_CHARS_MIN);
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// The paths and symbols that it cites, as a model would write them.
fn cited_marks(note: &Note) -> Vec<String> {
    let text = String::from_utf8_lossy(&note.bytes);
    let firm = extract_citations(&text, &[]).into_iter();
    let firm = firm.filter(|citation| !citation.is_tentative);
    let marks = firm.filter_map(|citation| match citation.target {
        CitationTarget::Path { path, .. } => Some(path),
        CitationTarget::Symbol { alternatives } => match &alternatives.first()?[..] {
            [word] => Some(word.clone()),
            // A type with its member, as the memory writes it.
            _ => Some(citation.text),
        },
        _ => None,
    });
    marks.collect()
}

fn record_file(memory: &ProjectMemory) -> PathBuf {
    let project = memory.store(Scope::Private).places();
    project.recalled().join("used_later.json")
}
