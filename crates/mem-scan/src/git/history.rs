//! Scanning the commits of a range, or of every reference.

use super::commits::CommitScan;
use super::id::ObjectId;
use super::open::GitObjectError;
use super::push;
use super::refs;
use super::source::ObjectSource;
use crate::ScanTotals;

/// Scans what the commits of a range add: `A..B`, `A...B`, or one revision and all before it.
///
/// # Errors
/// The range names nothing, or the repository cannot be read.
pub fn scan_range(
    scan: &mut CommitScan<'_>,
    range: &str,
    totals: &mut ScanTotals,
) -> Result<(), GitObjectError> {
    let (wanted, hidden) = ends(&*scan.git.open()?, range)?;
    scan.reachable(&wanted, &hidden, totals)
}

/// Scans what every commit of every reference adds, and what is tagged without a commit.
///
/// # Errors
/// The repository cannot be read.
pub fn scan_history(
    scan: &mut CommitScan<'_>,
    totals: &mut ScanTotals,
) -> Result<(), GitObjectError> {
    let mut targets = refs::all_targets(&*scan.git.open()?, scan.ruleset, totals)?;
    let commits = std::mem::take(&mut targets.commits);
    push::scan_loose(scan, targets, totals)?;
    scan.reachable(&commits, &[], totals)
}

/// The ends of a range as git writes it (`A..B`, `A...B`, or one revision and all before it):
/// commits to start from, and commits to leave out.
///
/// # Errors
/// It names nothing.
fn ends(
    source: &dyn ObjectSource,
    range: &str,
) -> Result<(Vec<ObjectId>, Vec<ObjectId>), GitObjectError> {
    let commit = |name: &str| -> Result<ObjectId, GitObjectError> {
        let name = if name.is_empty() { "HEAD" } else { name };
        let named = source.commit_named(name);
        named.ok_or_else(|| GitObjectError::Range(range.to_owned()))
    };
    let Some((from, to)) = range.split_once("..") else {
        return Ok((vec![commit(range)?], Vec::new()));
    };
    let from = commit(from)?;
    match to.strip_prefix('.') {
        Some(to) => {
            let to = commit(to)?;
            Ok((vec![from, to], source.merge_bases(from, &[to])))
        }
        None => Ok((vec![commit(to)?], vec![from])),
    }
}
