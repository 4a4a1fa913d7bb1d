//! The answer to a recall: what was chosen, and what was left out.

use mem_core::Scope;
use mem_core::memory::Note;
use mem_drift::Drift;
use mem_recall::Hit;
use serde::{Deserialize, Serialize};

/// What chose a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecallBasis {
    /// Its rank.
    #[default]
    Rank,
    /// A model.
    Model,
    /// That it cites the file that was asked about.
    Citation,
}

/// A note that was chosen.
#[derive(Debug)]
pub struct RecalledMemory {
    /// The note.
    pub note: Note,
    /// How it was ranked.
    pub hit: Hit,
    /// What chose it.
    pub basis: RecallBasis,
    /// Whole days since its content came to be.
    pub age_days: u64,
    /// Whether the code still says what it says; `None` where that is not known.
    pub drift: Option<Drift>,
    /// Who wrote it last, of a note of the team.
    pub author: Option<String>,
}

/// A note that was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct OmittedMemory {
    /// The tier.
    pub scope: Scope,
    /// The file within the tier.
    pub file: String,
    /// What left it out, in one stable word.
    pub by: &'static str,
    /// How sure it was, where it was ranked.
    pub score: Option<f32>,
}

/// What became of a question.
#[derive(Debug, Default)]
pub struct RecallAnswer {
    /// Best first.
    pub memories: Vec<RecalledMemory>,
    /// Whether there were notes to rank and none was sure enough to help.
    pub abstained: bool,
    /// What switched memory off, where it is off.
    pub off_by: Option<String>,
    /// What was left out; of those that were not sure enough, the nearest few.
    pub left: Vec<OmittedMemory>,
    /// Notes that could be ranked at all.
    pub notes: usize,
    /// Whether the stored index lacks something, or notes are not encoded.
    pub is_behind: bool,
    /// Files that could not be read, and why.
    pub warnings: Vec<String>,
}

impl OmittedMemory {
    /// The file as one names it: with its tier where it is not the private one.
    pub fn label(&self) -> String {
        self.scope.label(&self.file)
    }
}
