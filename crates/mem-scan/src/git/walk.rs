//! Which commits a history has, also where some of them cannot be read.

use std::collections::HashSet;

use super::id::ObjectId;
use super::object::ObjectError;
use super::source::ObjectSource;
use crate::ScanTotals;

/// The commits that are reachable from some and not from others, oldest first. One that cannot be
/// read is a problem of the tally, and what lies behind it is not seen.
pub(super) fn commits_between(
    source: &dyn ObjectSource,
    wanted: &[ObjectId],
    hidden: &[ObjectId],
    totals: &mut ScanTotals,
) -> Vec<ObjectId> {
    let whole = source.between(wanted, hidden);
    whole.unwrap_or_else(|_| readable_commits(source, wanted, hidden, totals))
}

/// Step by step, past every commit that is broken.
fn readable_commits(
    source: &dyn ObjectSource,
    wanted: &[ObjectId],
    hidden: &[ObjectId],
    totals: &mut ScanTotals,
) -> Vec<ObjectId> {
    let mut seen: HashSet<ObjectId> = HashSet::new();
    walk_ancestors(source, hidden, &mut seen, &mut |_, _| {});
    let mut found = walk_ancestors(source, wanted, &mut seen, &mut |oid, error| {
        totals.problem(format!("cannot read commit {oid}: {error}"));
    });
    found.sort();
    found.into_iter().map(|(_, oid)| oid).collect()
}

/// Commits and their times, without those that were seen before.
fn walk_ancestors(
    source: &dyn ObjectSource,
    from: &[ObjectId],
    seen: &mut HashSet<ObjectId>,
    broken: &mut dyn FnMut(ObjectId, &ObjectError),
) -> Vec<(i64, ObjectId)> {
    let mut waiting = from.to_vec();
    let mut found = Vec::new();
    // The parents of a shallow clone's oldest commits are no loss.
    let is_shallow = source.is_shallow();
    while let Some(oid) = waiting.pop() {
        if !seen.insert(oid) {
            continue;
        }
        match source.read_commit(oid) {
            Ok(commit) => {
                found.push((commit.seconds, oid));
                waiting.extend(commit.parents);
            }
            Err(ObjectError::Missing) if is_shallow => {}
            Err(error) => broken(oid, &error),
        }
    }
    found
}
