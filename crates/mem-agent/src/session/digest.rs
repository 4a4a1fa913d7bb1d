//! What a session is about, gathered from its transcript without a model.
//!
//! A digest is carried on from one reading to the next, so it is bounded in everything, holds no
//! secrets, and can be stored.

mod call;
mod feedback;
mod gather;
mod text;

pub use call::{Deed, ToolCall};
pub use feedback::{Feedback, prompt_feedback};

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::update_schedule::SessionCounts;

/// Prompts, commands, errors and turns that are kept, each; the oldest give way.
pub const KEPT_MAX: usize = 120;
/// Files that are kept; the least used give way.
pub const FILES_MAX: usize = 300;
/// Calls of tools whose results are waited for.
pub const OPEN_CALLS_MAX: usize = 256;
/// Results that are kept, each a whole answer.
pub const RESULTS_MAX: usize = 5;

/// A session so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Digest {
    /// What has happened, for the question whether it is time.
    pub counts: SessionCounts,
    /// The title that a person chose, else the host's.
    pub title: Option<Title>,
    /// A person's prompts.
    pub prompts: VecDeque<PersonPrompt>,
    /// The last list of things to do.
    pub todos: Vec<Todo>,
    /// What the model said last.
    pub reply: String,
    /// The host's summary of what was compacted last.
    pub summary: String,
    /// Files, with how often each was read and written.
    pub files: Vec<FileUse>,
    /// Commands that succeeded, in the order of their last success.
    pub commands: VecDeque<String>,
    /// What failed.
    pub errors: VecDeque<FailedCall>,
    /// Answers that hold what was asked for: tables, code, values.
    pub results: VecDeque<String>,
    /// One line a turn.
    pub turns: VecDeque<SessionTurn>,
    /// Calls whose results were not seen yet.
    pub open_calls: VecDeque<ToolCall>,
}

/// A title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Title {
    /// The title.
    pub text: String,
    /// By a person.
    pub is_chosen: bool,
}

/// A person's prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonPrompt {
    /// Its first lines.
    pub text: String,
    /// Whether it corrects or confirms.
    pub opinion: Option<Feedback>,
}

/// A thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// What.
    pub text: String,
    /// `pending`, `in_progress`, `completed`.
    pub status: String,
}

/// A file of the session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileUse {
    /// As the tool was given it.
    pub path: String,
    /// How often it was read.
    pub read: u32,
    /// How often it was written.
    pub written: u32,
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCall {
    /// What was done.
    pub deed: String,
    /// What came out.
    pub message: String,
    /// What was done next in the same turn.
    pub then: Option<String>,
}

/// A prompt and what was done for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionTurn {
    /// When it began, as the transcript has it.
    pub time: String,
    /// The prompt in a line.
    pub asked: String,
    /// Files written.
    pub written: u32,
    /// Commands run.
    pub ran: u32,
    /// Other calls.
    pub other: u32,
    /// Calls that failed.
    pub failed: u32,
}
