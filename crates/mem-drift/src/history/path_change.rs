//! Where a deleted file went: followed from commit to commit until it is there, or gone.

use git2::Oid;

use super::deltas::{TreeDelta, commit_changes};
use super::folder;
use super::similar::similarity_percent;
use super::walk::{PathTrace, WalkOutcome};
use crate::checkout::{Checkout, TrackedFiles, last_segment};
use crate::limits::{
    BLOB_BYTES_MAX, RENAME_CANDIDATES_MAX, RENAME_HOPS_MAX, RENAME_SAME_STEM_PERCENT_MIN,
    RENAME_SIMILARITY_PERCENT_MIN,
};

/// What became of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathChange {
    /// It is there under another name, since this commit.
    Moved {
        /// The new path.
        to: Vec<u8>,
        /// The commit's place in the walk.
        commit: usize,
    },
    /// This commit deleted it.
    Gone {
        /// The commit's place in the walk.
        commit: usize,
    },
}

/// What became of a path that was seen in the history and is not there now.
pub(crate) fn find_path_change(
    checkout: &Checkout,
    listing: &TrackedFiles,
    past: &WalkOutcome,
    seen: &PathTrace,
) -> PathChange {
    if seen.length < seen.file.len() {
        return folder::find_folder_fate(checkout, listing, past, seen);
    }
    follow_file(checkout, listing, past, &seen.file, seen.commit)
}

/// Follows a file from the commit that deleted it.
pub(super) fn follow_file(
    checkout: &Checkout,
    listing: &TrackedFiles,
    past: &WalkOutcome,
    path: &[u8],
    commit: usize,
) -> PathChange {
    let mut path = path.to_vec();
    let mut at = commit;
    let mut first_move = None;
    for _ in 0..RENAME_HOPS_MAX {
        let deltas = deltas_of(checkout, past, at);
        let Some(lost) = deltas
            .iter()
            .find(|delta| delta.path == path && delta.is_deletion())
        else {
            break;
        };
        let Some(to) = find_renamed_file(checkout, lost, &deltas)
            .or_else(|| find_copied_file(checkout, listing, lost))
        else {
            break;
        };
        first_move.get_or_insert(at);
        if listing.find_path(&to).is_some() {
            return PathChange::Moved { to, commit: at };
        }
        let later = past.deleted.get(&to).into_iter().flatten();
        let Some(&next) = later.filter(|&&next| next < at).max() else {
            // The commit that is checked out has it there, unless a merge lost it.
            return match in_head(checkout, &to) {
                true => PathChange::Moved { to, commit: at },
                false => PathChange::Gone { commit: at },
            };
        };
        (path, at) = (to, next);
    }
    PathChange::Gone { commit: at }
}

/// Whether the commit that is checked out has a file.
fn in_head(checkout: &Checkout, path: &[u8]) -> bool {
    let find = || {
        let commit = checkout.repository.as_ref()?.find_commit(checkout.head?);
        let tree = commit.ok()?.tree().ok()?;
        let path = std::str::from_utf8(path).ok()?;
        tree.get_path(std::path::Path::new(path)).ok()
    };
    find().is_some()
}

/// What a commit of the walk changed.
pub(super) fn deltas_of(checkout: &Checkout, past: &WalkOutcome, at: usize) -> Vec<TreeDelta> {
    let read = || {
        let repository = checkout.repository.as_ref()?;
        let commit = repository.find_commit(past.commits.get(at)?.id).ok()?;
        commit_changes(repository, &commit)
    };
    read().unwrap_or_default()
}

/// The file that the same commit added with the same content, or with enough of it.
pub(super) fn find_renamed_file(
    checkout: &Checkout,
    lost: &TreeDelta,
    deltas: &[TreeDelta],
) -> Option<Vec<u8>> {
    let id = lost.old?;
    let added: Vec<(&[u8], Oid)> = deltas
        .iter()
        .filter(|delta| delta.is_addition())
        .filter_map(|delta| Some((delta.path.as_slice(), delta.new?)))
        .collect();
    most_similar(checkout, &lost.path, id, &added)
}

/// Of these files, the one with the same content, else the most similar one. The same name wins
/// where several are as good, then the first, as git pairs them: a copy in an archive comes behind.
pub(crate) fn most_similar(
    checkout: &Checkout,
    path: &[u8],
    id: Oid,
    added: &[(&[u8], Oid)],
) -> Option<Vec<u8>> {
    let same_name = |other: &[u8]| last_segment(other) == last_segment(path);
    let text = checkout.read_blob(id, BLOB_BYTES_MAX);
    let is_empty = text.as_ref().is_some_and(Vec::is_empty);
    let exact = added
        .iter()
        .filter(|(other, other_id)| *other_id == id && (!is_empty || same_name(other)));
    // `max_by_key` takes the last of equals.
    if let Some((other, _)) = exact.rev().max_by_key(|(other, _)| same_name(other)) {
        return Some(other.to_vec());
    }
    let text = text.filter(|text| !text.is_empty())?;
    let (mut names, mut others) = (Vec::new(), Vec::new());
    for candidate in added {
        if same_name(candidate.0) {
            names.push(candidate);
        } else {
            others.push(candidate);
        }
    }
    names
        .into_iter()
        .chain(others)
        .take(RENAME_CANDIDATES_MAX)
        .filter_map(|(other, other_id)| {
            let other_text = checkout.read_blob(*other_id, BLOB_BYTES_MAX)?;
            let (short, long) = (
                text.len().min(other_text.len()),
                text.len().max(other_text.len()),
            );
            let least = match path_stem(other) == path_stem(path) {
                true => RENAME_SAME_STEM_PERCENT_MIN,
                false => RENAME_SIMILARITY_PERCENT_MIN,
            };
            let can_be = short * 100 >= long * least;
            let score = if can_be {
                similarity_percent(&text, &other_text)
            } else {
                0
            };
            (score >= least).then_some((score, same_name(other), *other))
        })
        .max_by_key(|&(score, same, _)| (score, same))
        .map(|(_, _, other)| other.to_vec())
}

/// A path without the ending of its file.
fn path_stem(path: &[u8]) -> &[u8] {
    let name = last_segment(path);
    let ending = name.iter().rev().position(|&byte| byte == b'.');
    let ending = ending.filter(|&length| length + 1 < name.len());
    &path[..path.len() - ending.map_or(0, |length| length + 1)]
}

/// A file that has the content now, though another commit added it; or one of the same name that
/// has enough of it.
fn find_copied_file(
    checkout: &Checkout,
    listing: &TrackedFiles,
    lost: &TreeDelta,
) -> Option<Vec<u8>> {
    let id = lost.old?;
    let is_empty = checkout
        .read_blob(id, BLOB_BYTES_MAX)
        .is_none_or(|text| text.is_empty());
    if is_empty {
        return None;
    }
    if let Some(at) = listing.with_id(id) {
        return Some(listing.path_at(at).to_vec());
    }
    let same_name = listing.ending_with(last_segment(&lost.path));
    let same_name: Vec<(&[u8], Oid)> = same_name
        .into_iter()
        .map(|at| (listing.path_at(at), listing.entries()[at].id))
        .collect();
    most_similar(checkout, &lost.path, id, &same_name)
}
