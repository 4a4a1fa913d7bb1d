//! `mem verify`: memories against the code that they speak of.

use anyhow::Result;
use mem_core::Scope;
use mem_core::config::MemoryMode;
use mem_core::location::ProjectContext;
use mem_core::memory::{Note, ProjectMemory};
use mem_drift::{DriftReport, NoteReport, Verdict};
use mem_find::verdicts::Verdicts;
use mem_find::verdicts::citation_moves::MovePlan;
use mem_find::verdicts::is_about_here;
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::freshness::verdict_text;
use crate::freshness::{excerpt, moves};
use crate::progress::Progress;
use crate::select::MemoryFilter;

/// Check memories against the code they speak of
///
/// Finds what each memory cites - paths, lines, functions, types, flags, variables, keys, commits,
/// branches, tags, other memories, web addresses of this repository - and looks for it in the
/// worktree and in the history: present, moved (where to, and by which commit), changed since the
/// memory was written, gone (by which commit), never there, unknown. A memory that was renamed has moved, one that was
/// removed is gone. The verdict is fresh, aging (some of it changed, or nobody can check it and it is older than a
/// day), drifted (something moved, or changed a lot, or a bare name is gone) or broken (a path, a call, a flag, a
/// variable or a linked memory is gone; a bare name counts as a path where it is that of one file alone, in the root).
/// Memories are neither changed nor hidden, but by --fix.
///
/// Without names it lists what is not fresh; with names, all that they cite, but for what is not there and
/// what the memory itself calls removed, planned, past or banned. One's own memories across
/// repositories speak of no repository: they are judged by their age, when --scope global or a name
/// asks for them. The answers are remembered, so that `mem list`, `mem show` and others can tell them.
///
/// Exits with 0 whatever it found, and with 1 where the repository cannot be read or --fail-on says
/// so. With --json: {"notes":[{"file","verdict","citations":[{"text","kind","line","status",
/// "detail","moved_to","code"}]}]}; "moved_to" where a file or folder lies elsewhere now, "code" with names: the lines
/// that are meant, {"path","first","line","lines":[]}, where they are in a file that the memory names.
///
/// With --fix the paths of files and folders that moved are rewritten to where they are: a plan, a question, one
/// change that `mem undo` takes back. Only where the history followed the file to its place; a citation with a line
/// number stays, and so does a name without a folder that more than one file had. With --json:
/// {"fixed":[{"file","line","text","replacement"}],"kept":[{"file","line","text","reason"}],"change","dry_run"}.
///
/// Example: mem verify --fix --dry-run
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only these memories
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    selection: MemoryFilter,
    /// List fresh memories too
    #[arg(long, short)]
    all: bool,
    /// Exit with 1 where a verdict is this or worse
    #[arg(long, value_name = "VERDICT")]
    fail_on: Option<FailLevel>,
    /// Rewrite the paths of what has moved to where it is now
    #[arg(long, conflicts_with_all = ["all", "fail_on"])]
    fix: bool,
    /// With --fix: show what would be rewritten, and write nothing
    #[arg(long, short = 'n', requires = "fix")]
    dry_run: bool,
    /// With --fix: do not ask
    #[arg(long, short, requires = "fix")]
    yes: bool,
}

/// Verdicts that a run can fail on.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum FailLevel {
    /// Some of it changed, or nobody can check it
    Aging,
    /// Something moved, or changed a lot
    Drifted,
    /// Something is gone
    Broken,
}

