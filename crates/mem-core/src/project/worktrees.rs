//! The linked worktrees that a repository knows of.

use std::fs;
use std::path::{Path, PathBuf};

use super::link;
use crate::limits::LINKED_WORKTREES_MAX;

/// The folders of a repository's linked worktrees, as far as they still exist; sorted.
pub fn linked_worktrees(git_common_dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(git_common_dir.join("worktrees")) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries
        .take(LINKED_WORKTREES_MAX)
        .filter_map(|entry| link::back_link(&entry.ok()?.path()))
        .filter_map(|dot_git| dot_git.parent().map(Path::to_owned))
        .collect();
    folders.sort_unstable();
    folders
}
