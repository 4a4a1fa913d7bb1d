//! The circumstances of a write: who, what for, when.

use crate::Now;
use crate::history::Author;

/// What is recorded with a change besides the files.
#[derive(Clone, Debug)]
pub struct ChangeMetadata {
    /// The verb shown in the history: `save`, `edit`, ...
    pub verb: &'static str,
    /// Who asks.
    pub author: Author,
    /// Why, where someone said so.
    pub reason: Option<String>,
    /// The present.
    pub now: Now,
    /// Whether folders that the change empties go with what stood in them.
    pub clears_folders: bool,
}

impl ChangeMetadata {
    /// An order without a reason.
    pub fn new(verb: &'static str, author: Author, now: Now) -> Self {
        Self {
            verb,
            author,
            reason: None,
            now,
            clears_folders: false,
        }
    }

    /// The same with a reason.
    #[must_use]
    pub fn because(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }

    /// The same, of a change that leaves no empty folder behind: elsewhere a file may have its name.
    #[must_use]
    pub fn clearing_folders(self) -> Self {
        Self {
            clears_folders: true,
            ..self
        }
    }
}
