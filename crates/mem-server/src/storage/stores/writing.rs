//! What every change of a memory is told beside itself.

use jiff::Timestamp;

use super::Scope;
use crate::storage::Actor;

/// Into which store, as far as the caller may write; by whom, and when.
#[derive(Clone, Copy, Debug)]
pub struct Writing<'w> {
    pub(super) scope: &'w Scope,
    pub(super) store: &'w str,
    pub(super) actor: &'w Actor,
    pub(super) now: Timestamp,
    pub(super) is_past_archive: bool,
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
