//! `mem gc`: write the history anew, and bound it.

use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use mem_core::plural::format_count;

/// Write the history anew, and drop what `history.keep` does not keep
///
/// The newest version of every file is always kept.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Your own notes across repositories
    #[arg(long)]
    global: bool,
}

/// Does it, and tells the sizes before and after.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let store = context.tier_store(&place, args.global)?;
    let printer = &context.printer;
    let Some(history) = context.open_history(&place, &store)? else {
        if printer.json {
            printer.print_json(&json!({ "changes_before": 0, "changes": 0, "objects": 0,
                "bytes_before": 0, "bytes": 0 }))?;
        } else {
            printer.say("there is no history here");
        }
        return Ok(Exit::Ok);
    };
    let (changes_before, bytes_before) = (history.count_changes()?, history.size_bytes()?);
    drop(history);
    let cleanup = store.collect_garbage(place.config.values.history.keep, context.now)?;
    let proof = cleanup.proof;
    if let Some(repair) = &cleanup.repair {
        printer.print_warning(repair);
    }
    let after = store.open_history()?;
    let bytes = after.map_or(Ok(0), |history| history.size_bytes())?;
    let before = format_count(changes_before, "change", "changes");
    let changes = format_count(proof.changes, "change", "changes");
    let objects = format_count(proof.objects, "object", "objects");
    Ok(printer.print_answer(
        &json!({
            "changes_before": changes_before,
            "changes": proof.changes,
            "objects": proof.objects,
            "bytes_before": bytes_before,
            "bytes": bytes,
        }),
        format_args!("{before} in {bytes_before} bytes -> {changes} ({objects}) in {bytes} bytes"),
    )?)
}
