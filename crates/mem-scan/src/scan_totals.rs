//! What a scan found, saw, hid and could not see; the tallies of several threads add up.

use mem_secrets::MatchFilter;

use super::scan_origin::{LocatedFinding, ScanOrigin};
use mem_core::compact_sort::CompactSort as _;

/// Findings that are kept and listed; what goes beyond makes a scan incomplete.
const FINDINGS_MAX: usize = 50_000;
/// Problems that are told one by one.
const PROBLEMS_MAX: usize = 1_000;

/// The result of a scan, or of a part of it.
#[derive(Debug, Default)]
pub struct ScanTotals {
    /// What was found.
    pub found: Vec<LocatedFinding>,
    /// Files that were read, or would have been.
    pub files: u64,
    /// Bytes that were looked at.
    pub bytes: u64,
    /// Git blobs that were looked at, those known to be clean included.
    pub blobs: u64,
    /// Findings that a configuration, a comment or an allow hides.
    pub suppressed: u64,
    /// With `--explain`: what the filters took back.
    pub rejected: Vec<FilteredMatch>,
    /// With `--explain`: findings that are hidden, and by what.
    pub hidden: Vec<SuppressedFinding>,
    /// What could not be scanned, and why: with paths as they are, which may hold anything.
    pub problems: Vec<String>,
    /// Problems and findings beyond what is kept.
    dropped: u64,
}

/// A match that a filter took back.
#[derive(Debug)]
pub struct FilteredMatch {
    /// Where.
    pub place: ScanOrigin,
    /// The line, from 1.
    pub line: u64,
    /// The rule that matched.
    pub rule: String,
    /// Why it is no secret.
    pub filter: MatchFilter,
}

/// A finding that a configuration, a comment, an allow or a baseline hides.
#[derive(Debug)]
pub struct SuppressedFinding {
    /// Where.
    pub place: ScanOrigin,
    /// The line, from 1.
    pub line: u64,
    /// The rule that found it.
    pub rule: String,
    /// What hides it.
    pub by: &'static str,
}

impl ScanTotals {
    /// Adds a finding.
    pub(crate) fn find(&mut self, found: LocatedFinding) {
        if self.found.len() < FINDINGS_MAX {
            self.found.push(found);
        } else {
            self.dropped += 1;
        }
    }

    /// Notes something that could not be scanned.
    pub(crate) fn problem(&mut self, problem: impl Into<String>) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem.into());
        } else {
            self.dropped += 1;
        }
    }

    /// Adds what another part of the scan saw.
    pub(crate) fn merge(&mut self, other: Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.blobs += other.blobs;
        self.suppressed += other.suppressed;
        self.dropped += other.dropped;
        self.rejected.extend(other.rejected);
        self.hidden.extend(other.hidden);
        other.problems.into_iter().for_each(|one| self.problem(one));
        other.found.into_iter().for_each(|one| self.find(one));
    }

    /// Puts everything into an order that does not depend on threads.
    pub fn sort_findings(&mut self) {
        self.found.compact_sort_by(|a, b| a.order().cmp(&b.order()));
        self.problems.sort_unstable();
        self.rejected
            .compact_sort_by(|a, b| (&a.place.shown, a.line).cmp(&(&b.place.shown, b.line)));
        self.hidden
            .compact_sort_by(|a, b| (&a.place.shown, a.line).cmp(&(&b.place.shown, b.line)));
        super::names::redact(self);
    }

    /// Whether everything was scanned and everything found is listed.
    pub fn is_complete(&self) -> bool {
        self.problems.is_empty() && self.dropped == 0
    }

    /// Problems and findings that are not listed.
    pub fn unlisted(&self) -> u64 {
        self.dropped
    }
}
