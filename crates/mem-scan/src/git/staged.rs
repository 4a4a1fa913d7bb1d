//! What is staged: the blobs of the index that differ from `HEAD`.

use super::blobs::{self, BlobJob};
use super::cache::Clean;
use super::commits::CommitScan;
use super::open::GitObjectError;
use super::source::IndexDelta;
use crate::ScanTotals;
use crate::scan_origin::{ContentKind, ScanOrigin};

/// Scans the added lines of what is staged, and the names of new files.
///
/// # Errors
/// The repository or its index cannot be read.
pub fn scan_staged(
    scan: &mut CommitScan<'_>,
    totals: &mut ScanTotals,
) -> Result<(), GitObjectError> {
    let mut jobs = Vec::new();
    for delta in scan.git.open()?.staged()? {
        let IndexDelta {
            path,
            new,
            old,
            is_new_name,
        } = delta;
        if is_new_name {
            let place = ScanOrigin {
                kind: ContentKind::Name,
                ..ScanOrigin::file(&path, &path)
            };
            crate::names::scan(&place, scan.ruleset, totals);
        }
        totals.blobs += 1;
        let mark = Clean::mark(new, &path);
        if !scan.clean.holds(&mark) {
            jobs.push(BlobJob {
                oid: new,
                path,
                olds: vec![old],
                commit: None,
                kind: ContentKind::Staged,
                order: jobs.len(),
                mark,
            });
        }
    }
    blobs::scan(scan, jobs, totals)
}
