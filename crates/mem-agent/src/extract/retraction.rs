//! What a session took back that an earlier run may have kept: that run has read it, and this one reads only on from
//! there.

use super::pending_memory::Pending;
use super::retraction_phrases::SubjectWords;

/// Something was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetractionRecord {
    /// The `uuid` of the record that says so.
    pub record: String,
    /// What.
    pub what: RetractionTarget,
    /// Whether nothing else can be meant: else a person decides.
    pub is_sure: bool,
}

/// What was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetractionTarget {
    /// The last that was said before this stretch of the session.
    Before {
        /// Whether the words may also answer what the agent asked.
        may_answer: bool,
    },
    /// This, of the record of that `uuid`.
    Quote {
        /// The record.
        record: String,
        /// What was said.
        quote: String,
    },
    /// All that the session says of something.
    About(SubjectWords),
}

/// What a person said last, so that the next stretch of a session can take it back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastSaid {
    /// The `uuid` of the record.
    pub record: String,
    /// The last of it that may be kept; none where that is nothing.
    pub quote: Option<String>,
    /// Whether something else was said after that.
    pub goes_on: bool,
    /// Whether the agent ended with a question since.
    pub is_asked: bool,
}

impl LastSaid {
    /// Of a prompt.
    pub(super) fn from_record(record: &str, candidates: &[Pending], goes_on: bool) -> Self {
        Self {
            record: record.to_owned(),
            quote: candidates.last().map(|one| one.quote.clone()),
            goes_on,
            is_asked: false,
        }
    }
}
