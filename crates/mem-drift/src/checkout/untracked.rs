//! Files that are not tracked and not ignored: code that is being written.

use std::collections::VecDeque;
use std::fs;

use mem_core::git_ignore::GitIgnore;

use super::{Disk, TrackedFiles, disk};
use crate::limits::UNTRACKED_FILES_MAX;

/// Paths, in no order.
#[derive(Default)]
pub(crate) struct Untracked {
    /// Files, at most [`UNTRACKED_FILES_MAX`].
    pub(crate) files: Vec<Vec<u8>>,
    /// Folders without tracked files.
    pub(crate) folders: Vec<Vec<u8>>,
}

/// Looks for such files. Repositories inside of the repository are left alone.
pub(crate) fn find_untracked(disk: &Disk, listing: &TrackedFiles) -> Untracked {
    let folders = listing.folders();
    let rules = read_ignore_rules(disk);
    let mut found = Untracked::default();
    let mut queue: VecDeque<Vec<u8>> = VecDeque::from([Vec::new()]);
    while let Some(folder) = queue.pop_front() {
        let entries = disk
            .absolute_path(&folder)
            .and_then(|place| fs::read_dir(place).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = join_path(&folder, &entry.file_name());
            if entry.file_name() == ".git" || found.files.len() >= UNTRACKED_FILES_MAX {
                continue;
            }
            if kind.is_dir() {
                let is_known = folders.contains_folder(&path);
                let is_new =
                    || !ignores_path(&rules, &path, true) && !entry.path().join(".git").exists();
                if is_known {
                    queue.push_back(path);
                } else if is_new() {
                    found.folders.push(path.clone());
                    queue.push_back(path);
                }
            } else if kind.is_file()
                && listing.find_path(&path).is_none()
                && !ignores_path(&rules, &path, false)
            {
                found.files.push(path);
            }
        }
    }
    found
}

/// What git ignores in a checkout.
pub(crate) fn read_ignore_rules(disk: &Disk) -> GitIgnore {
    GitIgnore::new(disk.root(), b"")
}

/// Whether git ignores a path.
pub(crate) fn ignores_path(rules: &GitIgnore, path: &[u8], is_folder: bool) -> bool {
    disk::native_path(path).is_some_and(|path| rules.is_ignored(path, is_folder))
}

fn join_path(folder: &[u8], name: &std::ffi::OsStr) -> Vec<u8> {
    let mut path = folder.to_vec();
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name.as_encoded_bytes());
    path
}
