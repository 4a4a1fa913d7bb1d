//! What every change of a memory is told beside itself.

use jiff::Timestamp;

use super::{Mark, Scope};
use crate::storage::Actor;

/// Into which store, as far as the caller may write; by whom, and when.
#[derive(Clone, Copy, Debug)]
pub struct Writing<'w> {
    pub(super) scope: &'w Scope,
    pub(super) store: &'w str,
    pub(super) actor: &'w Actor,
    pub(super) now: Timestamp,
    pub(super) is_past_archive: bool,
    /// The number of the store's newest change, where nothing may have come after it.
    pub(super) only_after: Option<u64>,
}

impl<'w> Writing<'w> {
    /// The parts in the order of their questions: where, who, when.
    pub fn new(scope: &'w Scope, store: &'w str, actor: &'w Actor, now: Timestamp) -> Self {
        Self {
            scope,
            store,
            actor,
            now,
            is_past_archive: false,
            only_after: None,
        }
    }

    /// The same, but only where nothing of the store has changed since a moment; else
    /// [`Refusal::Precondition`](super::Refusal::Precondition).
    #[must_use]
    pub fn only_after(self, moment: &Mark) -> Self {
        Self {
            only_after: Some(moment.sequence()),
            ..self
        }
    }

    /// The same where the store is archived: what an erasure puts back is not a change that anybody makes.
    pub(in crate::storage) fn past_archive(self) -> Self {
        Self {
            is_past_archive: true,
            ..self
        }
    }
}
