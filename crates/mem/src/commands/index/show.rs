//! `mem index show`: what a session sees.

use mem_core::index;
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::notes::INDEX_FILE;
use serde_json::json;

use super::TierArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Print the index as a host loads it
///
/// Leaves out frontmatter and HTML comments, cuts at 200 lines or 25,000 characters, and ends with a
/// line that says how much was cut.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    tier: TierArgs,
}

/// Prints it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let path = ScopeDir(args.tier.scope).path(INDEX_FILE)?;
    let read = memory.store(args.tier.scope).read(&path)?;
    let loaded = index::load_index(&read.unwrap_or_default());
    if context.printer.json {
        context.printer.print_json(&json!({
            "text": loaded.text, "lines": loaded.lines, "units": loaded.units,
            "cut_lines": loaded.cut_lines, "cut_units": loaded.cut_units,
            "warnings": loaded.warnings,
        }))?;
    } else if loaded.text.is_empty() {
        context.printer.say("the index is empty");
    } else {
        context.printer.line(clean(loaded.text.trim_end()))?;
    }
    Ok(Exit::Ok)
}
