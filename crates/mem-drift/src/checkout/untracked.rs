//! Files that are not tracked and not ignored: code that is being written.

use std::collections::VecDeque;
use std::fs;

use git2::Repository;

use super::{Disk, Listing};
use crate::limits::UNTRACKED_FILES_MAX;

/// The paths of such files, in no order, at most [`UNTRACKED_FILES_MAX`]. Repositories inside of
/// the repository are left alone.
pub(crate) fn untracked(repository: &Repository, disk: &Disk, listing: &Listing) -> Vec<Vec<u8>> {
    let folders = listing.folders();
    let mut found = Vec::new();
    let mut queue: VecDeque<Vec<u8>> = VecDeque::from([Vec::new()]);
    while let Some(folder) = queue.pop_front() {
        let entries = disk
            .place(&folder)
            .and_then(|place| fs::read_dir(place).ok());
        for entry in entries.into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = joined(&folder, &entry.file_name());
            if entry.file_name() == ".git" || found.len() >= UNTRACKED_FILES_MAX {
                continue;
            }
            if kind.is_dir() {
                let is_known = folders.holds(&path);
                if is_known
                    || (!is_ignored(repository, &path, true) && !entry.path().join(".git").exists())
                {
                    queue.push_back(path);
                }
            } else if kind.is_file()
                && listing.find(&path).is_none()
                && !is_ignored(repository, &path, false)
            {
                found.push(path);
            }
        }
    }
    found
}

fn is_ignored(repository: &Repository, path: &[u8], is_folder: bool) -> bool {
    let text = String::from_utf8_lossy(path);
    let text = if is_folder {
        format!("{text}/")
    } else {
        text.into_owned()
    };
    repository.is_path_ignored(text).unwrap_or(false)
}

fn joined(folder: &[u8], name: &std::ffi::OsStr) -> Vec<u8> {
    let mut path = folder.to_vec();
    if !path.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name.as_encoded_bytes());
    path
}
