//! `mem index`: `MEMORY.md` as a host loads it, and in step with the files.

pub(crate) mod check;
pub(crate) mod fit;
pub(crate) mod repair;
pub(crate) mod show;

use mem_core::{Scope, plural};

use crate::context::Context;
use crate::printer::OutputError;

/// Files of one kind that are named; more are counted.
const NAMED_MAX: usize = 20;

crate::table::noun! {
    /// Show, check and mend MEMORY.md
    ///
    /// MEMORY.md is the list of pointers that a host loads at every start: its first 200 lines or
    /// 25,000 characters, whichever comes first.
    struct Args;
    "Commands" {
        show => "Print the index as a host loads it",
        check => "Say what is wrong with the index",
        repair => "Add missing pointers, remove dangling and repeated ones",
        fit => "Bring an index over the cap back under it",
    }
}

/// The tier whose index is meant.
#[derive(clap::Args, Debug)]
pub(crate) struct TierArgs {
    /// The tier: private, team or global
    #[arg(long, default_value = "private")]
    pub scope: Scope,
}

/// Prints a line for each of the first of some files, and how many more there are. With `--json` all are named.
fn print_first(
    lines: impl ExactSizeIterator<Item = String>,
    context: &Context,
) -> Result<(), OutputError> {
    let more = lines.len().saturating_sub(NAMED_MAX);
    for line in lines.take(NAMED_MAX) {
        context.line(line)?;
    }
    match more {
        0 => Ok(()),
        more => context.line(format_args!("and {} more", plural::count_files(more))),
    }
}
