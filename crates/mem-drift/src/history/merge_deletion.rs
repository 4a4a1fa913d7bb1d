//! Where a file is that no commit is known to have deleted: a merge dropped it, and may have brought it
//! under another name, which neither of its parents tells.

use git2::{Oid, Tree};

use super::path_change::most_similar;
use super::walk::{PathTrace, WalkOutcome};
use crate::checkout::{Checkout, TrackedFiles, last_segment};
use crate::limits::BLOB_BYTES_MAX;

/// The file that has its content now, else the one of its folder that came since and has most of it.
pub(crate) fn lost_in_merge(
    checkout: &Checkout,
    listing: &TrackedFiles,
    past: &WalkOutcome,
    seen: &PathTrace,
) -> Option<Vec<u8>> {
    if seen.length < seen.file.len() {
        return None;
    }
    let repository = checkout.repository.as_ref()?;
    let commit = repository
        .find_commit(past.commits.get(seen.commit)?.id)
        .ok()?;
    let tree = commit.tree().ok()?;
    let id = blob_at(&tree, &seen.file)?;
    let is_empty = checkout
        .read_blob(id, BLOB_BYTES_MAX)
        .is_none_or(|text| text.is_empty());
    if is_empty {
        return None;
    }
    if let Some(at) = listing.with_id(id) {
        return Some(listing.path_at(at).to_vec());
    }
    let folder = |path: &[u8]| path.len() - last_segment(path).len();
    let own = &seen.file[..folder(&seen.file)];
    let all =
        (0..listing.entries().len()).map(|at| (listing.path_at(at), listing.entries()[at].id));
    let beside = all.filter(|(path, _)| &path[..folder(path)] == own);
    let since = beside.filter(|(path, _)| blob_at(&tree, path).is_none());
    most_similar(checkout, &seen.file, id, &since.collect::<Vec<_>>())
}

fn blob_at(tree: &Tree<'_>, path: &[u8]) -> Option<Oid> {
    let path = std::path::Path::new(std::str::from_utf8(path).ok()?);
    Some(tree.get_path(path).ok()?.id())
}
