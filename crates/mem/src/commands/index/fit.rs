//! `mem index fit`: under the cap again, with nothing deleted.

use mem_core::inbox::ConsentGate;
use mem_core::index;
use mem_core::memory::ProjectMemory;
use serde_json::json;

use super::{TierArgs, print_first};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Bring an index over the cap back under it
///
/// Moves the pointers to the notes that changed longest ago to MEMORY.archive.md until a tenth of
/// the cap is free. Pinned notes stay. The files stay where they are. Where that cannot bring it
/// under the cap, as prose is no pointer, nothing is changed and the exit code is 1.
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
        let moved = report.moved.iter();
        print_first(
            moved.map(|file| format!("archived {}", clean(file))),
            context,
        )?;
        let size = report.size;
        context.say(format_args!(
            "the index has {} lines, {} characters",
            size.lines, size.units
        ));
    }
    if report.is_over {
        let prose = index::prose_size(&report.index);
        let (lines, units) = (prose.lines, prose.units);
        if prose.is_over() {
            context.print_warning(format_args!(
                "nothing was changed: {lines} lines ({units} characters) of the index are prose, which is over the cap by \
                 itself; move prose into a topic file"
            ));
        } else {
            context.print_warning(format_args!(
                "nothing was changed: it would still be over the cap with nothing but pinned pointers and {lines} lines \
                 of prose; unpin memories, or move prose into a topic file"
            ));
        }
        return Ok(Exit::Failure);
    }
    Ok(Exit::Ok)
}
