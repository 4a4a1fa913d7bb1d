//! Whether a file stands here again because somebody here took its deletion back, or is gone because somebody
//! here removed it.
//!
//! An undo, a restore or a new save after a deletion is somebody's will; a file that an editor or an old backup
//! put there is not, and neither is one that came from the remote.

use mem_core::MemoryPath;
use mem_core::history::{Change, FileOperation, History, Version};

/// Whether a file that was deleted was made again through `mem` here. What another program made of it since,
/// or made before, changes nothing about that.
pub(super) fn is_restored(history: &History, path: &MemoryPath) -> bool {
    let entries = history.own_entries().map_while(Result::ok);
    let versions = entries.filter_map(|entry| {
        let operation = version_at(&entry.change, path)?.operation;
        Some((entry.change, operation))
    });
    let mut will = None;
    for (change, operation) in versions {
        if operation == FileOperation::Deleted {
            return will == Some(true);
        }
        if will.is_none() && !change.is_foreign() {
            will = Some(change.verb != "pull");
        }
    }
    false
}

/// Whether the last that happened to a file is that it was removed or renamed through `mem` here: by a command
/// or a tool, not by a sync round and not by another program.
pub(super) fn is_removed(history: &History, path: &MemoryPath) -> bool {
    let mut entries = history.own_entries().map_while(Result::ok);
    let last = entries.find_map(|entry| {
        let change = entry.change;
        let is_removal = match version_at(&change, path) {
            Some(version) => version.operation == FileOperation::Deleted,
            None => {
                let from = |version: &Version| version.renamed_from.as_ref() == Some(path);
                change.versions.iter().any(from).then_some(true)?
            }
        };
        Some(is_removal && !change.is_foreign() && change.verb != "pull")
    });
    last == Some(true)
}

fn version_at<'c>(change: &'c Change, path: &MemoryPath) -> Option<&'c Version> {
    change.versions.iter().find(|version| version.path == *path)
}
