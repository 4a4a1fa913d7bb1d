//! Scanning for secrets where they stand: files, streams, trees, git objects, and texts that are about to leave.
//! `mem-secrets` says what a secret is; what is found here has a place, and is hidden or told by a repository's rules.
//!
//! # Layout
//! - [`Ruleset`]: the rules that ship with `mem`, with what a repository adds and allows; [`rules`] finds them.
//! - [`ScanTotals`]: what a scan found, saw and could not see.
//! - [`files`] and [`tree`] read the disk, [`git`] reads objects.
//! - [`memory`]: secrets in memories; [`audit`]: among the findings of an audit.
//! - [`outbound`]: what may leave this machine. [`validity`]: what providers say of found tokens.
//!
//! Nothing here prints, reads the environment or looks at the clock: callers hand in directories and the present, and
//! show what was counted. git, where it is started, runs nothing that a repository configures.

#![cfg_attr(
    test,
    expect(
        clippy::disallowed_methods,
        reason = "tests put plain files into place and read them"
    )
)]

pub mod audit;
mod counters;
pub mod files;
pub mod git;
pub mod memory;
mod names;
pub mod outbound;
pub mod rules;
pub mod scan_origin;
mod scan_totals;
mod tracked;
pub mod tree;
pub mod validity;

pub use counters::Counters;
pub use rules::{RuleSources, Ruleset};
pub use scan_origin::LocatedFinding;
pub use scan_totals::{FilteredMatch, ScanTotals, SuppressedFinding};

/// Threads of one scan at most: each holds a file in memory.
const THREADS_MAX: usize = 16;

/// How many threads a large scan takes.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(THREADS_MAX))
}
