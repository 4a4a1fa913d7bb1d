//! What the hooks of a session leave to processes that outlive the host: its notes, and the memories that it suggests.
//! Nobody reads what they print, so they say what went wrong for the log.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use mem_agent::access::MemoryAccess;
use mem_agent::extraction::{ExtractionMode, extract_session};
use mem_agent::session::selection::{ChosenSession, SessionQuery};
use mem_agent::session::update::advance_session;
use mem_agent::transcript::wait_for_transcript;
use mem_agent::use_figures;
use mem_core::config::WriteMode;
use mem_core::memory::ProjectMemory;
use mem_core::{RunContext, atomic};
use mem_team::write_gates::ProjectGate;

use crate::HookError;

/// The bytes after which a summary is cut: every pipe holds as many, so that a hook can leave them in it.
pub const SUMMARY_BYTES_MAX: usize = 16 * 1024;

/// The arguments of the process that updates the notes of a session; where the conversation `is_compacted`, it does so
/// though that is not due, and reads a summary from its standard input.
pub fn update_command(
    session: Option<&str>,
    transcript: Option<&Path>,
    is_compacted: bool,
) -> Vec<String> {
    let mut args = ["session", "update", "--quiet", "--background"]
        .map(str::to_owned)
        .to_vec();
    args.extend(transcript.map(|path| format!("--transcript={}", path.display())));
    args.extend(session.map(|session| format!("--session={session}")));
    args.extend(is_compacted.then(|| "--compacted".to_owned()));
    args
}

/// The arguments of the process that keeps what a session suggests.
pub fn extraction_command(session: Option<&str>, transcript: Option<&Path>) -> Vec<String> {
    let mut args = ["extract", "--quiet", "--background"]
        .map(str::to_owned)
        .to_vec();
    args.extend(transcript.map(|path| format!("--transcript={}", path.display())));
    args.extend(
        session
            .into_iter()
            .flat_map(|id| ["--".to_owned(), id.to_owned()]),
    );
    args
}

/// How a background update of the notes goes.
pub struct BackgroundUpdate<'a> {
    /// Whether a model may be asked.
    pub with_model: bool,
    /// The conversation is compacted: however short a session is, the rest of it is gone from the context.
    pub is_compacted: bool,
    /// Reads the host's summary of a compacted conversation, if there is one.
    pub read_summary: &'a dyn Fn() -> Option<String>,
}

/// Brings the notes of a session up to date where that is due, one process at a time; says what the log is to know.
///
/// # Errors
/// There is no such session, or its transcript or its notes cannot be read or written.
pub fn update_if_due(
    query: &SessionQuery,
    update: &BackgroundUpdate<'_>,
    run: &RunContext,
) -> Result<Option<String>, HookError> {
    let repository = run.place()?;
    if !repository.location.enabled {
        return Ok(None);
    }
    let transcript = query.transcript.iter();
    transcript.for_each(|path| wait_for_transcript(path));
    let chosen = query.choose_session(run)?;
    // One process updates, one waits for it to end and then sees all that was said until then;
    // a third has nothing to add. A compaction has: the one that waits may find that no update is due.
    let turn = next_turn(&chosen)?;
    if turn.is_none() && !update.is_compacted {
        return Ok(None);
    }
    let summary = match update.is_compacted {
        true => (update.read_summary)(),
        false => None,
    };
    // Figures only: that they are missing keeps nobody from the notes.
    let memory = ProjectMemory::new(&repository.location, run.dirs()?);
    if let Some(transcript) = &chosen.transcript {
        let at = run.now.0.as_second();
        let _ = use_figures::measure_session(&chosen.place.id, transcript, &memory, at);
    }
    let is_wanted = match update.is_compacted {
        // However short a session is, the rest of it is gone from the context.
        true => {
            let state = advance_session(&chosen.place, chosen.transcript_path()?)?;
            state.digest.counts.tokens > 0
        }
        false => chosen.check_due(&repository.project, run)?.due,
    };
    drop(turn);
    if !is_wanted {
        return Ok(None);
    }
    let done = chosen.update_notes(update.with_model, summary, &repository, run)?;
    Ok(done
        .rejected
        .map(|reason| format!("no model rewrote the notes: {reason}")))
}

/// The place of the one that waits; `None` where it is taken.
fn next_turn(chosen: &ChosenSession) -> io::Result<Option<File>> {
    let path = chosen.place.state.with_extension("next");
    atomic::create_dirs(path.parent().unwrap_or(Path::new(".")))?;
    let file = File::options().create(true).append(true).open(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Keeps what a session suggests, where extraction is switched on; says why a model's answer was not taken, and what a
/// person would be warned of.
///
/// # Errors
/// There is no such session, or its transcript or the memory cannot be read or written.
pub fn extract_if_wanted(query: &SessionQuery, run: &RunContext) -> Result<Vec<String>, HookError> {
    let place = run.place()?;
    let values = &place.config.values;
    let is_wanted = values.extract.enabled && values.memory.write != WriteMode::ReadOnly;
    if !place.location.enabled || !is_wanted {
        return Ok(Vec::new());
    }
    query
        .transcript
        .iter()
        .for_each(|path| wait_for_transcript(path));
    let chosen = query.choose_session(run)?;
    let mode = ExtractionMode {
        named: query.transcript.is_some(),
        ..ExtractionMode::default()
    };
    let access = MemoryAccess {
        place: &place,
        gate: &ProjectGate::for_place(&place, run),
        run,
    };
    let extracted = extract_session(&chosen.place, chosen.transcript_path()?, mode, &access)?;
    let rejected = extracted.rejected.into_iter();
    let rejected = rejected.map(|reason| format!("no model had a say: {reason}"));
    let told = extracted
        .doubt
        .into_iter()
        .chain(extracted.outcome.warnings);
    Ok(rejected.chain(told).collect())
}
