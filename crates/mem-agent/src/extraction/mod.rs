//! Memories taken from a session: what the transcript brought, put where it belongs.
//!
//! `instructions`: what needs no memory because a file says it. `session_project`: whose session it is.
//! `model_candidates`: what a model makes of it. `placement`: what is new, what is there already. `retraction`: what
//! the session takes back. `supersession`: what says otherwise than a memory, `statement_time`: and was said before it.
//! `extraction_memory`: what was kept before, which does not return once somebody undid it. `write`: one change a
//! store, and the inbox.

mod error;
mod extraction_memory;
mod instructions;
mod model_candidates;
mod placement;
mod retraction;
mod session_project;
mod statement_time;
mod supersession;
mod write;
pub mod write_times;

use std::path::Path;

use crate::extract::extraction_state::{ExtractionState, LastStatements};
use crate::extract::{
    Candidate, Dropped, ExtractContext, Extraction, Reason, extract_transcript, extraction_state,
};
use crate::session::place::SessionFiles as Session;
use crate::transcript::{Cursor, SessionIdentity};
use crate::wrote::MemoryWrites;
use mem_core::memory::ProjectMemory;
use mem_core::state_file;

use crate::access::MemoryAccess;
use write_times::WriteTimes;

pub use error::ExtractionError;
pub use placement::{CandidateTarget, PlacedCandidate};
pub use session_project::ForeignTranscript;
pub use write::{ExtractionOutcome, HOST};

/// How a run is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtractionMode {
    /// Nothing is written, nor is it remembered that the session was read.
    pub dry_run: bool,
    /// Rules alone, even where a model is set.
    pub no_model: bool,
    /// From the beginning, whatever was read before.
    pub whole: bool,
    /// The transcript was named, not found by the session's id.
    pub named: bool,
}

/// What a run brought.
pub struct ExtractionReport {
    /// What was found.
    pub found: Extraction,
    /// Each candidate with where it goes.
    pub placed: Vec<PlacedCandidate>,
    /// What was written.
    pub outcome: ExtractionOutcome,
    /// The memories of earlier runs that the session took back.
    pub taken_back: Vec<String>,
    /// Why a model's answer was not taken.
    pub rejected: Option<String>,
    /// Why nobody can tell whether the session is of this repository.
    pub doubt: Option<String>,
}

/// Reads a session on from where the last run stopped, and keeps what it suggests.
///
/// # Errors
/// The transcript cannot be read or is of another repository, a gate refuses, the system does.
pub fn extract_session(
    session: &Session,
    transcript: &Path,
    way: ExtractionMode,
    access: &MemoryAccess<'_>,
) -> Result<ExtractionReport, ExtractionError> {
    let MemoryAccess { place, run, .. } = *access;
    let lock = extraction_state::extraction_file(session).with_extension("extracting");
    let _turn = if way.dry_run {
        None
    } else {
        Some(state_file::lock(&lock)?)
    };
    let mut read = extraction_state::read(session);
    let from = match way.whole {
        true => Cursor::default(),
        false => read.cursor.clone(),
    };
    let memory = ProjectMemory::new(&place.location, run.dirs()?);
    let is_memory = |path: &Path| memory.under(&run.typed_path(path)).is_some();
    let known = instructions::known_instructions(place, run)?;
    let times = WriteTimes::new(&memory, &session.id);
    let setting = ExtractContext {
        session: &session.id,
        known: &known,
        writes: MemoryWrites {
            is_memory: &is_memory,
            is_written: &|start, end| times.has(start, end),
        },
    };
    let mut found = extract_transcript(transcript, &from, &setting)?;
    if found.records == 0 && from.offset == 0 && has_bytes(transcript) {
        return Err(ExtractionError::NoTranscript(transcript.to_owned()));
    }
    if found.folders.is_empty() {
        let identity = SessionIdentity::of_transcript(transcript);
        let folder = identity.and_then(|identity| identity.folder);
        found
            .folders
            .extend(folder.map(|folder| folder.to_string_lossy().into_owned()));
    }
    let doubt = session_project::check(&found.folders, transcript, way.named, place, run)?;
    let rejected = match way.no_model {
        true => None,
        false => model_candidates::propose_by_model(&mut found, &setting, &memory, place, run),
    };
    times.finish()?;
    let back = retraction::take_back(&found, &read, &session.id, way, &memory, access)?;
    let placement::CandidateTargets {
        mut placed,
        gone,
        warnings,
    } = placement::all(&found.candidates, &read.kept, &memory);
    found.dropped.extend(gone);
    forget_doubts(&placed, &mut found);
    let mut outcome = match way.dry_run {
        true => ExtractionOutcome::default(),
        false => write_all(&placed, &found, &mut read, (session, &memory), access)?,
    };
    outcome
        .warnings
        .extend(back.warnings.into_iter().chain(warnings));
    outcome.changes.splice(0..0, back.changes);
    outcome.waiting += back.waiting;
    settle_targets(&outcome, &mut placed);
    set_aside(&mut outcome, &mut placed, &mut found);
    Ok(ExtractionReport {
        found,
        placed,
        outcome,
        taken_back: back.files,
        rejected,
        doubt,
    })
}

