//! What one record of a transcript says, told apart from all others: any core can do that.

use super::KnownInstructions;
use super::prompt::ExtractPrompt;
use crate::transcript::{MessagePart, RecordBody, RecordOrigin, TranscriptRecord};
use crate::wrote::{Call, record_calls};

/// What a record says.
#[derive(Debug)]
pub(super) struct SessionEvent {
    pub(super) uuid: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) told: Utterance,
    /// Calls that may write memory, and what came of calls.
    pub(super) calls: Vec<Call>,
}

/// Who said something, and what.
#[derive(Debug)]
pub(super) enum Utterance {
    /// A person, weighed.
    Prompt(Box<ExtractPrompt>),
    /// The agent: whether its last text ends with a question.
    Agent(bool),
    /// Nobody of those.
    Nothing,
}

impl SessionEvent {
    /// Of a record of a session.
    pub(super) fn from_record(
        record: &TranscriptRecord<'_>,
        session: &str,
        known: &KnownInstructions,
    ) -> Self {
        let told = match &record.said {
            RecordBody::User {
                origin: RecordOrigin::Person,
                parts,
            } => ExtractPrompt::from_record(parts, record, session, known)
                .map_or(Utterance::Nothing, |prompt| {
                    Utterance::Prompt(Box::new(prompt))
                }),
            RecordBody::Assistant { parts, .. } => {
                ends_asking(parts).map_or(Utterance::Nothing, Utterance::Agent)
            }
            _ => Utterance::Nothing,
        };
        Self {
            uuid: record.uuid.as_deref().map(str::to_owned),
            cwd: record.cwd.as_deref().map(str::to_owned),
            told,
            calls: record_calls(record),
        }
    }
}

/// Whether the last text of the agent ends with a question; `None` where there is no text.
fn ends_asking(parts: &[MessagePart<'_>]) -> Option<bool> {
    let text = parts.iter().rev().find_map(|part| match part {
        MessagePart::Text(text) if !text.trim().is_empty() => Some(text),
        _ => None,
    })?;
    Some(text.trim_end().ends_with(['?', '？']))
}
