//! What the agent that runs this has read in its turn.

use std::path::Path;
use std::time::SystemTime;

use mem_core::history::{Author, AuthorKind};
use mem_core::memory::ProjectMemory;
use mem_core::{RunContext, TextSource};
use mem_find::session::{self, ShownMemories};

use super::place;
use super::selection::session_folders;
use crate::transcript::{SessionIdentity, turn_source};

/// A host writes its transcript at every step: one that was written to longer ago is of no session that asks now.
const QUIET_SECONDS_MAX: u64 = 15 * 60;

/// Who writes in a run, with the least trusted source of the turn in which an agent does.
pub fn writing_author(run: &RunContext) -> Author {
    Author {
        source: turn_source_of(run),
        ..run.author()
    }
}

/// The least trusted source of the turn in which an agent runs this, by the transcript of its session and by what the
/// hooks have recorded of it: the session of the id that the host gives, else the newest of this repository. `None`
/// for a person, and where nobody can tell.
pub fn turn_source_of(run: &RunContext) -> Option<TextSource> {
    match run.author().actor {
        AuthorKind::Agent => session_source(run),
        _ => None,
    }
}

/// The same for a client of a protocol, which is never a person.
pub fn session_source(run: &RunContext) -> Option<TextSource> {
    let dirs = run.dirs().ok()?;
    let id = run.author().session;
    let named = id.as_ref().and_then(|id| place::transcript_of(dirs, id));
    let newest = || {
        let folders = session_folders(run).ok()?;
        place::newest_transcript(dirs, &folders).filter(|path| !is_quiet(run, path))
    };
    let transcript = named.or_else(newest);
    let id = id.or_else(|| session_id(transcript.as_deref()?));
    let read = transcript.and_then(|path| turn_source(&path));
    read.max(recorded_source(run, id.as_deref()))
}

/// What the hooks have recorded of a session; where it is not known, of those that were just at work here.
fn recorded_source(run: &RunContext, session: Option<&str>) -> Option<TextSource> {
    let memory = ProjectMemory::new(&run.place().ok()?.location, run.dirs().ok()?);
    match session {
        Some(_) => ShownMemories::for_memory(&memory, session).source(),
        None => session::latest_source(&memory, &|changed| !is_past(run, changed)),
    }
}

fn is_quiet(run: &RunContext, transcript: &Path) -> bool {
    place::changed_time(transcript).is_some_and(|changed| is_past(run, changed))
}

fn is_past(run: &RunContext, changed: SystemTime) -> bool {
    let since = SystemTime::from(run.now.0).duration_since(changed);
    since.is_ok_and(|since| since.as_secs() > QUIET_SECONDS_MAX)
}

/// Whose session a transcript tells of.
fn session_id(transcript: &Path) -> Option<String> {
    let named = SessionIdentity::of_transcript(transcript).map(|identity| identity.id);
    named.or_else(|| Some(transcript.file_stem()?.to_str()?.to_owned()))
}
