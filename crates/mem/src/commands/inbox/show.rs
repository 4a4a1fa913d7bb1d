//! `mem inbox show`: one entry.

use anyhow::Result;

use super::entries;
use crate::context::Context;
use crate::exit::Exit;
use crate::unified::paint_diff;

/// Show one entry
///
/// Prints who wants what and why, and what it would change. Rejected entries are found too.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entry: its id, or the beginning of it
    id: String,
}

/// Prints the entry.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = entries::find_entry(&place, context, &args.id)?;
    if context.printer.json {
        context.printer.print_json(&found.to_json())?;
        return Ok(Exit::Ok);
    }
    context.printer.line(found.summary_line())?;
    let diff = found.proposed_diff();
    if !diff.is_empty() {
        context.printer.line(paint_diff(&diff))?;
    }
    Ok(Exit::Ok)
}
