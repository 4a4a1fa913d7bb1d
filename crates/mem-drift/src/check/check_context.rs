//! Everything that an answer can rest on.

use super::worktree::Worktree;
use crate::checkout::{Checkout, TrackedFiles};
use crate::history::{HistoryQuestions, WalkOutcome};

/// The state of the repository, now and before.
pub(crate) struct CheckContext<'a> {
    pub(crate) checkout: &'a Checkout,
    pub(crate) listing: &'a TrackedFiles,
    pub(crate) worktree: &'a Worktree<'a>,
    pub(crate) questions: &'a HistoryQuestions,
    pub(crate) past: &'a WalkOutcome,
}
