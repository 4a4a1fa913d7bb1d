//! `mem verify`: memories against the code that they speak of.

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::{Note, ProjectMemory};
use mem_drift::{DriftReport, NoteReport, Verdict};

use crate::context::Context;
use crate::exit::Exit;
use crate::freshness::is_about_here;
use crate::freshness::shown;
use crate::scan::Progress;
use crate::select::MemoryFilter;

/// Check memories against the code they speak of
///
/// Finds what each memory cites - paths, lines, functions, types, flags, variables, keys, commits,
/// branches, tags, other memories, web addresses of this repository - and looks for it in the
/// worktree and in the history: present, moved (where to, and by which commit), changed since the
/// memory was written, gone (by which commit), never there, unknown. The verdict is fresh, aging (some
/// of it changed, or nobody can check it and it is older than a day), drifted (something moved, or
/// changed a lot) or broken (something is gone). Memories are neither changed nor hidden.
///
/// Without names it lists what is not fresh; with names, all that they cite. One's own memories across
/// repositories speak of no repository: they are judged by their age, when --scope global or a name
/// asks for them. The answers are remembered, so that `mem list`, `mem show` and others can tell them.
///
/// Exits with 0 whatever it found, and with 1 where the repository cannot be read or --fail-on says
/// so. With --json: {"notes":[{"file","verdict","citations":[{"text","kind","line","status",
/// "detail"}]}]}.
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
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let listing = memory.list(&Scope::ALL)?;
    for warning in &listing.warnings {
        context.printer.print_warning(warning);
    }
    let verdicts = context.open_verdicts(&place)?.with_notes(&listing.notes);
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
    if context.printer.json {
        context.printer.print_json(&report)?;
    } else {
        print_reports(args, &report.notes, context)?;
    }
    Ok(exit_code(args.fail_on, &report.notes))
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
            printer.line(shown::report_lines(report))?;
        } else if args.all || report.verdict > Verdict::Fresh {
            printer.line(shown::brief_line(report))?;
        }
    }
    printer.line(shown::verdict_summary(reports))?;
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
