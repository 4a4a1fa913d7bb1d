//! The memories that a session suggests, found by rules: without a model, from what the person said.
//!
//! # Layout
//! - [`Candidate`], [`Dropped`]: what was found, and what was left out, with the reason.
//! - `agent_text`: what the agent said first. `session_event`: a record by itself, read on all cores. `gatherer`: a
//!   transcript turn by turn. `prompt`: what one prompt says. `visible_text`: what of it can be seen. `pasted_text`,
//!   `speech`: sentences without what was pasted. `language`, `rules`: classes of statements as data, in
//!   `templates/extract`. `sentence_outcome`: what they say of a sentence. `request_phrases`: questions that are none.
//!   `retraction_phrases`: what retracts what was said before.
//! - `known_instructions`: what instruction files say. `pending_memory`: what may become a memory. `memory_text`: the
//!   memory.
//! - [`propose_candidates`]: a model looks at what was said, and is believed as far as it quotes. `scratch_memory` and
//!   `tool_proposals`: one that works with the memory tool.
//! - [`extraction_state`]: how far a session was read.
//!
//! Only words of the person count: results of tools, the agent's own, a subagent's and a host's do not. A
//! turn in which the agent wrote memory itself is left out.

mod agent_text;
mod candidate;
pub mod extraction_state;
mod gatherer;
mod known_instructions;
mod language;
mod memory_text;
mod model_proposals;
mod pasted_text;
mod pending_memory;
mod prompt;
mod request_phrases;
mod retraction_phrases;
mod rules;
mod scratch_memory;
mod sentence_outcome;
mod session_event;
mod speech;
mod tool_proposals;
mod visible_text;

use std::collections::BTreeSet;
use std::path::Path;

pub use candidate::{
    CANDIDATES_MAX, Candidate, CandidateSource, DROPPED_MAX, Dropped, Reason, SURE_MIN, SpeechAct,
};
pub use known_instructions::KnownInstructions;
pub use model_proposals::{ModelContext, PromptText, propose_candidates};
pub use retraction_phrases::{LastSaid, RetractionRecord, RetractionTarget, SubjectWords};
pub use speech::spoken_sentences;

use crate::transcript::{Cursor, Transcript, TranscriptError, TranscriptRecord};
use crate::wrote::MemoryWrites;
use agent_text::AgentPhrases;
use gatherer::Gatherer;
use session_event::SessionEvent;

/// What a run knows beside the transcript.
pub struct ExtractContext<'a> {
    /// The session's id.
    pub session: &'a str,
    /// What instruction files say.
    pub known: &'a KnownInstructions,
    /// What the agent wrote to memory itself.
    pub writes: MemoryWrites<'a>,
}

/// What a stretch of a transcript brought.
#[derive(Clone, Debug, Default)]
pub struct Extraction {
    /// What may be kept, in the order in which it was said.
    pub candidates: Vec<Candidate>,
    /// What looked like it and was left out.
    pub dropped: Vec<Dropped>,
    /// Prompts that were looked at.
    pub prompts: usize,
    /// Records of a host, of any sort; none where the file is no transcript.
    pub records: usize,
    /// Turns that were left out because the agent wrote memory in them.
    pub written_turns: usize,
    /// The last of them, as they were said, for a model.
    pub heard: Vec<PromptText>,
    /// The directories that the session stood in.
    pub folders: BTreeSet<String>,
    /// What was taken back, in its order: an earlier run may have kept it.
    pub taken_back: Vec<RetractionRecord>,
    /// What the person said last; none where they said nothing.
    pub last: Option<LastSaid>,
    /// Where the next reading goes on.
    pub cursor: Cursor,
}

/// Reads a transcript on from a cursor.
///
/// # Errors
/// It cannot be read.
pub fn extract_transcript(
    transcript: &Path,
    from: &Cursor,
    setting: &ExtractContext<'_>,
) -> Result<Extraction, TranscriptError> {
    let mut gatherer = Gatherer::default();
    let open = Transcript::open_at(transcript, from)?;
    let (session, known) = (setting.session, setting.known);
    let look = |record: &TranscriptRecord<'_>| SessionEvent::from_record(record, session, known);
    let cursor = open.read_on_cores(look, |event| gatherer.take_event(event, setting))?;
    gatherer.end_turn();
    let quotes = gatherer
        .found
        .candidates
        .iter()
        .map(|one| one.quote.as_str());
    let phrases = AgentPhrases::read(transcript, quotes)?;
    gatherer.drop_pasted(&phrases);
    gatherer.found.cursor = cursor;
    Ok(gatherer.found)
}
