//! Which commits a history has, also where some of them cannot be read.

use std::collections::HashSet;

use git2::{Oid, Repository, Sort};

use crate::scan::Tally;

/// The commits that are reachable from some and not from others, oldest first. One that cannot be
/// read is a problem of the tally, and what lies behind it is not seen.
pub(super) fn between(
    repo: &Repository,
    wanted: &[Oid],
    hidden: &[Oid],
    tally: &mut Tally,
) -> Vec<Oid> {
    whole(repo, wanted, hidden).unwrap_or_else(|_| readable(repo, wanted, hidden, tally))
}

fn whole(repo: &Repository, wanted: &[Oid], hidden: &[Oid]) -> Result<Vec<Oid>, git2::Error> {
    let mut walk = repo.revwalk()?;
    for oid in wanted {
        walk.push(*oid)?;
    }
    for oid in hidden {
        // What is not here cannot be subtracted; the scan is then larger, never smaller.
        let _ = walk.hide(*oid);
    }
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
    walk.collect()
}

/// Step by step, past every commit that is broken.
fn readable(repo: &Repository, wanted: &[Oid], hidden: &[Oid], tally: &mut Tally) -> Vec<Oid> {
    let mut seen: HashSet<Oid> = HashSet::new();
    ancestors(repo, hidden, &mut seen, &mut |_, _| {});
    let mut found = ancestors(repo, wanted, &mut seen, &mut |oid, error| {
        tally.problem(format!("cannot read commit {oid}: {}", error.message()));
    });
    found.sort();
    found.into_iter().map(|(_, oid)| oid).collect()
}

/// Commits and their times, without those that were seen before.
fn ancestors(
    repo: &Repository,
    from: &[Oid],
    seen: &mut HashSet<Oid>,
    broken: &mut dyn FnMut(Oid, &git2::Error),
) -> Vec<(i64, Oid)> {
    let mut waiting = from.to_vec();
    let mut found = Vec::new();
    // The parents of a shallow clone's oldest commits are no loss.
    let is_shallow = repo.is_shallow();
    while let Some(oid) = waiting.pop() {
        if !seen.insert(oid) {
            continue;
        }
        match repo.find_commit(oid) {
            Ok(commit) => {
                found.push((commit.time().seconds(), oid));
                waiting.extend(commit.parent_ids());
            }
            Err(error) if is_shallow && error.code() == git2::ErrorCode::NotFound => {}
            Err(error) => broken(oid, &error),
        }
    }
    found
}
