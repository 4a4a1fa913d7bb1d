//! Scanning what a person, a hook or a gate points at: files, streams, git objects, memories.
//!
//! # Layout
//! - [`Ruleset`]: the rules that ship with `mem`, with what a repository adds and allows.
//! - [`Tally`]: what a scan found, saw and could not see.
//! - `files` and `tree` read the disk, `git` reads objects, `memory` reads every tier.
//! - `outbound`: what may leave this machine. `validity`: what providers say of found tokens.
//!   `report` prints a tally as text, JSON, JSON lines or SARIF.

pub(crate) mod audit;
mod counters;
pub(crate) mod files;
pub(crate) mod found;
pub(crate) mod git;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod outbound;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod tally;
mod tracked;
pub(crate) mod tree;
pub(crate) mod validity;

pub(crate) use counters::Counters;
pub(crate) use found::LocatedFinding;
pub(crate) use rules::{RuleSources, Ruleset};
pub(crate) use tally::Tally;

/// Threads of one scan at most: each holds a file in memory.
const THREADS_MAX: usize = 16;

/// How many threads a large scan takes.
pub(crate) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get().min(THREADS_MAX))
}
