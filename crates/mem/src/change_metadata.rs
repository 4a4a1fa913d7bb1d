//! What a run remembers of what it opened, and who writes in it.

use mem_agent::session::source::writing_author;
use mem_core::store::ChangeMetadata;

use crate::context::Context;

impl Context {
    /// An order of whoever runs this, at the present.
    pub(crate) fn change_metadata(&self, verb: &'static str) -> ChangeMetadata {
        ChangeMetadata::new(verb, writing_author(self), self.now)
    }
}
