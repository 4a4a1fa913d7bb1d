//! `mem inbox list`: what waits.

use anyhow::Result;
use serde_json::json;

use super::entries;
use crate::context::Context;
use crate::exit::Exit;
use crate::unified::painted;

/// List what waits, with what each would change
///
/// With --json: {"entries":[{"id","time","verb","reason","actor","name","session","host",
/// "files":[{"file","operation","renamed_from"}],"diff"}]}.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Args {
    /// What was turned down or replaced, as far as it is kept
    #[arg(long)]
    rejected: bool,
    /// One line each, without what would change
    #[arg(long)]
    short: bool,
}

/// Prints the entries.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = entries::all(&place, context, args.rejected)?;
    let printer = &context.printer;
    if printer.json {
        let entries: Vec<_> = found.iter().map(entries::Found::json).collect();
        printer.json(&json!({ "entries": entries }))?;
        return Ok(Exit::Ok);
    }
    if found.is_empty() {
        printer.say("nothing waits");
    }
    for (at, one) in found.iter().enumerate() {
        if at > 0 && !args.short {
            printer.line("")?;
        }
        printer.line(one.line())?;
        let diff = one.diff();
        if !args.short && !diff.is_empty() {
            printer.line(painted(&diff))?;
        }
    }
    if !found.is_empty() && !args.rejected {
        printer.say("`mem inbox accept ID`, `edit ID` or `reject ID` decides; --all is for all");
    }
    Ok(Exit::Ok)
}
