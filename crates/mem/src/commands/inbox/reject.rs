//! `mem inbox reject`: reject what waits.

use anyhow::Result;
use mem_core::inbox::{Inbox, InboxEntry, ScopedEntry};
use serde_json::json;

use super::entries::{memory_of, summary_line};
use crate::context::Context;
use crate::exit::Exit;

/// Turn down what waits
///
/// Nothing is written. The entry is kept for a while: `mem inbox list --rejected` shows it, and
/// `mem inbox accept` still finds it.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entries: ids, or beginnings of them
    #[arg(required_unless_present = "all", value_name = "ID")]
    ids: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "ids")]
    all: bool,
}

/// Rejects the entries.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = memory_of(&place, context)?.chosen_entries(&args.ids, context)?;
    if found.is_empty() {
        context.say("nothing waits");
    }
    for some in found.chunk_by(ScopedEntry::is_beside) {
        let entries: Vec<InboxEntry> = some.iter().map(|one| one.entry.clone()).collect();
        Inbox::for_paths(some[0].store.places()).reject(&entries)?;
    }
    if !context.printer.json {
        for one in &found {
            context.line(format_args!("rejected: {}", summary_line(one)))?;
        }
    }
    if context.printer.json {
        let ids: Vec<_> = found.iter().map(|one| &one.entry.id).collect();
        context.print_json(&json!({ "rejected": ids }))?;
    }
    Ok(Exit::Ok)
}
