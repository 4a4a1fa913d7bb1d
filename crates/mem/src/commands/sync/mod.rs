//! `mem sync`: one's own notes, in step between one's own machines.

pub(crate) mod delete;
pub(crate) mod diff;
pub(crate) mod leave;
pub(crate) mod redact;
pub(crate) mod resolve;
pub(crate) mod setup;
pub(crate) mod status;

use anyhow::Result;
use mem_core::Scope;
use mem_core::location::ProjectContext;
use mem_sync::client::Direction;
use mem_team::deletion::Deletion;
use mem_team::error::TeamError;
use mem_team::personal_sync::{self, PersonalSync};
use mem_team::settings::TeamShare;
use mem_team::sync_run::{self, RoundRun, RunOptions};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::team::report;
use crate::team::sync_progress::SyncProgress;
use crate::usage::UsageError;

crate::table::commands! {
    "Commands" {
        setup => "Say where your own notes are kept in step",
        status => "Tell what waits and why, without asking the remote",
        resolve => "Decide about texts that gave way",
        diff => "Show how your own notes here differ from the remote's",
        delete => "Delete one of your own notes on all your machines",
        redact => "Take what a note held out of the remote's history",
        leave => "Keep them in step no longer; the files stay",
    }
}

/// Keep your own notes in step between your own machines
///
/// The private notes of this repository and your global ones travel through a git repository of your
/// own, or through a server. Without a command both directions are made now. Everything that leaves is
/// scanned for secrets; on a terminal you are asked about each finding once, elsewhere its file stays.
///
/// Exit codes: 0 in step; 1 something could not be sent; 3 a file holds a secret and stays; 5 the
/// remote cannot be reached, nothing is lost.
///
/// With --json: {"tiers":[{"scope", and what `mem team sync --json` says}]}.
///
/// Example: mem sync setup --remote git:git@git.example.org:me/notes.git
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Runs the verb; without one, makes both directions.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if let Some(verb) = &args.verb {
        if args.dry_run {
            let hint = "put --dry-run after the command";
            return Err(UsageError::new("--dry-run stands before a command", hint).into());
        }
        return verb.run(context);
    }
    let place = context.enabled_place()?;
    let own = personal_sync::personal_sync(&place, context)?;
    run_rounds(&own, &place, args.dry_run, None, context)
}

/// Makes a run for each tier, and tells what they came to.
fn run_rounds(
    own: &PersonalSync,
    place: &ProjectContext,
    is_dry: bool,
    delete: Option<Deletion<'_>>,
    context: &Context,
) -> Result<Exit> {
    if let Some(why) = own.left_out.as_ref().filter(|_| delete.is_none()) {
        context.print_warning(format_args!(
            "the private notes of this repository stay here: {why}"
        ));
    }
    let wanted = RunOptions {
        direction: Direction::Both,
        is_dry,
        is_repeated: false,
        delete,
    };
    let mut runs = Vec::new();
    for share in &own.shares {
        runs.push((share, sync_tier(share, place, context, wanted)?));
    }
    if context.printer.json {
        let tiers: Vec<Value> = runs
            .iter()
            .map(|(share, run)| run_json(share, run, is_dry))
            .collect();
        context.print_json(&json!({ "tiers": tiers }))?;
    }
    let mut exit = Exit::Ok;
    for (share, run) in &runs {
        if !context.printer.json {
            report::print_outcome(share, run, is_dry, context)?;
        }
        let end = report::end_run(share, run, context);
        if exit == Exit::Ok || end == Exit::Secrets {
            exit = end;
        }
    }
    Ok(exit)
}

/// A run; once more where the person lets something go after all.
fn sync_tier(
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
    wanted: RunOptions<'_>,
) -> Result<RoundRun> {
    let run = |wanted| {
        let _talk = SyncProgress::begin_sync("keeping your notes in step", share, context);
        sync_run::run(share, place, context, wanted)
    };
    let mut first = run(wanted)?;
    let Some(answers) = first.answers.take().filter(|_| !wanted.is_dry) else {
        return Ok(first);
    };
    let ask = |question: &str| -> Result<bool> { Ok(context.ask_agreement(question)?) };
    if !context.is_interactive() || !answers.ask_person(ask)? {
        return Ok(first);
    }
    let delete = None;
    let again = run(RunOptions { delete, ..wanted })?;
    Ok(first.and_later(again))
}

fn run_json(share: &TeamShare, run: &RoundRun, is_dry: bool) -> Value {
    let mut shape = report::run_json(share, run, is_dry);
    shape["scope"] = json!(share.tier.0.as_str());
    shape
}

/// The tier that a person means.
fn of_scope(own: PersonalSync, scope: Scope) -> Result<TeamShare> {
    if scope == Scope::Team {
        return Err(not_own());
    }
    let left_out = own.left_out;
    let found = own.shares.into_iter().find(|share| share.tier.0 == scope);
    found.ok_or_else(|| {
        let why = left_out.filter(|_| scope == Scope::Private);
        let scope = scope.as_str();
        TeamError::OwnStay { scope, why }.into()
    })
}

/// The tier that is shared with other people.
fn not_own() -> anyhow::Error {
    let hint = "`mem team` is for what the team shares; --scope private or global is for your own";
    UsageError::new("the team's notes are not among your own", hint).into()
}
