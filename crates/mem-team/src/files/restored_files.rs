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
    let operations = entries.filter_map(|entry| {
        let operation = operation_at(&entry.change, path)?;
        Some((entry.change, operation))
    });
    let mut will = None;
    for (change, operation) in operations {
        if operation == FileOperation::Deleted {
            return will == Some(true);
        }
        if will.is_none() && !change.is_foreign() {
            will = Some(!change.is_from_sync());
        }
    }
    false
}

/// Whether the last that happened to a file is that it was removed or renamed through `mem` here: by a command
/// or a tool, not by a sync round and not by another program.
pub(super) fn is_removed(history: &History, path: &MemoryPath) -> bool {
    let mut entries = history.own_entries().map_while(Result::ok);
    let last = entries.find_map(|entry| {
        let operation = operation_at(&entry.change, path)?;
        let is_removal = operation == FileOperation::Deleted;
        Some(is_removal && !entry.change.is_foreign() && !entry.change.is_from_sync())
    });
    last == Some(true)
}

/// What a change did to the file at a path. A rename deletes the file at its old path.
fn operation_at(change: &Change, path: &MemoryPath) -> Option<FileOperation> {
    let mut versions = change.versions.iter();
    if let Some(version) = versions.find(|version| version.path == *path) {
        return Some(version.operation);
    }
    let from = |version: &Version| version.renamed_from.as_ref() == Some(path);
    let is_renamed = change.versions.iter().any(from);
    is_renamed.then_some(FileOperation::Deleted)
}
