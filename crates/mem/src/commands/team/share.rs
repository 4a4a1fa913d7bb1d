//! `mem team share`: move a private memory to the team.

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::{ProjectMemory, ShareOutcome};
use mem_core::store::Planned;
use mem_team::pending_review;
use mem_team::settings;
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::team::remarks;
use crate::unified::paint_diff;
use mem_core::unified_diff::plan_diff;

/// Move a private memory to the team
///
/// Moves the file to the team tier and its entry from MEMORY.md to that of the team, as one change that
/// `mem undo` takes back; the memory keeps its id, its age and its history. It is sent with the next sync.
/// What an agent shares waits for your look first (`mem team review`), unless `team.push` is `auto`. A
/// memory of type user is refused, and so is one that holds a secret. Nothing is sent by this command.
///
/// Exit codes: 3 it holds a secret; 4 the team has a memory of that name.
///
/// With --json: {"id","from","to","change","waits","dry_run","files":[{"file","diff"}]}.
///
/// Example: mem team share project_freeze.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The memory: its file, title, id, or a beginning of one of them
    name: String,
    /// The file in the team tier, instead of the same name
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Why, for the history
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,
    /// Show what would be written, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

/// Moves the memory, and says whether it goes by itself.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let team = settings::team_share(&place, context)?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    // Only a private memory can be shared; one of another tier gets an error that says so.
    let private = memory.find(&args.name, Some(Scope::Private));
    let note = private.or_else(|_| memory.find(&args.name, None))?;
    let file = args.file.as_deref();
    let order = context
        .change_metadata("share")
        .because(context.stored_reason(args.reason.clone()));
    let gate = ProjectGate::for_place(&place, context);
    let (shared, plans) = match args.dry_run {
        true => memory.preview_share(&note, file, &order, &gate)?,
        false => (memory.share(&note, file, &order, &gate)?, Vec::new()),
    };
    context.warn_all(&shared.warnings);
    if !args.dry_run {
        context.clean_up_when_due(&place, &team.store);
    }
    let waits = match args.dry_run {
        true => pending_review::would_wait(&team, context),
        false => pending_review::count_among(&team, [&shared.path]) > 0,
    };
    if context.printer.json {
        let change = shared.change.as_ref().map(|change| change.id.as_str());
        context.print_json(&json!({
            "id": note.id, "from": shared.from, "to": shared.to, "change": change, "waits": waits,
            "dry_run": args.dry_run, "files": changes::plans_json(&plans),
        }))?;
        return Ok(Exit::Ok);
    }
    print_shared(args, &shared, &plans, waits, context)?;
    let is_synced = !place.config.values.sync.remote.is_empty();
    if is_synced && !args.dry_run {
        context.say(format_args!(
            "your other machines have the private copy: `mem sync delete {}` takes it from them",
            clean(&shared.from)
        ));
    }
    Ok(Exit::Ok)
}

fn print_shared(
    args: &Args,
    shared: &ShareOutcome,
    plans: &[Planned],
    waits: bool,
    context: &Context,
) -> Result<()> {
    let printer = &context.printer;
    let verb = if args.dry_run { "would move" } else { "moved" };
    let (from, to) = (clean(&shared.from), clean(&shared.to));
    match from == to {
        true => printer.line(format_args!("{verb} {from} to the team"))?,
        false => printer.line(format_args!("{verb} {from} to the team as {to}"))?,
    }
    let diff: String = plans.iter().map(plan_diff).collect();
    if !diff.is_empty() {
        printer.line(paint_diff(&diff))?;
    }
    match (args.dry_run, waits) {
        (true, _) => {}
        (false, true) => remarks::say_count(1, context),
        (false, false) => printer.say("the next sync sends it; until then `mem undo` reverts this"),
    }
    Ok(())
}
