//! `mem index check`: the findings that are about the index.

use mem_core::memory::ProjectMemory;

use super::TierArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::findings;

/// Say what is wrong with the index
///
/// Dangling pointers, notes without one, the size against the cap, long lines, content that
/// belongs into files. Exits with 1 where there is something to mend.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    tier: TierArgs,
}

/// Prints the findings.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let mut inspection = memory.inspect(args.tier.scope)?;
    inspection.findings.retain(|one| one.code.is_about_index());
    let mut inspections = [inspection];
    inspections
        .iter_mut()
        .for_each(|one| one.allow_for_log(&place));
    findings::print_inspections(&inspections, context)
}
