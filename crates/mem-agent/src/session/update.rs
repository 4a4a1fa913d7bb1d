//! Bringing the notes of a session up to date.

use std::io;
use std::path::Path;

use mem_core::Diagnose;
use mem_core::regular_file::{self, if_there};
use mem_core::state_file::{self, StateError};
use mem_secrets::redacted;

use super::budget::NotesSize;
use super::digest::Digest;
use super::notes::{SessionNotes, TEMPLATE};
use super::notes_merge::{Owned, merge_fillings};
use super::place::SessionFiles;
use super::prompt::update_prompt;
use super::render::section_fillings;
use super::state::SessionState;
use super::state_storage;
use crate::model::{Model, ModelQuestion};
use crate::transcript::TranscriptError;

/// The largest notes that are read; a person may write more than a budget.
pub const NOTES_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Why notes could not be brought up to date.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum NotesUpdateError {
    /// The transcript.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The state or the notes could not be written.
    #[error(transparent)]
    State(#[from] StateError),
    /// The file has content, and nothing in it is of a session: notes of it would be an empty template.
    #[error("`{}` holds nothing of a session", .0.display())]
    #[diagnose(
        Invalid,
        hint = "a transcript has a JSON record a line, with the session and what was said"
    )]
    NothingSaid(std::path::PathBuf),
    /// The notes are there and cannot be read; they are left as they are.
    #[error("cannot read the notes `{}`: {source}", path.display())]
    #[diagnose(Io, hint = "mend the file, or move it away: it is made anew")]
    Notes {
        /// Their file.
        path: std::path::PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// What a run uses beside the session itself.
#[derive(Debug, Default)]
pub struct UpdateContext<'m> {
    /// The user's own template.
    pub template: Option<String>,
    /// The user's own prompt.
    pub prompt: Option<String>,
    /// The model that rewrites the notes, if one is set.
    pub model: Option<&'m Model>,
    /// Paths below it are shown relative to it.
    pub root: Option<&'m Path>,
    /// The host's summary, where the conversation has just been compacted.
    pub summary: Option<String>,
}

/// What an update did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesUpdate {
    /// Whether the file is another than before.
    pub changed: bool,
    /// Whether a model wrote it.
    pub by_model: bool,
    /// Its size.
    pub size: NotesSize,
    /// Why a model's answer was not taken.
    pub rejected: Option<String>,
}

/// Reads on in the transcript and remembers how far, under the session's lock.
///
/// # Errors
/// The transcript cannot be read, the state not be written.
pub fn advance_session(
    place: &SessionFiles,
    transcript: &Path,
) -> Result<SessionState, NotesUpdateError> {
    let _lock = state_file::lock(&place.state.with_extension("lock"))?;
    let mut state = state_storage::read(place)?;
    state.advance_state(transcript)?;
    state_storage::write(place, &state)?;
    Ok(state)
}

/// Brings the notes up to date, under the session's lock: first what was gathered goes in, then the
/// model, if there is one, rewrites the whole.
///
/// # Errors
/// See [`NotesUpdateError`]; the notes are then as they were.
pub fn update_notes(
    place: &SessionFiles,
    transcript: &Path,
    means: &UpdateContext<'_>,
) -> Result<NotesUpdate, NotesUpdateError> {
    let _lock = state_file::lock(&place.state.with_extension("lock"))?;
    let mut state = state_storage::read(place)?;
    state.advance_state(transcript)?;
    if let Some(summary) = &means.summary {
        state.digest.take_summary(summary);
    }
    let before = read_notes(place)?;
    let is_empty = || std::fs::metadata(transcript).is_ok_and(|meta| meta.len() == 0);
    if before.is_none() && state.digest == Digest::default() && !is_empty() {
        return Err(NotesUpdateError::NothingSaid(transcript.to_owned()));
    }
    // Written before the model is asked: whatever it answers, and if it never does, the notes are up to date.
    let mut notes = write_gathered(place, &mut state, before.as_deref(), means)?;
    let mut changed = before.as_deref() != Some(notes.to_string().as_str());
    let (mut by_model, mut rejected) = (false, None);
    if let Some(model) = means.model {
        match rewrite_by_model(place, &notes, means, model) {
            Ok(new) => {
                changed = changed || new != notes;
                state_file::write(&place.notes, new.to_string().as_bytes())?;
                // No block stands as we left it any more. What was gathered so far is in the model's words, and would
                // come twice.
                state
                    .owned
                    .give_up_all(&section_fillings(&state.digest, means.root));
                (notes, by_model) = (new, true);
            }
            Err(reason) => rejected = Some(reason),
        }
    }
    // After the notes: a crash before it makes the update due again, which changes nothing then.
    state.updated = Some(state.digest.counts);
    state_storage::write(place, &state)?;
    Ok(NotesUpdate {
        changed,
        by_model,
        size: NotesSize::from_notes(&notes),
        rejected,
    })
}

