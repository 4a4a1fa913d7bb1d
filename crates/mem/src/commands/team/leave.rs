//! `mem team leave`: share no longer.

use anyhow::Result;
use mem_core::config;
use mem_team::address::Address;
use mem_team::settings::KIND;
use mem_team::setup::Setup;
use mem_team::tokens;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Share no longer; the files stay
///
/// The memories stay as they are, and so do those of the others. What is remembered of the remote stays
/// too, with every conflict copy: setting it up again goes on from there. `mem team logout --server
/// URL` forgets the token of a server.
///
/// With --json: {"left","dry_run"}.
///
/// Example: mem team leave
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Takes the remote out of the repository's settings.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let root = place.project.root.as_path();
    let keys = ["team.remote", "team.repo"];
    let left = config::unset_all(context.dirs()?, &keys, Some(root), args.dry_run)?;
    if !args.dry_run {
        Setup::forget_consent(&context.tier_store(&place, false)?, KIND)?;
        mem_daemon::ask::reload_daemon(context);
    }
    let exit = context.print_answer(
        &json!({ "left": left, "dry_run": args.dry_run }),
        match (left, args.dry_run) {
            (true, true) => "would share team memory from here no longer; the files stay",
            (true, false) => "team memory is no longer shared from here; the files stay",
            (false, _) => "team memory was not shared from here",
        },
    )?;
    if left {
        tell_of_token(&place.config.values.team.remote, context)?;
    }
    Ok(exit)
}

/// Names the command that forgets the token of a server that was left.
pub(crate) fn tell_of_token(remote: &str, context: &Context) -> Result<()> {
    if let Ok(Address::Server(server)) = Address::parse_address(remote)
        && tokens::is_kept(&server, context.dirs()?)
    {
        let origin = &server.origin;
        context.say(format_args!(
            "the token for {origin} is kept: `mem team logout --server {origin}` forgets it"
        ));
    }
    Ok(())
}
