//! `mem dream`: logs, session notes and inbox become memories.

use anyhow::Result;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mem_agent::access::MemoryAccess;
use mem_agent::distillation::state::{DistillState, LastRun, lock_distillation};
use mem_agent::distillation::{DistillationDraft, SourceFilter, prepare_plan};
use mem_agent::dream::{DistillPlan, Quote, Source, SupersededReason};
use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::{clean_short, one_line};
use crate::style::{FAINT, STRONG};
use mem_core::plural::format_count;
use mem_core::relative_time::Since;

/// Items of a kind that are shown; `--json` has all.
const SHOWN_MAX: usize = 40;

/// Distil logs, session notes and the inbox into memories
///
/// Reads what was logged and noted since the last time, says what it would do, asks, and does it as one
/// change that `mem undo` takes back. What is said twice is merged, what a newer entry says otherwise
/// gives way to it, words for days become days, and the index is kept below its caps. What gave way is
/// written down in logs/retired/, with both texts. Logs are never changed. A memory that you wrote keeps its
/// text; a description that holds no longer gives way, is quoted in the text, and the plan says so.
///
/// Rules decide; with `model.command` or `model.api` a model is asked which entries are worth a memory and
/// how to name them. What is pinned stays, and is listed where an entry says otherwise. At most a share of the
/// memories is touched at once (`dream.max_share`); what is left waits. Of an entry of a log its first 2,000 bytes
/// are read, of which the report shows a line.
///
/// With --json: {"plan":{"added":[{"file","text","date","sources":[{"file","line","date"}]}],"merged":
/// [..],"retired":[{"file","why","old":{"text","date","sources"},"new","archived",
/// "is_description"}],"pinned":[{"file","old","new"}],"unchanged":[],"left":
/// [{"source","text","why"}],"waiting":[],"warnings":[]},"change"}, and "finished":{"summary","change"} of a run that
/// was interrupted before and is through now.
///
/// Example: mem dream --dry-run
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Everything since a day (2026-01-31) or for so long (30d), whatever was done with it before
    #[arg(long, value_name = "DATE|SPAN")]
    since: Option<Since>,
    /// Say what would be done, and do nothing
    #[arg(long, alias = "plan", conflicts_with = "yes")]
    dry_run: bool,
    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

/// Plans, asks and carries out.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let _turn = lock_distillation(memory.store(Scope::Private).places())?;
    let finished = DistillState::settle_run(memory.store(Scope::Private))?;
    if let Some(last) = finished.as_ref().filter(|_| !context.printer.json) {
        say_what_was_finished(last, context);
    }
    let wanted = SourceFilter {
        since: args.since.map(|since| since_day(since, context)),
        with_inbox: true,
    };
    let access = MemoryAccess {
        place: &place,
        gate: &ProjectGate::for_place(&place, context),
        run: context,
    };
    let prepared = prepare_plan(&access, wanted, &TimeZone::system())?;
    context.warn_all(&prepared.plan.warnings);
    if args.dry_run {
        return print_outcome(&prepared.plan, None, finished.as_ref(), context);
    }
    if !context.printer.json {
        print_plan(&prepared.plan, context)?;
    }
    if prepared.plan.is_idle() {
        say_what_was_undone(&memory, context);
    }
    if !prepared.plan.is_idle() {
        context.require_confirmation("Carry this out?", args.yes)?;
    }
    let change = carry_out(&prepared, &access, context)?;
    prepared.remember_reported()?;
    if context.printer.json {
        return print_outcome(
            &prepared.plan,
            change.as_deref(),
            finished.as_ref(),
            context,
        );
    }
    if change.is_some() {
        context.say("`mem undo` takes it back");
    }
    Ok(Exit::Ok)
}

fn carry_out(
    prepared: &DistillationDraft,
    access: &MemoryAccess<'_>,
    context: &Context,
) -> Result<Option<String>> {
    let applied = prepared.carry_out(&context.change_metadata("dream"), access)?;
    context.remember_project(access.place);
    context.warn_all(&applied.warnings);
    let moved = &applied.value;
    if !moved.is_empty() {
        let lines = format_count(moved.len(), "line", "lines");
        context.say(format_args!(
            "the index was nearly full: {lines} went to MEMORY.archive.md"
        ));
    }
    Ok(applied.change.map(|change| change.id.to_string()))
}

/// A run that was killed is through: what it came to, and by which change.
fn say_what_was_finished(last: &LastRun, context: &Context) {
    let (summary, change) = (&last.summary, last.change.as_deref().unwrap_or_default());
    context.say(format_args!(
        "finished what an interrupted run had begun: {summary}; `mem undo {change}` takes it back"
    ));
}

