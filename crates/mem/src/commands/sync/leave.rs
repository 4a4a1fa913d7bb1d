//! `mem sync leave`: keep one's own notes in step no longer.

use anyhow::Result;
use mem_core::config;
use serde_json::json;

use crate::commands::team::leave::tell_of_token;
use crate::context::Context;
use crate::exit::Exit;

/// Keep them in step no longer; the files stay
///
/// The notes stay here and at the remote. What is remembered of the remote stays too: setting it up again
/// goes on from there. `mem team logout --server URL` forgets the token of a server.
///
/// With --json: {"left","dry_run"}.
///
/// Example: mem sync leave
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Takes the remote out of the settings.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
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
