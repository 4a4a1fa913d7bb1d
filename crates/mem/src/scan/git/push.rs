//! What a push would send: from the lines that git gives its hook to commits and objects.

use git2::{Oid, Repository};

use super::blobs::{self, Job};
use super::cache::Clean;
use super::commits::Scan;
use super::messages;
use super::open::GitError;
use super::refs::Targets;
use crate::scan::Tally;
use crate::scan::found::Kind;

/// A line that is no update of a reference, and what is left of the input is not read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {0} of what git said is no `<ref> <object> <ref> <object>`")]
pub(crate) struct UpdateError(usize);

/// One reference that a push changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Update {
    /// Its name on the remote.
    pub name: String,
    /// What it will name; `None` where it is deleted.
    pub new: Option<Oid>,
    /// What it names on the remote; `None` where it is new.
    pub old: Option<Oid>,
}

/// Reads what git gives a pre-push hook.
///
/// # Errors
/// A line is not what githooks(5) says.
pub(crate) fn parse(input: &[u8]) -> Result<Vec<Update>, UpdateError> {
    let lines = input.split(|byte| *byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, line)| update(line).ok_or(UpdateError(index + 1)))
        .collect()
}

fn update(line: &[u8]) -> Option<Update> {
    let line = String::from_utf8_lossy(line);
    // Names of references have no spaces, but `HEAD@{1 day ago}` is a source one can push.
    let mut words = line.trim_end_matches('\r').rsplitn(4, ' ');
    let (old, remote, new, local) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let oid = |text: &str| {
        let oid = Oid::from_str(text).ok().filter(|_| text.len() == 40)?;
        Some(Some(oid).filter(|oid| !oid.is_zero()))
    };
    (!local.is_empty()).then_some(Update {
        name: remote.to_owned(),
        new: oid(new)?,
        old: oid(old)?,
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_git_writes() {
        let (a, zero) = ("a".repeat(40), "0".repeat(40));
        let input =
            format!("refs/heads/x {a} refs/heads/x {zero}\n(delete) {zero} refs/heads/y {a}\n");
        let updates = parse(input.as_bytes()).unwrap();
        let oid = Oid::from_str(&a).ok();
        assert_eq!(
            updates[0],
            Update {
                name: "refs/heads/x".to_owned(),
                new: oid,
                old: None
            }
        );
        assert_eq!(
            updates[1],
            Update {
                name: "refs/heads/y".to_owned(),
                new: None,
                old: oid
            }
        );
        assert_eq!(parse(b""), Ok(Vec::new()));
        assert_eq!(parse(b"one two\n"), Err(UpdateError(1)));
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_said_is_an_update_or_an_error(
            lines in proptest::collection::vec("[a-f0-9 /@{}()\\x00-\\x1f]{0,99}", 0..9),
        ) {
            let _ = parse(lines.join("\n").as_bytes());
        }
    }
}