/// Writes what was placed, and remembers what comes of that for the next run.
fn write_all(
    placed: &[PlacedCandidate],
    found: &Extraction,
    read: &mut ExtractionState,
    (session, memory): (&Session, &ProjectMemory),
    access: &MemoryAccess<'_>,
) -> Result<ExtractionOutcome, ExtractionError> {
    let mut outcome = write::all(placed, &session.id, memory, access)?;
    let set_aside = extraction_memory::keep(placed, &outcome, memory)?;
    outcome.warnings.extend(set_aside);
    read.cursor = found.cursor.clone();
    read.add_kept(placed.iter().map(|one| one.candidate.source.from.clone()));
    remember_last(found, read);
    extraction_state::write(session, read)?;
    Ok(outcome)
}

/// Remembers what was said last, for the next run to take it back, and what took something back.
fn remember_last(found: &Extraction, read: &mut ExtractionState) {
    read.take_back(found.taken_back.iter().map(|one| one.record.clone()));
    if let Some(last) = &found.last {
        let said = last.quote.as_deref().map(extraction_memory::digests);
        read.last = Some(LastStatements {
            record: last.record.clone(),
            said: said.into_iter().flatten().collect(),
            goes_on: last.goes_on,
            is_asked: last.is_asked,
        });
    }
}

/// What was left out because too little speaks for it is not, where it goes before a person after all.
fn forget_doubts(placed: &[PlacedCandidate], found: &mut Extraction) {
    let is_placed = |one: &Dropped| {
        let mut waiting = placed
            .iter()
            .filter(|one| one.target == CandidateTarget::Inbox);
        one.reason == Reason::Unsure
            && waiting.any(|placed| placed.candidate.quote.contains(&one.quote))
    };
    found.dropped.retain(|one| !is_placed(one));
}

/// What got a line in a file that was there is no memory of its own, whatever it was when it was placed.
fn settle_targets(outcome: &ExtractionOutcome, placed: &mut [PlacedCandidate]) {
    let written = outcome.files.iter().zip(&outcome.appended);
    for (one, (file, appended)) in placed.iter_mut().zip(written) {
        if let (CandidateTarget::New, Some(file), true) = (&one.target, file, appended) {
            one.target = CandidateTarget::Same(file.clone());
        }
    }
}

/// Tells of what cannot be written among what was left out.
fn set_aside(
    outcome: &mut ExtractionOutcome,
    placed: &mut Vec<PlacedCandidate>,
    found: &mut Extraction,
) {
    let mut unfit = std::mem::take(&mut outcome.unfit);
    // From the last on, so that the places before it stay.
    unfit.sort_unstable_by(|one, other| other.cmp(one));
    for (at, can_be_quoted) in unfit {
        let Candidate { quote, kind, .. } = placed.remove(at).candidate;
        let shown = match can_be_quoted {
            true => quote,
            false => kind.to_string(),
        };
        found.dropped.push(Dropped::new(shown, Reason::Refused));
        outcome.files.remove(at);
    }
}

fn has_bytes(file: &Path) -> bool {
    file.metadata().is_ok_and(|about| about.len() > 0)
}
