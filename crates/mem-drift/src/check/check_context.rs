//! Everything that an answer can rest on.

use std::cell::OnceCell;

use mem_core::git_ignore::GitIgnore;

use super::worktree::Worktree;
use crate::checkout::{Checkout, TrackedFiles, ignores_path, read_ignore_rules};
use crate::history::{HistoryQuestions, WalkOutcome};

/// The state of the repository, now and before.
pub(crate) struct CheckContext<'a> {
    pub(crate) checkout: &'a Checkout,
    pub(crate) listing: &'a TrackedFiles,
    pub(crate) worktree: &'a Worktree<'a>,
    pub(crate) questions: &'a HistoryQuestions,
    pub(crate) past: &'a WalkOutcome,
    /// Read when the first path is missing.
    pub(crate) ignore_rules: OnceCell<GitIgnore>,
}

impl CheckContext<'_> {
    /// Whether git ignores a path now.
    pub(crate) fn is_ignored(&self, path: &[u8], is_folder: bool) -> bool {
        self.checkout.disk.as_ref().is_some_and(|disk| {
            let rules = self.ignore_rules.get_or_init(|| read_ignore_rules(disk));
            ignores_path(rules, path, is_folder)
        })
    }
}