/// Checks, and prints what was found.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = match args.fix {
        true => context.enabled_place()?,
        false => context.place()?,
    };
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let listing = memory.list(&Scope::ALL)?;
    for warning in &listing.warnings {
        context.printer.print_warning(warning);
    }
    let verdicts = Verdicts::for_place(&place, context)?.with_notes(&listing, &memory)?;
    if !verdicts.has_repository() {
        let text = "this is no git repository: memories are judged by their age alone";
        context.printer.print_warning(text);
    }
    let notes = choose_notes(args, &memory, listing.notes)?;
    let progress = Progress::saying(&context.printer, "checking memories against the code");
    let report = DriftReport {
        notes: verdicts.check_notes(&notes)?,
    };
    drop(progress);
    if args.fix {
        return fix_moved(args, &report.notes, notes, &place, context);
    }
    if context.printer.json {
        let mut value = serde_json::to_value(&report)?;
        if !args.names.is_empty() {
            excerpt::add_code(&mut value, &place.project.workdir);
        }
        context.printer.print_json(&value)?;
    } else {
        print_reports(args, &report.notes, context)?;
    }
    Ok(exit_code(args.fail_on, &report.notes))
}

/// Rewrites the citations of what has moved, once the person agrees.
fn fix_moved(
    args: &Args,
    reports: &[NoteReport],
    notes: Vec<Note>,
    place: &ProjectContext,
    context: &Context,
) -> Result<Exit> {
    let plan = MovePlan::for_reports(reports, notes);
    let printer = &context.printer;
    let lines = moves::plan_lines(&plan);
    let json = |change: Option<&str>| {
        json!({
            "fixed": moves::plan_json(&plan), "kept": moves::kept_json(&plan), "change": change, "dry_run": args.dry_run,
        })
    };
    moves::kept_lines(&plan).for_each(|line| printer.say_outcome(line));
    if plan.is_empty() || args.dry_run {
        printer.print_list(
            &json(None),
            lines.into_iter(),
            "no path has to be rewritten",
        )?;
        return Ok(Exit::Ok);
    }
    if !printer.json {
        for line in lines {
            printer.line(line)?;
        }
    }
    context.require_confirmation("rewrite them?", args.yes)?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let has_index = place.config.values.memory.mode != MemoryMode::Log;
    let (order, gate) = (
        context.change_metadata("verify"),
        ProjectGate::for_place(place, context),
    );
    let written = plan.carry_out(&memory, has_index, &order, &gate)?;
    context.remember_project(place);
    context.warn_all(&written.warnings);
    let change = written.change.map(|change| change.id.to_string());
    if printer.json {
        printer.print_json(&json(change.as_deref()))?;
    } else if let Some(change) = change {
        printer.say(format_args!("`mem undo {change}` takes it back"));
    }
    Ok(Exit::Ok)
}

/// The memories that are meant.
fn choose_notes(args: &Args, memory: &ProjectMemory, all: Vec<Note>) -> Result<Vec<Note>> {
    let selection = &args.selection;
    let mut notes = all;
    if args.names.is_empty() {
        notes.retain(|note| selection.scope.is_some() || is_about_here(note));
    } else {
        let found = args
            .names
            .iter()
            .map(|name| memory.find(name, selection.scope));
        notes = found.collect::<Result<_, _>>()?;
    }
    notes.retain(|note| {
        selection.admits_note(note) && selection.scope.is_none_or(|scope| scope == note.scope)
    });
    Ok(notes)
}

fn print_reports(args: &Args, reports: &[NoteReport], context: &Context) -> Result<()> {
    let printer = &context.printer;
    if reports.is_empty() {
        printer.say("there is nothing to check");
        return Ok(());
    }
    let is_named = !args.names.is_empty();
    for report in reports {
        if is_named {
            printer.line(verdict_text::report_lines(report))?;
        } else if args.all || report.verdict > Verdict::Fresh {
            printer.line(verdict_text::brief_line(report))?;
        }
    }
    printer.line(verdict_text::verdict_summary(reports))?;
    Ok(())
}

fn exit_code(fail_on: Option<FailLevel>, reports: &[NoteReport]) -> Exit {
    let least = match fail_on {
        None => return Exit::Ok,
        Some(FailLevel::Aging) => Verdict::Aging,
        Some(FailLevel::Drifted) => Verdict::Drifted,
        Some(FailLevel::Broken) => Verdict::Broken,
    };
    match reports.iter().any(|report| report.verdict >= least) {
        true => Exit::Failure,
        false => Exit::Ok,
    }
}