/// Puts in what was gathered, and writes it.
fn write_gathered(
    place: &SessionFiles,
    state: &mut SessionState,
    before: Option<&str>,
    means: &UpdateContext<'_>,
) -> Result<SessionNotes, NotesUpdateError> {
    let template = means.template.as_deref().unwrap_or(TEMPLATE);
    let fillings = section_fillings(&state.digest, means.root);
    let old = SessionNotes::parse(before.unwrap_or(template));
    if before.is_none() {
        // Whoever removed the notes wants them anew: what was settled in them is so no more.
        state.owned = Owned::default();
    }
    let mut owned = state.owned.clone();
    let notes = merge_fillings(&old, &fillings, &mut owned);
    // Somebody may have saved while we thought: what they wrote is what goes in.
    // The lock keeps other processes of `mem` out, but no editor.
    let now = read_notes(place)?;
    let (notes, owned) = if now.as_deref() == before {
        (notes, owned)
    } else {
        let mut owned = state.owned.clone();
        let theirs = SessionNotes::parse(now.as_deref().unwrap_or(template));
        (merge_fillings(&theirs, &fillings, &mut owned), owned)
    };
    let text = notes.to_string();
    if now.as_deref() != Some(&text) {
        state_file::write(&place.notes, text.as_bytes())?;
    }
    state.owned = owned;
    Ok(notes)
}

/// The model's notes, or why they are not taken.
fn rewrite_by_model(
    place: &SessionFiles,
    notes: &SessionNotes,
    means: &UpdateContext<'_>,
    model: &Model,
) -> Result<SessionNotes, String> {
    let prompt = update_prompt(means.prompt.as_deref(), notes, &place.notes);
    let answer = model
        .ask_model(ModelQuestion::Session, &prompt)
        .map_err(|error| error.to_string())?;
    let new = accept_answer(&redacted(&answer), notes)?;
    let now = read_notes(place).map_err(|error| error.to_string())?;
    match now.as_deref() == Some(notes.to_string().as_str()) {
        true => Ok(new),
        false => Err("the notes were edited while the model wrote".to_owned()),
    }
}

/// An answer as notes, where it keeps the frame and the budget.
fn accept_answer(answer: &str, old: &SessionNotes) -> Result<SessionNotes, String> {
    let unfenced = answer
        .strip_prefix("```markdown\n")
        .or_else(|| answer.strip_prefix("```\n"))
        .and_then(|rest| rest.strip_suffix("```"));
    let mut new = SessionNotes::parse(unfenced.unwrap_or(answer));
    new.preamble.clone_from(&old.preamble);
    if !new.has_frame_of(old) {
        return Err("the model changed the headings or the lines of guidance".to_owned());
    }
    if let Some(last) = new.sections.last_mut()
        && !last.body.ends_with('\n')
    {
        last.body.push('\n');
    }
    if !NotesSize::from_notes(&new).is_within() {
        return Err("the model's notes are over budget".to_owned());
    }
    Ok(new)
}

/// The notes as they stand; nothing where there are none yet.
///
/// # Errors
/// They are there, and no text, too large or unreadable.
pub fn read_notes(place: &SessionFiles) -> Result<Option<String>, NotesUpdateError> {
    let fail = |source| NotesUpdateError::Notes {
        path: place.notes.clone(),
        source,
    };
    let read = if_there(regular_file::read(&place.notes, NOTES_BYTES_MAX)).map_err(fail)?;
    let text = read.map(String::from_utf8).transpose();
    text.map_err(|error| fail(io::Error::other(error)))
}
