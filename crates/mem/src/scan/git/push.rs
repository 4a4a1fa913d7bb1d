//! What a push would send: from the references it changes to commits and objects.

use git2::{Oid, Repository};

use super::blobs::{self, Job};
use super::cache::Clean;
use super::commits::Scan;
use super::messages;
use super::open::GitError;
use super::refs::Targets;
use super::updates::Update;
use crate::scan::Tally;
use crate::scan::found::Kind;

/// Scans what the remote does not have.
///
/// # Errors
/// The repository cannot be read.
pub(crate) fn scan(
    scan: &mut Scan<'_>,
    updates: &[Update],
    remote: &str,
    url: &str,
    tally: &mut Tally,
) -> Result<(), GitError> {
    let repo = scan.git.open()?;
    let mut targets = Targets::default();
    for oid in updates.iter().filter_map(|update| update.new) {
        if !updates.iter().any(|update| update.old == Some(oid)) {
            targets.add(&repo, oid, scan.ruleset, tally);
        }
    }
    for update in updates {
        if update.new.is_some() && update.old.is_none() {
            messages::of_reference(&update.name, scan.ruleset, tally);
        }
    }
    let mut known: Vec<Oid> = updates.iter().filter_map(|update| update.old).collect();
    known.extend(tracked(&repo, remote, url));
    // A force push may replace what was never fetched.
    known.retain(|oid| repo.odb().is_ok_and(|odb| odb.exists(*oid)));
    let commits = std::mem::take(&mut targets.commits);
    loose(scan, targets, tally)?;
    scan.reachable(&commits, &known, tally)
}

/// Scans blobs that no commit brings.
pub(crate) fn loose(
    scan: &mut Scan<'_>,
    targets: Targets,
    tally: &mut Tally,
) -> Result<(), GitError> {
    tally.blobs += targets.loose.len() as u64;
    let jobs = targets.loose.into_iter().map(|change| Job {
        mark: Clean::mark(change.oid, &change.path),
        oid: change.oid,
        path: change.path,
        olds: Vec::new(),
        commit: None,
        kind: Kind::Blob,
        order: 0,
    });
    let jobs = jobs.filter(|job| !scan.clean.holds(&job.mark)).collect();
    blobs::scan(scan, jobs, tally)
}

/// What the remote had when it was last seen. Git names a remote by its URL where it has no name.
fn tracked(repo: &Repository, remote: &str, url: &str) -> Vec<Oid> {
    let names = repo.remotes();
    let names: Vec<String> = names
        .iter()
        .flat_map(|names| names.iter())
        .filter_map(|name| name.ok().flatten().map(str::to_owned))
        .collect();
    let is_meant = |name: &String| {
        name == remote
            || repo.find_remote(name).is_ok_and(|one| {
                let push = one.pushurl().ok().flatten().map(str::to_owned);
                let fetch = one.url().ok().map(str::to_owned);
                push.or(fetch).is_some_and(|known| known == url)
            })
    };
    let mut oids = Vec::new();
    for name in names.iter().filter(|name| is_meant(name)) {
        let Ok(found) = repo.references_glob(&format!("refs/remotes/{name}/*")) else {
            continue;
        };
        oids.extend(found.flatten().filter_map(|reference| reference.target()));
    }
    oids
}
