//! `mem index repair`: the index in step with the files.

use mem_core::MemoryPath;
use mem_core::inbox::ConsentGate;
use mem_core::index::Repair;
use mem_core::memory::ProjectMemory;
use mem_core::store::WriteOutcome;
use serde_json::json;

use super::{TierArgs, print_first};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Add missing pointers, remove dangling and repeated ones
///
/// One write, which `mem undo` takes back. Of several pointers to one file the one below a heading `Pinned`
/// stays, else the one with the name and description of the memory, else the last; the text below the
/// others is kept below it. Headings, prose and tables stay as they are; a link in them that points nowhere is
/// named and left.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    tier: TierArgs,
}

/// Repairs it.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let (order, gate) = (
        context.change_metadata("repair"),
        ConsentGate::for_config(&place.config),
    );
    let maintained = memory.repair_index(args.tier.scope, &order, &gate)?;
    context.warn_all(&maintained.warnings);
    print_repair(&maintained, context)?;
    Ok(Exit::Ok)
}

/// Says what was done.
fn print_repair(maintained: &WriteOutcome<Repair>, context: &Context) -> anyhow::Result<()> {
    let report = &maintained.value;
    let files = |paths: &[MemoryPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    let removed: Vec<&str> = report.removed.iter().map(|one| one.file.as_str()).collect();
    if context.printer.json {
        let left: Vec<_> = report
            .left
            .iter()
            .map(|one| json!({ "line": one.line, "file": one.file }))
            .collect();
        context.print_json(&json!({
            "added": files(&report.added), "removed": removed, "left": left,
            "repeated": files(&report.repeated),
            "change": maintained.change.as_ref().map(|change| change.id.as_str()),
        }))?;
        return Ok(());
    }
    let added = report.added.iter();
    print_first(
        added.map(|file| format!("added {}", clean(file.as_str()))),
        context,
    )?;
    let removed = removed.into_iter();
    print_first(
        removed.map(|file| format!("removed {} (no such file)", clean(file))),
        context,
    )?;
    let repeated = report.repeated.iter().map(|file| clean(file.as_str()));
    print_first(
        repeated.map(|file| format!("kept one of the entries for {file}")),
        context,
    )?;
    for link in &report.left {
        let (line, file) = (link.line, &link.file);
        context.print_warning(format_args!(
            "MEMORY.md:{line} links to {file}, which is not there"
        ));
    }
    if maintained.change.is_none() {
        context.say("the index is in step with its files");
    }
    Ok(())
}
