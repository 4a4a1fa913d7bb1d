//! `mem types`: what each type is for, and what is not to be saved.

use anyhow::Result;
use mem_core::{MemoryType, taxonomy};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Say what each type of memory is for
///
/// What to save under user, feedback, project and reference, when, and how to write it; and what
/// not to save even when asked. --log says what belongs into the daily log instead.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only this type
    kind: Option<MemoryType>,
    /// What belongs into the daily log
    #[arg(long, conflicts_with = "kind")]
    log: bool,
}

/// Prints the texts.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let kinds = args
        .kind
        .map_or(MemoryType::ALL.to_vec(), |kind| vec![kind]);
    if context.printer.json {
        let types: Vec<_> = kinds
            .iter()
            .map(|&kind| {
                let (summary, guidance) = (taxonomy::summary(kind), taxonomy::guidance(kind));
                json!({ "type": kind.as_str(), "summary": summary, "guidance": guidance })
            })
            .collect();
        let (not_to_save, log) = (taxonomy::NOT_TO_SAVE, taxonomy::LOG);
        context.print_json(&json!({ "types": types, "not_to_save": not_to_save, "log": log }))?;
        return Ok(Exit::Ok);
    }
    if args.log {
        context.line(taxonomy::LOG.trim_end())?;
        return Ok(Exit::Ok);
    }
    let mut texts: Vec<&str> = kinds
        .into_iter()
        .map(|kind| taxonomy::guidance(kind).trim_end())
        .collect();
    if args.kind.is_none() {
        texts.push(taxonomy::NOT_TO_SAVE.trim_end());
    }
    context.line(texts.join("\n\n"))?;
    Ok(Exit::Ok)
}
