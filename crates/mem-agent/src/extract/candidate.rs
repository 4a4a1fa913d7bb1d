//! What was found in a transcript, and what was left out.

use std::fmt;

use mem_core::{MemoryType, Scope};
use serde::{Deserialize, Serialize};

/// Candidates of one run; a session that brings more is told so.
pub const CANDIDATES_MAX: usize = 200;
/// What was left out, of one run.
pub const DROPPED_MAX: usize = 1_000;
/// From here on a candidate is written; below it waits for a person.
pub const SURE_MIN: f32 = 0.75;
/// How sure a statement is that the rules keep; one that may have been retracted, or that a model quotes alone, is not.
pub(super) const SURE: f32 = 0.9;
pub(super) const UNSURE: f32 = 0.68;

/// What somebody did by saying something; rules, JSON and texts name it by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpeechAct {
    /// Said how it is to be done from now on.
    Standing,
    /// Said what they like or cannot stand.
    Preference,
    /// Said how it is done here.
    Convention,
    /// Corrected what was done.
    Correction,
    /// Said who they are and what they know.
    Person,
    /// Said what was decided, or what forces it.
    Decision,
    /// Said until when, or from when on.
    Deadline,
    /// Said where something is to be found.
    Pointer,
    /// Asked to have it remembered.
    Asked,
}

impl SpeechAct {
    /// All of them; of those that a sentence may be, it is the first.
    pub const ALL: [Self; 9] = [
        Self::Person,
        Self::Deadline,
        Self::Pointer,
        Self::Standing,
        Self::Correction,
        Self::Preference,
        Self::Convention,
        Self::Decision,
        Self::Asked,
    ];

    /// The plainest of those that make a type of memory.
    pub(super) fn from_kind(kind: MemoryType) -> Self {
        match kind {
            MemoryType::User => Self::Person,
            MemoryType::Feedback => Self::Standing,
            MemoryType::Project => Self::Decision,
            MemoryType::Reference => Self::Pointer,
        }
    }

    /// The type of memory that it makes.
    pub fn memory_type(self) -> MemoryType {
        match self {
            Self::Standing | Self::Preference | Self::Convention | Self::Correction => {
                MemoryType::Feedback
            }
            Self::Person => MemoryType::User,
            Self::Decision | Self::Deadline | Self::Asked => MemoryType::Project,
            Self::Pointer => MemoryType::Reference,
        }
    }
}

impl fmt::Display for SpeechAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Where in which session something was said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CandidateSource {
    /// The session's id.
    pub session: String,
    /// The `uuid` of the record.
    pub from: String,
    /// That of the last record that was taken into account.
    pub to: String,
    /// When, as the transcript has it.
    pub time: String,
}

/// A memory that a session suggests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The type of memory.
    #[serde(rename = "type", serialize_with = "shown")]
    pub kind: MemoryType,
    /// The tier it belongs to.
    #[serde(serialize_with = "shown")]
    pub scope: Scope,
    /// What was done by saying it.
    pub sort: SpeechAct,
    /// A short title.
    pub name: String,
    /// One line.
    pub description: String,
    /// The text of the memory.
    pub body: String,
    /// What was said, without secrets.
    pub quote: String,
    /// The reason that was given; empty where there was none.
    pub why: String,
    /// From 0 to 1.
    pub confidence: f32,
    /// Where it was said.
    pub source: CandidateSource,
    /// The file of its tier that a model put it into; `None` for a memory of its own.
    #[serde(skip)]
    pub file: Option<String>,
}

impl Candidate {
    /// Whether it is written without asking.
    pub fn is_sure(&self) -> bool {
        self.confidence >= SURE_MIN
    }
}

fn shown<T: fmt::Display, S: serde::Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Why something was not kept; rules and JSON name it by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The code says it.
    Code,
    /// Git says it.
    Git,
    /// It is how something was mended.
    Fix,
    /// It belongs into an instruction file.
    Instructions,
    /// An instruction file says it already.
    Known,
    /// It holds for the moment.
    State,
    /// It is a question.
    Question,
    /// It says how a program behaves.
    Report,
    /// The agent said it before.
    Pasted,
    /// It says nothing that could be followed.
    Empty,
    /// It was taken back later in the session.
    TakenBack,
    /// It holds a secret, and says nothing without it.
    Secret,
    /// It is about one place in the work at hand.
    Local,
    /// It is no statement that stands alone.
    Unsure,
    /// The agent wrote memory itself in that turn.
    Written,
    /// There were too many.
    Surplus,
    /// No memory can hold it, or a gate let it not pass.
    Refused,
    /// A model proposed it, and nobody said it.
    Unfounded,
    /// It gives orders to whatever reads it, or poses as the head of a file.
    Orders,
    /// It was kept before, and what was kept was taken back or removed.
    Gone,
    /// What was said later, and kept already, says otherwise.
    Overtaken,
    /// Rules found it and were not sure, and a model that looked proposes nothing of it.
    Passed,
    /// A model proposed another memory with the same words.
    Twice,
}

impl Reason {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Code => "the code says it",
            Self::Git => "git says it",
            Self::Fix => "it is how something was mended: the code and its commit say it",
            Self::Instructions => "it belongs into an instruction file",
            Self::Known => "an instruction file says it already",
            Self::State => "it holds for the task at hand",
            Self::Question => "it is a question",
            Self::Report => "it says how a program behaves",
            Self::Pasted => "the agent wrote it before",
            Self::Empty => "it says nothing that could be followed later",
            Self::TakenBack => "it was taken back",
            Self::Secret => "it holds a secret, and says nothing without it",
            Self::Local => "it is about one place in the work at hand",
            Self::Unsure => "it is no lasting statement by itself",
            Self::Written => "the agent wrote memory itself in that turn",
            Self::Surplus => "one session brought too many",
            Self::Refused => "it could not be written",
            Self::Unfounded => "a model proposed it, and nobody said it",
            Self::Orders => "it poses as an order to the model, or as the head of a file",
            Self::Gone => "it was kept before, and was taken back or removed since",
            Self::Overtaken => "what was said later, and is kept already, says otherwise",
            Self::Passed => "the rules are not sure of it, and the model proposes nothing of it",
            Self::Twice => "a model proposed another memory with the same words",
        }
    }
}

/// Something that looked worth keeping and was not kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dropped {
    /// What was said, without secrets.
    pub quote: String,
    /// Why not.
    pub reason: Reason,
}

impl Dropped {
    /// A quotation that was not kept, and why.
    pub fn new(quote: impl Into<String>, reason: Reason) -> Self {
        let quote = quote.into();
        Self { quote, reason }
    }
}
