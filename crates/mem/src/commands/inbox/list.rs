//! `mem inbox list`: what waits.

use anyhow::Result;
use mem_core::inbox::ScopedEntry;
use serde_json::json;

use super::entries::{entry_json, memory_of, summary_line};
use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::excerpt_lines;
use crate::style::FAINT;
use crate::unified::paint_diff;
use mem_core::plural::format_count;

/// So much of what an entry would change is listed.
const LINES_MAX: usize = 200;

/// List what waits, with what each would change
///
/// Long lines are cut, and so is what goes on for more than 200 lines, which is said: `mem inbox show ID` has
/// everything, and so has --json.
///
/// With --json: {"entries":[{"id","time","verb","reason","actor","trust","name","session","host",
/// "files":[{"file","operation","renamed_from"}],"diff"}]}.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Args {
    /// What was rejected or replaced, as far as it is kept
    #[arg(long)]
    rejected: bool,
    /// One line each, without what would change
    #[arg(long)]
    short: bool,
}

/// Prints the entries.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = memory_of(&place, context)?.inbox_entries(args.rejected, context)?;
    let printer = &context.printer;
    if printer.json {
        let entries: Vec<_> = found.iter().map(entry_json).collect();
        printer.print_json(&json!({ "entries": entries }))?;
        return Ok(Exit::Ok);
    }
    if found.is_empty() {
        printer.say("nothing waits");
    }
    for (at, one) in found.iter().enumerate() {
        if at > 0 && !args.short {
            printer.line("")?;
        }
        printer.line(summary_line(one))?;
        if !args.short {
            print_diff(one, context)?;
        }
    }
    if !found.is_empty() && !args.rejected {
        printer.say("`mem inbox accept ID`, `edit ID` or `reject ID` decides; --all is for all");
    }
    Ok(Exit::Ok)
}

/// What an entry would change, as far as a list shows it.
fn print_diff(found: &ScopedEntry, context: &Context) -> Result<()> {
    let diff = found.proposed_diff();
    let (shown, left) = excerpt_lines(&diff, LINES_MAX);
    if shown.is_empty() {
        return Ok(());
    }
    context.printer.line(paint_diff(&shown))?;
    let lines = format_count(left, "more line", "more lines");
    let what = match (left > 0, diff.lines().ne(shown.lines())) {
        (true, _) => format!("… {lines}"),
        (false, true) => "… stands for more".to_owned(),
        (false, false) => return Ok(()),
    };
    let id = changes::short_id(found.entry.id.as_str());
    let said = format!("{FAINT}{what}: `mem inbox show {id}`{FAINT:#}");
    Ok(context.printer.line(said)?)
}