/// What somebody took back is not offered again by itself.
fn say_what_was_undone(memory: &ProjectMemory, context: &Context) {
    let store = memory.store(Scope::Private);
    if let Some(made) = DistillState::for_paths(store.places()).undone_run(store) {
        let said = format!(
            "what was distilled last is taken back: {}",
            made.rerun_hint()
        );
        context.say(said);
    }
}

fn since_day(since: Since, context: &Context) -> Date {
    let instant = since.to_instant(context.now);
    match since {
        Since::At(_) => TimeZone::UTC.to_datetime(instant).date(),
        Since::Ago(_) => TimeZone::system().to_datetime(instant).date(),
    }
}

fn print_outcome(
    plan: &DistillPlan,
    change: Option<&str>,
    finished: Option<&LastRun>,
    context: &Context,
) -> Result<Exit> {
    if context.printer.json {
        let mut shape = json!({ "plan": plan, "change": change });
        if let Some(last) = finished {
            shape["finished"] = json!({ "summary": last.summary, "change": last.change });
        }
        context.print_json(&shape)?;
    } else {
        print_plan(plan, context)?;
    }
    Ok(Exit::Ok)
}

/// The plan for people.
fn print_plan(plan: &DistillPlan, context: &Context) -> Result<()> {
    let added = plan
        .added
        .iter()
        .map(|one| plan_item("+", &one.file, &one.quote));
    let merged = plan
        .merged
        .iter()
        .map(|one| plan_item("=", &one.file, &one.quote));
    let retired = plan.retired.iter().map(|one| {
        let why = match one.why {
            SupersededReason::Updated => "updated",
            SupersededReason::Contradicted => "contradicted",
            SupersededReason::Duplicate => "said twice",
            SupersededReason::Broken => "its code is gone",
        };
        let old = plan_item("-", &one.file, &one.old);
        let why = match one.is_description {
            true => format!("{why}, in the description"),
            false => why.to_owned(),
        };
        let new = one.new.as_ref().map_or_else(String::new, |new| {
            format!(
                "\n    now \"{}\" {}",
                clean_short(&new.text),
                quote_origin(new)
            )
        });
        format!("{old}\n    {why}{new}")
    });
    let left = plan.left.iter().map(|one| {
        let (text, at) = (clean_short(&one.text), place_of(&one.source));
        format!(
            "  {FAINT}.{FAINT:#} {text} {FAINT}({at}: {}){FAINT:#}",
            one.why
        )
    });
    let pinned = plan.pinned.iter().map(|one| {
        let (old, new) = (
            plan_item("!", &one.file, &one.old),
            clean_short(&one.new.text),
        );
        format!(
            "{old}\n    stays, against \"{new}\" {}",
            quote_origin(&one.new)
        )
    });
    let parts: [(&str, Vec<String>); 5] = [
        ("Added", added.collect()),
        ("Merged", merged.collect()),
        ("Retired", retired.collect()),
        ("Pinned, and said otherwise", pinned.collect()),
        ("Left in the log", left.collect()),
    ];
    for (title, lines) in parts.iter().filter(|(_, lines)| !lines.is_empty()) {
        let count = lines.len();
        context.line(format_args!("{STRONG}{title}{STRONG:#} ({count})"))?;
        for line in lines.iter().take(SHOWN_MAX) {
            context.line(line)?;
        }
        if count > SHOWN_MAX {
            context.line(format_args!("  and {} more", count - SHOWN_MAX))?;
        }
    }
    if !plan.waiting.is_empty() {
        let entries = format_count(plan.waiting.len(), "entry waits", "entries wait");
        context.line(format_args!(
            "{entries} for another time: enough is touched (`dream.max_share`)"
        ))?;
    }
    if plan.is_idle() {
        context.say("there is nothing to distil");
    }
    Ok(())
}

fn plan_item(mark: &str, file: &str, quote: &Quote) -> String {
    let (file, text) = (one_line(file), clean_short(&quote.text));
    format!(
        "  {mark} {STRONG}{file}{STRONG:#}: \"{text}\" {}",
        quote_origin(quote)
    )
}

fn quote_origin(quote: &Quote) -> String {
    let sources: Vec<String> = quote.sources.iter().take(3).map(place_of).collect();
    format!("{FAINT}({}){FAINT:#}", sources.join(", "))
}

fn place_of(source: &Source) -> String {
    format!("{}:{}", one_line(&source.file), source.line)
}
