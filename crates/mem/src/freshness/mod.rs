//! The verdicts of `mem_find::verdicts` in a run: with its directories and its clock, in its output.

pub(crate) mod excerpt;
pub(crate) mod findings;
pub(crate) mod moves;
pub(crate) mod verdict_text;

use mem_find::verdicts;

use crate::context::Context;

/// Forgets every verdict: they quote what memories cite, which was erased for good.
pub(crate) fn forget_verdicts(context: &Context) {
    if let Ok(dirs) = context.dirs() {
        verdicts::forget_verdicts(dirs);
    }
}
