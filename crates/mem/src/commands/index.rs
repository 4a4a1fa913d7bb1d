//! `mem index`: `MEMORY.md` as a host loads it, and in step with the files.

use mem_core::check::CheckCode;
use mem_core::inbox::ConsentGate;
use mem_core::index::{self, Repair};
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::notes::INDEX_FILE;
use mem_core::store::WriteOutcome;
use mem_core::{MemoryPath, Scope, plural};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::findings;
use crate::printer::OutputError;
use crate::sanitize::clean;

/// Files of one kind that are named; more are counted.
const NAMED_MAX: usize = 20;

crate::commands::verbs! {
    /// Show, check and mend MEMORY.md
    ///
    /// MEMORY.md is the list of pointers that a host loads at every start: its first 200 lines or
    /// 25,000 characters, whichever comes first.
    struct Args;
    "Commands" {
        show(ShowArgs) => "Print the index as a host loads it",
        check(CheckArgs) => "Say what is wrong with the index",
        repair(RepairArgs) => "Add missing pointers, remove dangling and repeated ones",
        fit(FitArgs) => "Bring an index over the cap back under it",
    }
}

/// The tier whose index is meant.
#[derive(clap::Args, Debug)]
struct TierArgs {
    /// The tier: private, team or global
    #[arg(long, default_value = "private")]
    scope: Scope,
}

/// Prints a line for each of the first of some files, and how many more there are. With `--json` all are named.
fn print_first(
    lines: impl ExactSizeIterator<Item = String>,
    context: &Context,
) -> Result<(), OutputError> {
    let more = lines.len().saturating_sub(NAMED_MAX);
    for line in lines.take(NAMED_MAX) {
        context.line(line)?;
    }
    match more {
        0 => Ok(()),
        more => context.line(format_args!("and {} more", plural::count_files(more))),
    }
}

/// Print the index as a host loads it
///
/// Leaves out frontmatter and HTML comments, cuts at 200 lines or 25,000 characters, and ends with a
/// line that says how much was cut.
#[derive(clap::Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    tier: TierArgs,
}

/// Prints it.
fn show(args: &ShowArgs, context: &Context) -> anyhow::Result<Exit> {
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

/// Say what is wrong with the index
///
/// Dangling pointers, notes without one, the size against the cap, long lines, content that
/// belongs into files. Exits with 1 where there is something to mend.
#[derive(clap::Args, Debug)]
struct CheckArgs {
    #[command(flatten)]
    tier: TierArgs,
}

/// Prints the findings.
fn check(args: &CheckArgs, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let mut inspection = memory.inspect(args.tier.scope)?;
    let is_wanted = |code: CheckCode| code.is_about_index() || code == CheckCode::Unreadable;
    inspection.findings.retain(|one| is_wanted(one.code));
    let mut inspections = [inspection];
    inspections
        .iter_mut()
        .for_each(|one| one.allow_for_log(&place));
    findings::print_inspections(&inspections, context)
}

/// Add missing pointers, remove dangling and repeated ones
///
/// One write, which `mem undo` takes back. Of several pointers to one file the one below a heading `Pinned`
/// stays, else the one with the name and description of the memory, else the last; the text below the
/// others is kept below it. Headings, prose and tables stay as they are; a link in them that points nowhere is
/// named and left. Pointers to files that cannot be read stay, and the files are named.
#[derive(clap::Args, Debug)]
struct RepairArgs {
    #[command(flatten)]
    tier: TierArgs,
}

/// Repairs it.
fn repair(args: &RepairArgs, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let (order, gate) = (
        context.change_metadata("repair"),
        ConsentGate::for_config(&place.config),
    );
    let maintained = memory.repair_index(args.tier.scope, &order, &gate)?;
    context.warn_all(&maintained.warnings);
    context.warn_all(&maintained.value.unread);
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

/// Bring an index over the cap back under it
///
/// Moves the pointers to the notes that changed longest ago to MEMORY.archive.md until a tenth of
/// the cap is free. Pinned notes stay. The files stay where they are. Where that cannot bring it
/// under the cap, as prose is no pointer, nothing is changed and the exit code is 1.
#[derive(clap::Args, Debug)]
struct FitArgs {
    #[command(flatten)]
    tier: TierArgs,
}

/// Fits it.
fn fit(args: &FitArgs, context: &Context) -> anyhow::Result<Exit> {
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
