//! What is staged: the blobs of the index that differ from `HEAD`.

use git2::{DiffOptions, Oid};

use super::blobs::{self, Job};
use super::cache::Clean;
use super::commits::Scan;
use super::open::GitError;
use crate::scan::Tally;
use crate::scan::found::{Kind, Place};

/// Scans the added lines of what is staged, and the names of new files.
///
/// # Errors
/// The repository or its index cannot be read.
pub(crate) fn scan(scan: &mut Scan<'_>, tally: &mut Tally) -> Result<(), GitError> {
    let repo = scan.git.open()?;
    let index = scan.git.index(&repo)?;
    // Before the first commit everything is new.
    let head = repo.head().ok().and_then(|head| head.peel_to_tree().ok());
    let mut options = DiffOptions::new();
    options
        .include_typechange(true)
        .ignore_submodules(true)
        .skip_binary_check(true);
    let mut diff = repo.diff_tree_to_index(head.as_ref(), Some(&index), Some(&mut options))?;
    diff.find_similar(None)?;
    let mut jobs = Vec::new();
    for delta in diff.deltas() {
        let (new, old) = (delta.new_file(), delta.old_file());
        let is_file = matches!(
            new.mode(),
            git2::FileMode::Blob | git2::FileMode::BlobExecutable | git2::FileMode::Link
        );
        if new.id().is_zero() || new.id() == old.id() || !is_file {
            continue;
        }
        let path = String::from_utf8_lossy(new.path_bytes().unwrap_or_default()).into_owned();
        if old.path_bytes() != new.path_bytes() || old.id().is_zero() {
            let place = Place {
                kind: Kind::Name,
                ..Place::file(&path, &path)
            };
            crate::scan::names::scan(&place, scan.ruleset, tally);
        }
        tally.blobs += 1;
        let mark = Clean::mark(new.id(), &path);
        if !scan.clean.holds(&mark) {
            let olds = Some(old.id()).filter(|id: &Oid| !id.is_zero());
            jobs.push(Job {
                oid: new.id(),
                path,
                olds: vec![olds],
                commit: None,
                kind: Kind::Staged,
                order: jobs.len(),
                mark,
            });
        }
    }
    blobs::scan(scan, jobs, tally)
}
