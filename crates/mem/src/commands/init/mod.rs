//! `mem init`: a memory for this repository, and the sensible next steps.

mod steps;

use std::path::Path;

use anyhow::Result;
use mem_core::adopt::Offer;
use mem_core::audit::{self, ProjectAudit};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::StoreError;
use mem_core::{Scope, atomic, registry};
use serde_json::{Value, json};

use crate::commands::audit::{project_json, project_paragraph};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::style::STRONG;
use mem_core::plural::{count_files, format_count};
use mem_core::recognition::Recognition;

use steps::SetupStep;

/// Set memory up for this repository
///
/// Makes the memory directory where there is none, begins its history (kept outside of it), and
/// records the repository, so that its memories are found after it was moved. A directory that
/// already holds memories is left as it is: nothing is written into it. Ends with the audit of
/// this repository. On a terminal it then offers the next steps; nothing is taken over or installed
/// unless you agree. The settings of hosts (`mem install`) are a question of their own, which neither
/// --yes nor an agent answers. Doing it again changes nothing.
///
/// With --json: {"memory_dir","created","history_dir","adoptable":[],"audit":{...},
/// "steps":[{"command","why","done"}]}; adoptable as in `mem status`, audit as a project in
/// `mem audit`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Take the next steps too, without asking; but for `mem install`
    #[arg(long, short = 'y')]
    yes: bool,
    /// Show what would be done, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Offer no next steps
    #[arg(long, conflicts_with = "yes")]
    no_setup: bool,
}

/// What was set up.
struct InitReport {
    created: bool,
    offers: Vec<Offer>,
    audit: ProjectAudit,
    steps: Vec<(SetupStep, bool)>,
}

/// Sets up, tells, and offers the next steps.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let created = !place.location.memory_dir.is_dir();
    if !args.dry_run {
        begin_history(&place, &memory, context)?;
    }
    for root in registry::sharing_roots(context.dirs()?, &place.location) {
        context.print_warning(registry::sharing_warning(&root, &place.location));
    }
    if let Some(warning) = registry::replaced_repository_warning(context.dirs()?, &place) {
        context.print_warning(warning);
    }
    let by = match args.dry_run {
        true => Recognition::Look,
        false => Recognition::Renew,
    };
    let mut report = InitReport {
        created,
        offers: context.adoption_offers(&place, by)?,
        audit: inspect_memory(&place, context)?,
        steps: Vec::new(),
    };
    if !args.no_setup {
        let steps = steps::sensible_steps(&place, &report.offers, context)?;
        report.steps = steps.into_iter().map(|step| (step, false)).collect();
    }
    if !context.printer.json {
        print_report(args, &place, &memory, &report, context)?;
    }
    if report.steps.is_empty() && report.audit.memories == 0 && !args.no_setup {
        context
            .say("next: `mem save` saves the first memory; `mem` alone says what there is to do");
    }
    steps::take_steps(args, &mut report.steps, context)?;
    if context.printer.json {
        context.print_json(&report_json(&place, &memory, &report))?;
    }
    Ok(Exit::Ok)
}

/// Makes the directory and begins the history. What is in the directory already becomes the
/// history's first entry; the directory itself is only read.
fn begin_history(place: &ProjectContext, memory: &ProjectMemory, context: &Context) -> Result<()> {
    let directory = &place.location.memory_dir;
    atomic::create_dirs(directory).map_err(|source| StoreError::Io {
        action: "make",
        path: directory.clone(),
        source,
    })?;
    context.record_external(memory.store(Scope::Private))?;
    Ok(())
}

fn inspect_memory(place: &ProjectContext, context: &Context) -> Result<ProjectAudit> {
    let location = &place.location;
    let (directory, root) = (location.memory_dir.clone(), location.project_root.clone());
    Ok(audit::audit_one(
        directory,
        &location.slug,
        root,
        context.dirs()?,
    ))
}

fn print_report(
    args: &Args,
    place: &ProjectContext,
    memory: &ProjectMemory,
    report: &InitReport,
    context: &Context,
) -> Result<()> {
    let directory = shown_path(&place.location.memory_dir);
    let verb = match (report.created, args.dry_run) {
        (true, true) => "would make",
        (true, false) => "made",
        (false, _) => "already there:",
    };
    let printer = &context.printer;
    printer.line(format_args!("{verb} {directory}"))?;
    let history = memory.store(Scope::Private).places().history();
    printer.line(format_args!(
        "its history is kept in {}",
        shown_path(&history)
    ))?;
    for offer in &report.offers {
        let slug = clean(&offer.candidate.slug);
        printer.line(format_args!(
            "{} under {slug}: {}; `mem adopt --from={slug}` takes them over",
            count_files(offer.fresh),
            clean(&offer.reason_text())
        ))?;
    }
    if report.audit.findings.is_empty() {
        let memories = format_count(report.audit.memories, "memory", "memories");
        return Ok(printer.line(format_args!(
            "{STRONG}nothing to mend{STRONG:#}, {memories}"
        ))?);
    }
    Ok(printer.line(project_paragraph(&report.audit).join("\n"))?)
}

fn report_json(place: &ProjectContext, memory: &ProjectMemory, report: &InitReport) -> Value {
    let steps: Vec<Value> = report
        .steps
        .iter()
        .map(
            |(step, done)| json!({ "command": step.command_line(), "why": step.why, "done": done }),
        )
        .collect();
    json!({
        "memory_dir": place.location.memory_dir,
        "created": report.created,
        "history_dir": memory.store(Scope::Private).places().history(),
        "adoptable": report.offers.iter().map(Offer::to_json).collect::<Vec<_>>(),
        "audit": project_json(&report.audit),
        "steps": steps,
    })
}

fn shown_path(path: &Path) -> String {
    clean(&path.to_string_lossy()).into_owned()
}
