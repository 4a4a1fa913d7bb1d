//! What a run remembers of what it opened, and who writes in it.

use mem_agent::session::source::writing_author;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::ChangeMetadata;
use mem_find::session;

use crate::context::Context;

impl Context {
    /// Remembers that a memory was read in a host's session: it need not be recalled there again, and
    /// where it was recalled before, that counts for it. Outside of sessions nothing is written.
    pub(crate) fn note_read(&self, memory: &ProjectMemory, note: &Note) {
        if let Some(session) = self.author().session
            && let Err(error) = session::mark_read(memory, &session, note, self.now)
        {
            let text = format_args!("that this session read it is not remembered: {error}");
            self.detail(text);
        }
    }

    /// An order of whoever runs this, at the present.
    pub(crate) fn change_metadata(&self, verb: &'static str) -> ChangeMetadata {
        ChangeMetadata::new(verb, writing_author(self), self.now)
    }
}
