//! Memories taken from a session: what the transcript brought, put where it belongs.
//!
//! `instructions`: what needs no memory because a file says it. `belongs`: whose session it is. `proposed`: what a model makes of it. `place`: what
//! is new, what is there already. `write`: one change a store, and the inbox.

mod belongs;
mod instructions;
mod place;
mod proposed;
mod write;

use std::path::Path;

use anyhow::Result;
use mem_agent::extract::{Found, Setting, extract, state};
use mem_agent::session::place::Place as Session;
use mem_agent::transcript::Cursor;
use mem_core::location::Place;
use mem_core::memory::Memory;
use mem_core::state_file;

use crate::context::Context;

pub(crate) use belongs::ForeignTranscript;
pub(crate) use place::{Placed, Target};
pub(crate) use write::{HOST, Outcome};

/// How a run is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Way {
    /// Nothing is written, nor is it remembered that the session was read.
    pub dry_run: bool,
    /// Rules alone, even where a model is set.
    pub no_model: bool,
    /// From the beginning, whatever was read before.
    pub whole: bool,
}

/// What a run brought.
pub(crate) struct Extracted {
    /// What was found.
    pub found: Found,
    /// Each candidate with where it goes.
    pub placed: Vec<Placed>,
    /// What was written.
    pub outcome: Outcome,
    /// Why a model's answer was not taken.
    pub rejected: Option<String>,
}

/// Reads a session on from where the last run stopped, and keeps what it suggests.
///
/// # Errors
/// The transcript cannot be read or is of another repository, a gate refuses, the system does.
pub(crate) fn run(
    session: &Session,
    transcript: &Path,
    place: &Place,
    way: Way,
    context: &Context,
) -> Result<Extracted> {
    let lock = state::file(session).with_extension("extracting");
    let _turn = if way.dry_run {
        None
    } else {
        Some(state_file::lock(&lock)?)
    };
    let from = match way.whole {
        true => Cursor::default(),
        false => state::read(session).cursor,
    };
    let memory = Memory::new(&place.location, context.dirs()?);
    let is_memory = |path: &Path| memory.under(&context.cwd.join(path)).is_some();
    let known = instructions::known(place, context)?;
    let setting = Setting {
        session: &session.id,
        known: &known,
        has_team: !place.config.text("team.remote").is_empty(),
        is_memory: &is_memory,
    };
    let mut found = extract(transcript, &from, &setting)?;
    belongs::check(&found.folders, transcript, place, context)?;
    let rejected = match way.no_model {
        true => None,
        false => proposed::look(&mut found, &setting, &memory, place, context),
    };
    let placed = place::all(&found.candidates, &memory);
    let outcome = match way.dry_run {
        true => Outcome::default(),
        false => {
            let outcome = write::all(&placed, &session.id, &memory, place, context)?;
            let cursor = found.cursor.clone();
            state::write(session, &state::State { cursor })?;
            outcome
        }
    };
    Ok(Extracted {
        found,
        placed,
        outcome,
        rejected,
    })
}
