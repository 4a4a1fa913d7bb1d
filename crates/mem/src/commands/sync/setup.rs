//! `mem sync setup`: say where one's own notes are kept in step.

use anyhow::Result;
use mem_team::personal_sync::SyncTarget;
use mem_team::remote;
use mem_team::settings::TeamShare;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::team::sync_progress::SyncProgress;
use mem_core::plural::format_count;

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
pub(crate) struct Args {
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
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
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
fn print_setup(args: &Args, context: &Context) {
    if !args.dry_run {
        mem_daemon::autostart::start_if_wanted(context).print_setup("mem sync", context);
    }
}
