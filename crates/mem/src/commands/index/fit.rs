//! `mem index fit`: under the cap again, with nothing deleted.

use mem_core::inbox::ConsentGate;
use mem_core::memory::ProjectMemory;
use serde_json::json;

use super::TierArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Bring an index over the cap back under it
///
/// Moves the pointers to the notes that changed longest ago to MEMORY.archive.md until a tenth of
/// the cap is free. Pinned notes stay. The files stay where they are.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    tier: TierArgs,
}

/// Fits it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let (order, gate) = (
        context.change_metadata("fit"),
        ConsentGate::for_config(&place.config),
    );
    let maintained = memory.fit_index(args.tier.scope, &order, &gate)?;
    context.warn_all(&maintained.warnings);
    let report = &maintained.value;
    if context.printer.json {
        context.print_json(&json!({
            "moved": report.moved, "lines": report.size.lines, "units": report.size.units,
            "over": report.is_over,
            "change": maintained.change.as_ref().map(|change| change.id.as_str()),
        }))?;
    } else {
        for file in &report.moved {
            context.line(format_args!("archived {}", clean(file)))?;
        }
        let size = report.size;
        context.say(format_args!(
            "the index has {} lines, {} characters",
            size.lines, size.units
        ));
    }
    if report.is_over {
        context.print_warning("it is still over the cap: what is left is pinned, or no pointer");
        return Ok(Exit::Failure);
    }
    Ok(Exit::Ok)
}
