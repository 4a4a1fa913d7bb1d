//! `mem inbox show`: one entry.

use anyhow::Result;
use mem_core::history::Sha256;
use serde_json::json;

use super::{edit, entries};
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
    let found = entries::find_entry(&place, context, &args.id)?;
    if context.printer.json {
        let texts = edit::offered_texts(&found)?;
        let texts = texts.iter().map(|(file, text)| {
            json!({ "file": file, "content": std::str::from_utf8(text).ok(),
                "sha256": Sha256::digest(text).to_string() })
        });
        let mut value = found.to_json();
        value["texts"] = texts.collect();
        context.printer.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    context.printer.line(found.summary_line())?;
    let diff = found.proposed_diff();
    if !diff.is_empty() {
        context.printer.line(paint_diff(&diff))?;
    }
    Ok(Exit::Ok)
}
