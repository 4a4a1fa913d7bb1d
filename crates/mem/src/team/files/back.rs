//! Whether a file stands here again because somebody here took its deletion back.
//!
//! An undo, a restore or a new save after a deletion is somebody's will; a file that an editor or an old backup
//! put there is not, and neither is one that came from the remote.

use mem_core::MemoryPath;
use mem_core::history::{Change, History, Operation, Version};

/// Whether a file that was deleted was made again through `mem` here. What another program made of it since,
/// or made before, changes nothing about that.
pub(super) fn is_back(history: &History, path: &MemoryPath) -> bool {
    let entries = history.own_entries().map_while(Result::ok);
    let versions = entries.filter_map(|entry| {
        let operation = of(&entry.change, path)?.operation;
        Some((entry.change, operation))
    });
    let mut will = None;
    for (change, operation) in versions {
        if operation == Operation::Deleted {
            return will == Some(true);
        }
        if will.is_none() && !change.is_foreign() {
            will = Some(change.verb != "pull");
        }
    }
    false
}

fn of<'c>(change: &'c Change, path: &MemoryPath) -> Option<&'c Version> {
    change.versions.iter().find(|version| version.path == *path)
}
