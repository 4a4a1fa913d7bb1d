//! Matchers written by hand, for what a row of byte classes cannot express.

mod assignment;
pub(crate) mod name;
mod value;

use crate::pass::{Hit, Pass};
use crate::rule::Rule;

/// Which matcher a rule asks for, by the name that rule files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detector {
    /// A secret assigned to a name that says so.
    Assignment,
}

/// Runs a matcher at a keyword. `done` is where this rule stopped before;
/// the answer is where it stops now.
pub(crate) fn run(
    detector: Detector,
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: Hit,
    done: usize,
) -> usize {
    match detector {
        Detector::Assignment => assignment::run(pass, rule, hit, done),
    }
}
