//! `mem daemon`: what looks after a repository's memory in the background.

pub(crate) mod daemon_line;
pub(crate) mod install;
pub(crate) mod logs;
pub(crate) mod restart;
pub(crate) mod run;
pub(crate) mod start;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod uninstall;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

crate::table::commands! {
    "Commands" {
        status => "Say whether a daemon runs here, and how it is",
        start => "Start the daemon of this repository",
        stop => "End the daemon of this repository",
        restart => "End it and start it anew",
        logs => "Show what it says",
        run => "Be the daemon, in the foreground",
        install => "Let the system start it when you log in",
        uninstall => "Take the service out again",
    }
}

/// Look after this repository's memory in the background
///
/// A daemon notices what is written, keeps history and indexes in step, and shares team memory two quiet
/// seconds after the last write. Everything works without one. It starts by itself where team memory is
/// shared, all worktrees of a repository share it, and it ends after 30 minutes without use
/// (`daemon.autostart`, `daemon.idle_minutes`). Without a command this tells how it is.
///
/// Example: mem daemon start
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => status::run(&status::Args { all: false }, context),
    }
}
