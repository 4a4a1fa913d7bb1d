//! The circumstances of a write: who, what for, when.

use crate::Now;
use crate::history::Author;

/// What is recorded with a change besides the files.
#[derive(Clone, Debug)]
pub struct Order {
    /// The verb shown in the history: `save`, `edit`, ...
    pub verb: &'static str,
    /// Who asks.
    pub author: Author,
    /// Why, where someone said so.
    pub reason: Option<String>,
    /// The present.
    pub now: Now,
}

impl Order {
    /// An order without a reason.
    pub fn new(verb: &'static str, author: Author, now: Now) -> Self {
        Self {
            verb,
            author,
            reason: None,
            now,
        }
    }

    /// The same with a reason.
    #[must_use]
    pub fn because(self, reason: Option<String>) -> Self {
        Self { reason, ..self }
    }
}
