//! What the agent that runs this has read in its turn: [`Context::turn_source`].

use std::path::Path;
use std::time::SystemTime;

use mem_agent::session::place;
use mem_agent::transcript::{SessionIdentity, turn_source};
use mem_core::TextSource;
use mem_core::history::AuthorKind;
use mem_core::memory::ProjectMemory;
use mem_find::session::{self, ShownMemories};

use crate::commands::session::session_folders;
use crate::context::Context;

/// A host writes its transcript at every step: one that was written to longer ago is of no session that asks now.
const QUIET_SECONDS_MAX: u64 = 15 * 60;

impl Context {
    /// The least trusted source of the turn in which an agent runs this, by the transcript of its session and by what the
    /// hooks have recorded of it: the session of the id that the host gives, else the newest of this repository. `None`
    /// for a person, and where nobody can tell.
    pub(crate) fn turn_source(&self) -> Option<TextSource> {
        match self.author().actor {
            AuthorKind::Agent => self.session_source(),
            _ => None,
        }
    }

    /// The same for a client of a protocol, which is no person whoever started this.
    pub(crate) fn session_source(&self) -> Option<TextSource> {
        let dirs = self.dirs().ok()?;
        let id = self.author().session;
        let named = id.as_ref().and_then(|id| place::transcript_of(dirs, id));
        let newest = || {
            let folders = session_folders(self).ok()?;
            place::newest_transcript(dirs, &folders).filter(|path| !self.is_quiet(path))
        };
        let transcript = named.or_else(newest);
        let id = id.or_else(|| session_id(transcript.as_deref()?));
        let read = transcript.and_then(|path| turn_source(&path));
        read.max(self.recorded_source(id.as_deref()))
    }

    /// What the hooks have recorded of a session; where it is not known, of those that were just at work here.
    fn recorded_source(&self, session: Option<&str>) -> Option<TextSource> {
        let memory = ProjectMemory::new(&self.place().ok()?.location, self.dirs().ok()?);
        match session {
            Some(_) => ShownMemories::for_memory(&memory, session).source(),
            None => session::latest_source(&memory, &|changed| !self.is_past(changed)),
        }
    }

    fn is_quiet(&self, transcript: &Path) -> bool {
        place::changed_time(transcript).is_some_and(|changed| self.is_past(changed))
    }

    fn is_past(&self, changed: SystemTime) -> bool {
        let since = SystemTime::from(self.now.0).duration_since(changed);
        since.is_ok_and(|since| since.as_secs() > QUIET_SECONDS_MAX)
    }
}

/// Whose session a transcript tells of.
fn session_id(transcript: &Path) -> Option<String> {
    let named = SessionIdentity::of_transcript(transcript).map(|identity| identity.id);
    named.or_else(|| Some(transcript.file_stem()?.to_str()?.to_owned()))
}
