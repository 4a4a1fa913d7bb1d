//! `mem inbox show`: one entry.

use anyhow::Result;
use mem_core::history::Sha256;
use serde_json::json;

use super::entries::{entry_json, memory_of, summary_line};
use crate::context::Context;
use crate::exit::Exit;
use crate::unified::paint_diff;

/// Show one entry
///
/// Prints who wants what and why, and what it would change. Rejected entries are found too.
///
/// With --json as an entry of `mem inbox list`, with "texts":[{"file","content","sha256"}]: what `mem inbox edit` offers
/// of each memory, null where it is not UTF-8.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The entry: its id, or the beginning of it
    id: String,
}

/// Prints the entry.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = memory_of(&place, context)?.inbox_entry(&args.id, context)?;
    if context.printer.json {
        let texts = found.offered_texts()?;
        let texts = texts.iter().map(|(file, text)| {
            json!({ "file": file, "content": std::str::from_utf8(text).ok(),
                "sha256": Sha256::digest(text).to_string() })
        });
        let mut value = entry_json(&found);
        value["texts"] = texts.collect();
        context.printer.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    context.printer.line(summary_line(&found))?;
    let diff = found.proposed_diff();
    if !diff.is_empty() {
        context.printer.line(paint_diff(&diff))?;
    }
    Ok(Exit::Ok)
}
