//! What one record of a transcript says, told apart from all others: any core can do that.

use super::Known;
use super::prompt::Prompt;
use super::visible::visible;
use crate::transcript::{Origin, Part, Record, Said};
use crate::wrote::{Call, calls};

/// Of what the agent said before a prompt, so much is remembered.
const BEFORE_BYTES_MAX: usize = 400;

/// What a record says.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) uuid: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) told: Told,
    /// Calls that may write memory, and what came of calls.
    pub(super) calls: Vec<Call>,
}

/// Who said something, and what.
#[derive(Debug)]
pub(super) enum Told {
    /// A person, weighed.
    Prompt(Box<Prompt>),
    /// The agent: how its last text begins, and whether that ends with a question.
    Agent(String, bool),
    /// Nobody of those.
    Nothing,
}

impl Event {
    /// Of a record of a session.
    pub(super) fn of(record: &Record<'_>, session: &str, known: &Known) -> Self {
        let told = match &record.said {
            Said::User {
                origin: Origin::Person,
                parts,
            } => Prompt::of(parts, record, session, known)
                .map_or(Told::Nothing, |prompt| Told::Prompt(Box::new(prompt))),
            Said::Assistant { parts, .. } => {
                last_text(parts).map_or(Told::Nothing, |(text, asks)| Told::Agent(text, asks))
            }
            _ => Told::Nothing,
        };
        Self {
            uuid: record.uuid.as_deref().map(str::to_owned),
            cwd: record.cwd.as_deref().map(str::to_owned),
            told,
            calls: calls(record),
        }
    }
}

fn last_text(parts: &[Part<'_>]) -> Option<(String, bool)> {
    let text = parts.iter().rev().find_map(|part| match part {
        Part::Text(text) if !text.trim().is_empty() => Some(text),
        _ => None,
    })?;
    let asks = text.trim_end().ends_with(['?', '？']);
    let beginning = &text[..text.floor_char_boundary(BEFORE_BYTES_MAX)];
    Some((visible(beginning), asks))
}
