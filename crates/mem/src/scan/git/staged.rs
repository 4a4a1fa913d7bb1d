//! What is staged: the blobs of the index that differ from `HEAD`.

use super::blobs::{self, Job};
use super::cache::Clean;
use super::commits::Scan;
use super::open::GitError;
use super::source::Delta;
use crate::scan::Tally;
use crate::scan::found::{Kind, ScanOrigin};

/// Scans the added lines of what is staged, and the names of new files.
///
/// # Errors
/// The repository or its index cannot be read.
pub(crate) fn scan(scan: &mut Scan<'_>, tally: &mut Tally) -> Result<(), GitError> {
    let mut jobs = Vec::new();
    for delta in scan.git.open()?.staged()? {
        let Delta {
            path,
            new,
            old,
            is_new_name,
        } = delta;
        if is_new_name {
            let place = ScanOrigin {
                kind: Kind::Name,
                ..ScanOrigin::file(&path, &path)
            };
            crate::scan::names::scan(&place, scan.ruleset, tally);
        }
        tally.blobs += 1;
        let mark = Clean::mark(new, &path);
        if !scan.clean.holds(&mark) {
            jobs.push(Job {
                oid: new,
                path,
                olds: vec![old],
                commit: None,
                kind: Kind::Staged,
                order: jobs.len(),
                mark,
            });
        }
    }
    blobs::scan(scan, jobs, tally)
}
