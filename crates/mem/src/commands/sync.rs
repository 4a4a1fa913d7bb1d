//! `mem sync`: one's own notes, in step between one's own machines.

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_core::notes::INDEX_FILE;
use mem_core::plural::format_count;
use mem_core::{Scope, config};
use mem_sync::client::Direction;
use mem_team::deletion::{self, Deletion};
use mem_team::error::TeamError;
use mem_team::named_key::parse_key;
use mem_team::personal_sync::{self, PersonalSync, SyncTarget};
use mem_team::remote;
use mem_team::settings::TeamShare;
use mem_team::share_status::ShareStatus;
use mem_team::sync_run::{self, RoundRun, RunOptions};
use mem_team::write_gates::ProjectGate;
use serde_json::{Value, json};

use crate::commands::team::diff::{differences_json, of_share, print_differences};
use crate::commands::team::leave::tell_of_token;
use crate::commands::team::status::{status_json, status_lines};
use crate::commands::team::{redact as team_redact, resolve as team_resolve};
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::team::report;
use crate::team::sync_progress::SyncProgress;
use crate::usage::UsageError;

crate::commands::verbs! {
    "Commands" {
        setup(SetupArgs) => "Say where your own notes are kept in step",
        status(StatusArgs) => "Tell what waits and why, without asking the remote",
        resolve(ResolveArgs) => "Decide about texts that gave way",
        diff(DiffArgs) => "Show how your own notes here differ from the remote's",
        delete(DeleteArgs) => "Delete one of your own notes on all your machines",
        redact(RedactArgs) => "Take what a note held out of the remote's history",
        leave(LeaveArgs) => "Keep them in step no longer; the files stay",
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

/// Say where your own notes are kept in step
///
/// In a git repository of your own (`git:` and its address; the notes travel under `refs/mem/own/`, which
/// no branch shows), or at a server (`mem serve`). The remote is looked at once; one that the team
/// shares, that this repository has, or that anybody can read is refused. It goes for every repository
/// on this machine: say the same on your other machines.
///
/// With --json: {"remote","name","dry_run","tiers":[{"scope","repository","memories"}]}.
///
/// Example: mem sync setup --remote git:git@git.example.org:me/notes.git
#[derive(clap::Args, Debug)]
struct SetupArgs {
    /// A server's address, or `git:` and the address of a git repository
    #[arg(long, value_name = "URL|git:URL")]
    remote: String,
    /// The beginning of the names there, the same on all your machines [default at a git remote: own]
    #[arg(
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    name: String,
    /// Use a remote of this repository: nobody but you reads it
    #[arg(long)]
    mine: bool,
    /// Look at the remote and record nothing
    #[arg(long)]
    dry_run: bool,
}

/// Looks at the remote and records it.
fn setup(args: &SetupArgs, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let target = SyncTarget::parse_target(&args.remote, &args.name, &context.cwd)?;
    target.refuse_shared(&place, context.dirs()?, !args.mine)?;
    let own = target.personal_sync(&place, context)?;
    let talk = own.shares.first();
    let talk = talk.map(|share| SyncProgress::begin_sync("looking at the remote", share, context));
    if let Some(share) = own.shares.first() {
        remote::refuse_public(share, &place, context)?;
        remote::refuse_open(share, &place, context)?;
    }
    let mut tiers: Vec<Value> = Vec::new();
    let mut lines = Vec::new();
    for share in &own.shares {
        let memories = remote::count_memories(share, &place, context, args.dry_run)?;
        let (scope, repository) = (share.tier.0.as_str(), share.repository.name());
        tiers.push(json!({ "scope": scope, "repository": repository, "memories": memories }));
        lines.push(format!(
            "{scope} notes as {}: {} there",
            clean(repository),
            format_count(memories, "memory", "memories")
        ));
    }
    drop(talk);
    if !args.dry_run {
        target.save_target(&place, context)?;
    }
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({
            "remote": target.address.to_string(), "name": target.name,
            "dry_run": args.dry_run, "tiers": tiers,
        }))?;
        print_setup(args, context);
        return Ok(Exit::Ok);
    }
    for line in lines {
        printer.line(line)?;
    }
    if let Some(why) = &own.left_out {
        printer.print_warning(format_args!(
            "the private notes of this repository stay here: {why}"
        ));
    }
    if let Some(audience) = own.shares.first().and_then(TeamShare::audience) {
        printer.say(audience);
    }
    print_setup(args, context);
    Ok(Exit::Ok)
}

