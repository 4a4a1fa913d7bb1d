//! Whether a file stands here again because somebody here took its deletion back.
//!
//! An undo, a restore or a new save after a deletion is somebody's will; a file that an editor or an old backup
//! put there is not, and neither is one that came from the remote.

use mem_core::MemoryPath;
use mem_core::history::{Change, History, Operation, Version};

/// Whether the newest version of a file was made through `mem` here, right after the file was deleted.
pub(super) fn is_back(history: &History, path: &MemoryPath) -> bool {
    let entries = history.own_entries().map_while(Result::ok);
    let mut versions = entries.filter_map(|entry| {
        let version = of(&entry.change, path)?.clone();
        Some((entry.change, version))
    });
    let (Some((newest, now)), Some((_, before))) = (versions.next(), versions.next()) else {
        return false;
    };
    let is_will = !newest.is_foreign() && newest.verb != "pull";
    is_will && now.operation != Operation::Deleted && before.operation == Operation::Deleted
}

fn of<'c>(change: &'c Change, path: &MemoryPath) -> Option<&'c Version> {
    change.versions.iter().find(|version| version.path == *path)
}
