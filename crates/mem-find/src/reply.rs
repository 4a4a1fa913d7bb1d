//! An answer to a recall as it goes over the socket: whole, so that whoever asked opens no file.

use std::path::PathBuf;

use crate::recall_answer::{OmittedMemory, RecallAnswer, RecallBasis, RecalledMemory};
use jiff::Timestamp;
use mem_core::history::{CitationSnapshot, NoteId};
use mem_core::memory::Note;
use mem_core::topic::TopicFile;
use mem_core::{MemoryPath, Scope};
use mem_drift::{Drift, Verdict};
use mem_recall::{EverydayPrompt, Hit, RankSignals, ScorePart, TermMatch};
use serde::{Deserialize, Serialize};

/// The words for what left a note out.
const LEFT_BY: [&str; 15] = [
    "budget",
    "category",
    "excluded",
    "expired",
    "importance",
    "limit",
    "no-text",
    "outranked",
    "scope",
    "score",
    "shown",
    "tag",
    "tool-in-use",
    "type",
    "chosen",
];
/// The names of weights that parts of a score have.
const WEIGHTS: [&str; 9] = [
    "lexical",
    "coverage",
    "statics",
    "sentence",
    "freshness",
    "importance",
    "pinned",
    "used",
    "drift",
];

/// An answer.
#[derive(Debug, Serialize, Deserialize)]
pub struct RecallReply {
    memories: Vec<One>,
    abstained: bool,
    off_by: Option<String>,
    left: Vec<OmittedShape>,
    notes: usize,
    is_behind: bool,
    warnings: Vec<String>,
}

/// A note that was chosen.
#[derive(Debug, Serialize, Deserialize)]
struct One {
    id: NoteId,
    scope: String,
    file: String,
    path: MemoryPath,
    absolute: PathBuf,
    bytes: Bytes,
    modified: Timestamp,
    cited: CitationSnapshot,
    hit: RankShape,
    basis: RecallBasis,
    age_days: u64,
    drift: Option<(Verdict, Vec<String>)>,
    author: Option<String>,
}

/// Texts as they are, other bytes one by one.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

/// A rank.
#[derive(Debug, Serialize, Deserialize)]
struct RankShape {
    key: String,
    score: f32,
    confidence: f32,
    parts: Vec<(String, f32)>,
    /// In the order of the fields.
    signals: (f32, f32, f32, f32, f32, u32),
    sentence: Option<f32>,
    prompt: Option<(f32, f32)>,
    matches: Vec<(String, String, String)>,
}

/// A note that was left out.
#[derive(Debug, Serialize, Deserialize)]
struct OmittedShape {
    scope: String,
    file: String,
    by: String,
    score: Option<f32>,
}

impl RecallReply {
    /// An answer, to be sent; `None` where it says something that cannot be read back.
    pub fn from_answer(answer: RecallAnswer) -> Option<Self> {
        let left = answer.left.into_iter().map(|left| OmittedShape {
            scope: left.scope.as_str().to_owned(),
            file: left.file,
            by: left.by.to_owned(),
            score: left.score,
        });
        let told = Self {
            memories: answer
                .memories
                .into_iter()
                .map(One::from_recalled)
                .collect(),
            abstained: answer.abstained,
            off_by: answer.off_by,
            left: left.collect(),
            notes: answer.notes,
            is_behind: answer.is_behind,
            warnings: answer.warnings,
        };
        let is_known = told
            .left
            .iter()
            .all(|left| find_word(&LEFT_BY, &left.by).is_some())
            && told.memories.iter().all(|one| one.hit.is_known());
        is_known.then_some(told)
    }

    /// An answer that was sent; `None` where it says something that is not known here.
    pub fn into_answer(self) -> Option<RecallAnswer> {
        let memories: Option<Vec<RecalledMemory>> =
            self.memories.into_iter().map(One::into_recalled).collect();
        let left: Option<Vec<OmittedMemory>> = self
            .left
            .into_iter()
            .map(OmittedShape::into_omitted)
            .collect();
        Some(RecallAnswer {
            memories: memories?,
            abstained: self.abstained,
            off_by: self.off_by,
            left: left?,
            notes: self.notes,
            is_behind: self.is_behind,
            warnings: self.warnings,
        })
    }
}

