//! What a caller gets back, in the shape of `mem verify --json`.

use serde::{Deserialize, Serialize};

use crate::cite::CitationKind;

/// What became of a cited thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CitationStatus {
    /// It is there.
    Present,
    /// It is there under another name or place.
    Moved,
    /// It is there, and not what it was when the note was written.
    Changed,
    /// It was there, and is not.
    Gone,
    /// It was never there.
    Never,
    /// Nobody can tell.
    Unknown,
}

impl CitationStatus {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Never => "never",
            Self::Unknown => "unknown",
        }
    }
}

/// How far a note can be trusted, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// What it cites is there and much as it was.
    Fresh,
    /// Some of it changed, or nobody can check it and it is not new.
    Aging,
    /// Something moved, or changed a lot, or a bare name is gone.
    Drifted,
    /// Something is gone that only this repository can have been meant by.
    Broken,
}

impl Verdict {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Aging => "aging",
            Self::Drifted => "drifted",
            Self::Broken => "broken",
        }
    }
}

/// One citation, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitationReport {
    /// As it stands in the note, without backticks.
    pub text: String,
    /// What kind of thing it is.
    pub kind: CitationKind,
    /// The line of the note's file, from 1.
    pub line: usize,
    /// What became of it.
    pub status: CitationStatus,
    /// Where to, by which commit, how much: one line.
    pub detail: Option<String>,
    /// The path from the root of the checkout at which a file or folder that moved is committed and lies now; nothing
    /// where the note itself says that it is gone, or tells of what was, nor for a name without a folder, unless
    /// a file of the root had it and no other file ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
}

/// One note, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteReport {
    /// The file, as the caller named it.
    pub file: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What the verdict rests on, worst first, each one line. Not part of `mem verify --json`.
    #[serde(skip)]
    pub reasons: Vec<String>,
    /// What it cites, in the order of the text.
    pub citations: Vec<CitationReport>,
}

/// `"drift"` of a recalled memory: `{"verdict", "reasons"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drift {
    /// The verdict.
    pub verdict: Verdict,
    /// Its reasons.
    pub reasons: Vec<String>,
}

impl NoteReport {
    /// The short form.
    pub fn drift_summary(&self) -> Drift {
        Drift {
            verdict: self.verdict,
            reasons: self.reasons.clone(),
        }
    }
}

/// All notes, checked, in the order of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DriftReport {
    /// One entry a note.
    pub notes: Vec<NoteReport>,
}