/// From now on a daemon does it by itself, where one may.
fn print_setup(args: &SetupArgs, context: &Context) {
    if !args.dry_run {
        mem_daemon::autostart::start_if_wanted(context).print_setup("mem sync", context);
    }
}

/// Tell what waits and why, without asking the remote
///
/// With --json: {"tiers":[{"scope", and what `mem team status --json` says}],"left_out"}.
///
/// Example: mem sync status
#[derive(clap::Args, Debug)]
struct StatusArgs {}

/// Prints it, tier by tier.
fn status(_: &StatusArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let own = personal_sync::personal_sync(&place, context)?;
    let printer = &context.printer;
    let mut tiers: Vec<Value> = Vec::new();
    for share in &own.shares {
        let standing = ShareStatus::for_share(share, &place, context)?;
        if !printer.json {
            for line in status_lines(share, &standing, context) {
                printer.line(line)?;
            }
        }
        let mut tier = status_json(share, &standing);
        tier["scope"] = json!(share.tier.0.as_str());
        tiers.push(tier);
    }
    if printer.json {
        printer.print_json(&json!({ "tiers": tiers, "left_out": own.left_out }))?;
    } else if let Some(why) = &own.left_out {
        printer.print_warning(format_args!(
            "the private notes of this repository stay here: {why}"
        ));
    }
    Ok(Exit::Ok)
}

/// Decide about texts that gave way
///
/// Where two of your machines changed the same lines, the text that was sent first stands in the memory
/// and the other is kept aside. Without a choice this shows both; as `mem team resolve` does.
///
/// Example: mem sync resolve project_freeze.md --mine
#[derive(clap::Args, Debug)]
#[group(skip)]
struct ResolveArgs {
    /// Which of your notes: private or global
    #[arg(long, default_value = "private")]
    scope: Scope,
    #[command(flatten)]
    choice: team_resolve::Args,
}

/// Shows, or settles one.
fn resolve(args: &ResolveArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = of_scope(personal_sync::personal_sync(&place, context)?, args.scope)?;
    team_resolve::of_share(&args.choice, &share, &place, context)
}

/// Show how your own notes here differ from the remote's
///
/// As `mem team diff` does: from what the remote was last seen to have to what is here.
///
/// With --json: {"tiers":[{"scope","files":[{"file","diff","why"}]}]}.
///
/// Example: mem sync diff project_freeze.md
#[derive(clap::Args, Debug)]
struct DiffArgs {
    /// This file only
    #[arg(value_name = "KEY")]
    key: Option<String>,
    /// Only these of your notes: private or global
    #[arg(long)]
    scope: Option<Scope>,
}

/// Prints the differences, tier by tier.
fn diff(args: &DiffArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let own = personal_sync::personal_sync(&place, context)?;
    let is_meant = |scope: Scope| args.scope.is_none_or(|wanted| wanted == scope);
    let mut tiers: Vec<Value> = Vec::new();
    let (mut all, mut missing) = (Vec::new(), None);
    if args.scope == Some(Scope::Team) {
        return Err(not_own());
    }
    for share in own.shares.iter().filter(|share| is_meant(share.tier.0)) {
        let told = match of_share(args.key.as_deref(), share, &place, context) {
            // Another tier may have it.
            Err(error) if is_missing(&error) => {
                missing = Some(error);
                continue;
            }
            told => told?,
        };
        tiers.push(json!({ "scope": share.tier.0.as_str(), "files": differences_json(&told) }));
        all.extend(told);
    }
    if let (Some(error), true) = (missing, tiers.is_empty()) {
        return Err(error);
    }
    if context.printer.json {
        context.printer.print_json(&json!({ "tiers": tiers }))?;
    } else {
        print_differences(&all, context)?;
    }
    Ok(Exit::Ok)
}

fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(TeamError::NoSuchKey { .. }))
}

/// Delete one of your own notes on all your machines
///
/// `mem remove` does the same with the next `mem sync`; a file that another program deletes comes back. A copy
/// that was changed on another machine meanwhile is kept aside there.
///
/// Example: mem sync delete project_freeze.md --reason "the freeze is over"
#[derive(clap::Args, Debug)]
struct DeleteArgs {
    /// The file, as it is named in its tier
    #[arg(value_name = "KEY")]
    key: String,
    /// Which of your notes: private or global
    #[arg(long, default_value = "private")]
    scope: Scope,
    /// Why: kept in the history, here and at the remote
    #[arg(long)]
    reason: Option<String>,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Deletes and tells.
fn delete(args: &DeleteArgs, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let key = parse_key(&args.key)?;
    if key.as_str() == INDEX_FILE {
        let hint = "delete the notes that it lists, or edit its lines";
        return Err(UsageError::new("the index is not deleted everywhere", hint).into());
    }
    let share = of_scope(personal_sync::personal_sync(&place, context)?, args.scope)?;
    let own = PersonalSync {
        shares: vec![share],
        left_out: None,
    };
    let deletion = Deletion {
        key: &key,
        reason: args.reason.as_deref(),
        order: &context.change_metadata(deletion::VERB),
        gate: &ProjectGate::for_place(&place, context),
    };
    run_rounds(&own, &place, args.dry_run, Some(deletion), context)
}

/// Take what a note held out of the remote's history
///
/// For a value that should not have left. What the note holds now stays, every earlier content goes from
/// the remote; your other machines have it in histories of their own: `mem redact` there.
///
/// Example: mem sync redact reference_deploy.md
#[derive(clap::Args, Debug)]
#[group(skip)]
struct RedactArgs {
    /// Which of your notes: private or global
    #[arg(long, default_value = "private")]
    scope: Scope,
    #[command(flatten)]
    choice: team_redact::RedactChoice,
}

/// Asks, redacts, and says what is out of reach.
fn redact(args: &RedactArgs, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let share = of_scope(personal_sync::personal_sync(&place, context)?, args.scope)?;
    team_redact::of_share(&args.choice, &share, &place, context)
}

/// Keep them in step no longer; the files stay
///
/// The notes stay here and at the remote. What is remembered of the remote stays too: setting it up again
/// goes on from there. `mem team logout --server URL` forgets the token of a server.
///
/// With --json: {"left","dry_run"}.
///
/// Example: mem sync leave
#[derive(clap::Args, Debug)]
struct LeaveArgs {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Takes the remote out of the settings.
fn leave(args: &LeaveArgs, context: &Context) -> Result<Exit> {
    let remote = context.place()?.config.values.sync.remote;
    let keys = ["sync.remote", "sync.name"];
    let left = config::unset_all(context.dirs()?, &keys, None, args.dry_run)?;
    if !args.dry_run {
        mem_daemon::ask::reload_daemon(context);
    }
    let exit = context.print_answer(
        &json!({ "left": left, "dry_run": args.dry_run }),
        match (left, args.dry_run) {
            (true, true) => "would keep your own notes in step from here no longer; the files stay",
            (true, false) => "your own notes are no longer kept in step from here; the files stay",
            (false, _) => "your own notes were not kept in step from here",
        },
    )?;
    if left {
        tell_of_token(&remote, context)?;
    }
    Ok(exit)
}
