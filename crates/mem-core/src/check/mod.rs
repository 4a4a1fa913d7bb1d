//! What is wrong with a memory directory, and the one command that mends each thing.
//!
//! Pure: it is given the notes and the index as they are, and says what it finds in a stable
//! order (by file, then line). The codes are a stable shape that scripts rely on.

mod code;
mod index;
mod note;

use crate::compact_sort::CompactSort as _;
use crate::duplicates;
use crate::memory_path::MemoryPath;
use crate::scope::Scope;
use crate::topic::TopicFile;

pub use code::{CheckCode, CheckSeverity};

/// A note as it was read.
#[derive(Clone, Copy, Debug)]
pub struct CheckedNote<'a> {
    /// Its path in the tier.
    pub path: &'a MemoryPath,
    /// Its fields.
    pub topic: &'a TopicFile,
    /// The bytes that the fields were read from.
    pub bytes: &'a [u8],
}

/// Everything that a check looks at: one tier.
#[derive(Clone, Copy, Debug)]
pub struct CheckInput<'a> {
    /// The tier, which decides what counts as a note of it.
    pub scope: Scope,
    /// All notes that [`is_note`](crate::notes::is_note) finds.
    pub notes: &'a [CheckedNote<'a>],
    /// Notes and folders that are there and cannot be read, each with the reason.
    pub unreadable: &'a [(MemoryPath, String)],
    /// `MEMORY.md`; `None` when there is none.
    pub index: Option<&'a [u8]>,
    /// `MEMORY.archive.md`; `None` when there is none.
    pub archive: Option<&'a [u8]>,
}

/// One thing to mend, or to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFinding {
    /// Which sort.
    pub code: CheckCode,
    /// How bad it is.
    pub severity: CheckSeverity,
    /// The file, relative to the tier.
    pub file: String,
    /// The line in the file, from 1; `None` when it is about the whole file.
    pub line: Option<usize>,
    /// What is wrong, in a sentence fragment.
    pub message: String,
    /// The one command that mends it; `None` when only a person can decide.
    pub fix: Option<String>,
}

impl CheckFinding {
    /// A finding of a sort; how bad it is and what mends it go with that.
    pub fn new(code: CheckCode, file: &str, line: Option<usize>, message: String) -> Self {
        Self {
            severity: code.severity_level(),
            fix: code.fix_command(file),
            file: file.to_owned(),
            code,
            line,
            message,
        }
    }
}

/// Checks one tier.
pub fn check(input: &CheckInput<'_>) -> Vec<CheckFinding> {
    let mut findings = index::index_findings(input);
    findings.extend(input.unreadable.iter().map(|(path, reason)| {
        CheckFinding::new(CheckCode::Unreadable, path.as_str(), None, reason.clone())
    }));
    for note in input.notes {
        note::findings(note, input.scope, &mut findings);
    }
    findings.extend(duplicate_findings(input.notes));
    findings.compact_sort_by(|a, b| (&a.file, a.line, a.code).cmp(&(&b.file, b.line, b.code)));
    findings
}

/// Whether two fields say the same, or one of them says nothing.
fn is_same_or_missing<T: PartialEq>(one: Option<&T>, other: Option<&T>) -> bool {
    one.is_none() || other.is_none() || one == other
}

/// Each copy names the one that says most about itself, which is the one to keep.
fn duplicate_findings(notes: &[CheckedNote<'_>]) -> Vec<CheckFinding> {
    let bodies: Vec<&[u8]> = notes
        .iter()
        .map(|note| note.topic.body(note.bytes))
        .collect();
    let worth = |index: &usize| {
        let topic = notes[*index].topic;
        (
            topic.pinned,
            topic.description.is_some(),
            topic.kind.is_some(),
        )
    };
    let mut findings = Vec::new();
    for mut group in duplicates::groups(&bodies) {
        // Of equals the last would be taken; the first in name order is to stay.
        while let Some(kept) = group.iter().copied().rev().max_by_key(worth) {
            // The same text under another description, "see the wiki" say, is another memory.
            let is_alike = |copy: &usize| {
                let (one, other) = (notes[*copy].topic, notes[kept].topic);
                is_same_or_missing(one.description.as_ref(), other.description.as_ref())
                    && is_same_or_missing(one.kind.as_ref(), other.kind.as_ref())
            };
            let (alike, others): (Vec<usize>, _) = group.into_iter().partition(is_alike);
            group = others;
            let copies = alike.into_iter().filter(|copy| *copy != kept);
            findings.extend(copies.map(|copy| {
                let message = format!("says the very same as `{}`", notes[kept].path);
                CheckFinding::new(
                    CheckCode::Duplicate,
                    notes[copy].path.as_str(),
                    None,
                    message,
                )
            }));
        }
    }
    findings
}
