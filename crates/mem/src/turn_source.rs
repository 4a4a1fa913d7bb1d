//! What the agent that runs this has read in its turn: [`Context::turn_source`].

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use mem_agent::session::place;
use mem_agent::transcript::turn_source;
use mem_core::TextSource;
use mem_core::history::AuthorKind;

use crate::commands::session::session_folders;
use crate::context::Context;

/// A host writes its transcript at every step: one that was written to longer ago is of no session that asks now.
const QUIET_SECONDS_MAX: u64 = 15 * 60;

impl Context {
    /// The least trusted source of the turn in which an agent runs this, by the transcript of its session: the one of
    /// the id that the host gives, else the newest of this repository. `None` for a person, and where nobody can tell.
    pub(crate) fn turn_source(&self) -> Option<TextSource> {
        match self.author().actor {
            AuthorKind::Agent => self.session_source(),
            _ => None,
        }
    }

    /// The same for a client of a protocol, which is no person whoever started this.
    pub(crate) fn session_source(&self) -> Option<TextSource> {
        let dirs = self.dirs().ok()?;
        let named = self.author().session;
        let named = named.and_then(|id| place::transcript_of(dirs, &id));
        let newest = || {
            let folders = session_folders(self).ok()?;
            place::newest_transcript(dirs, &folders).filter(|path| !self.is_quiet(path))
        };
        turn_source(&named.or_else(newest)?)
    }

    fn is_quiet(&self, transcript: &Path) -> bool {
        let changed = fs::metadata(transcript).and_then(|meta| meta.modified());
        let now = SystemTime::from(self.now.0);
        let since = changed.ok().and_then(|time| now.duration_since(time).ok());
        since.is_some_and(|since| since.as_secs() > QUIET_SECONDS_MAX)
    }
}