impl One {
    fn from_recalled(one: RecalledMemory) -> Self {
        let note = one.note;
        Self {
            id: note.id,
            scope: note.scope.as_str().to_owned(),
            file: note.file,
            path: note.path,
            absolute: note.absolute,
            bytes: match String::from_utf8(note.bytes) {
                Ok(text) => Bytes::Text(text),
                Err(error) => Bytes::Raw(error.into_bytes()),
            },
            modified: note.modified,
            cited: note.cited,
            hit: RankShape::from_hit(one.hit),
            basis: one.basis,
            age_days: one.age_days,
            drift: one.drift.map(|drift| (drift.verdict, drift.reasons)),
            author: one.author,
        }
    }

    fn into_recalled(self) -> Option<RecalledMemory> {
        let bytes = match self.bytes {
            Bytes::Text(text) => text.into_bytes(),
            Bytes::Raw(bytes) => bytes,
        };
        let note = Note {
            id: self.id,
            scope: parse_scope(&self.scope)?,
            file: self.file,
            path: self.path,
            absolute: self.absolute,
            topic: TopicFile::parse(&bytes),
            bytes,
            modified: self.modified,
            cited: self.cited,
        };
        Some(RecalledMemory {
            note,
            hit: self.hit.into_hit()?,
            basis: self.basis,
            age_days: self.age_days,
            drift: self
                .drift
                .map(|(verdict, reasons)| Drift { verdict, reasons }),
            author: self.author,
        })
    }
}

impl RankShape {
    fn from_hit(hit: Hit) -> Self {
        let signals = hit.signals;
        let parts = hit.parts.into_iter();
        let matches = hit.matches.into_iter();
        Self {
            key: hit.key,
            score: hit.score,
            confidence: hit.confidence,
            parts: parts
                .map(|part| (part.weight.to_owned(), part.value))
                .collect(),
            signals: (
                signals.lexical,
                signals.coverage,
                signals.statics,
                signals.content,
                signals.latin,
                signals.terms,
            ),
            sentence: signals.sentence,
            prompt: signals.prompt.map(|prompt| (prompt.common, prompt.gate)),
            matches: matches
                .map(|one| (one.asked, one.word, one.found))
                .collect(),
        }
    }

    fn is_known(&self) -> bool {
        self.parts
            .iter()
            .all(|(weight, _)| find_word(&WEIGHTS, weight).is_some())
    }

    fn into_hit(self) -> Option<Hit> {
        let part = |(weight, value): (String, f32)| {
            let weight = find_word(&WEIGHTS, &weight)?;
            Some(ScorePart { weight, value })
        };
        let parts: Option<Vec<ScorePart>> = self.parts.into_iter().map(part).collect();
        let (lexical, coverage, statics, content, latin, terms) = self.signals;
        let matches = self.matches.into_iter();
        Some(Hit {
            key: self.key,
            score: self.score,
            confidence: self.confidence,
            parts: parts?,
            signals: RankSignals {
                lexical,
                coverage,
                statics,
                sentence: self.sentence,
                prompt: self
                    .prompt
                    .map(|(common, gate)| EverydayPrompt { common, gate }),
                content,
                latin,
                terms,
            },
            matches: matches
                .map(|(asked, word, found)| TermMatch { asked, word, found })
                .collect(),
        })
    }
}

impl OmittedShape {
    fn into_omitted(self) -> Option<OmittedMemory> {
        Some(OmittedMemory {
            scope: parse_scope(&self.scope)?,
            file: self.file,
            by: find_word(&LEFT_BY, &self.by)?,
            score: self.score,
        })
    }
}

fn parse_scope(word: &str) -> Option<Scope> {
    word.parse().ok()
}

fn find_word(words: &[&'static str], word: &str) -> Option<&'static str> {
    words.iter().copied().find(|one| *one == word)
}
