//! Where a folder went: its files are asked.

use std::collections::BTreeMap;

use super::deltas::TreeDelta;
use super::path_change::{PathChange, deltas_of, follow_file};
use super::walk::{PathTrace, WalkOutcome};
use crate::checkout::{Checkout, TrackedFiles};
use crate::limits::FOLDER_VOTES_MAX;

/// The fate of a folder: the new place that most of the files share which the commit took away.
pub(super) fn find_folder_fate(
    checkout: &Checkout,
    listing: &TrackedFiles,
    past: &WalkOutcome,
    seen: &PathTrace,
) -> PathChange {
    let folder = &seen.file[..seen.length];
    let deltas = deltas_of(checkout, past, seen.commit);
    let lost: Vec<&TreeDelta> = deltas
        .iter()
        .filter(|delta| delta.is_deletion() && path_within(&delta.path, folder).is_some())
        .take(FOLDER_VOTES_MAX)
        .collect();
    let mut votes: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for delta in &lost {
        let fate = follow_file(checkout, listing, past, &delta.path, seen.commit);
        if let PathChange::Moved { to, .. } = fate
            && let Some(place) =
                new_place(&to, path_within(&delta.path, folder).unwrap_or_default())
        {
            *votes.entry(place).or_default() += 1;
        }
    }
    let best = votes.into_iter().max_by_key(|(_, count)| *count);
    match best {
        Some((to, count)) if count * 2 >= lost.len() => PathChange::Moved {
            to,
            commit: seen.commit,
        },
        _ => PathChange::Gone {
            commit: seen.commit,
        },
    }
}

/// The path of a file within a folder.
fn path_within<'a>(path: &'a [u8], folder: &[u8]) -> Option<&'a [u8]> {
    path.strip_prefix(folder)?.strip_prefix(b"/")
}

/// The folder that holds a file under the same inner path; else the one it lies in.
fn new_place(to: &[u8], inner: &[u8]) -> Option<Vec<u8>> {
    let front = to
        .strip_suffix(inner)
        .and_then(|front| front.strip_suffix(b"/"));
    if let Some(front) = front {
        return Some(front.to_vec());
    }
    let end = to.iter().rposition(|&byte| byte == b'/')?;
    Some(to[..end].to_vec())
}
