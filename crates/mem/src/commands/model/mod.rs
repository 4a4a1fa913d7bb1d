//! `mem model`: the encoder of recall, embedded or installed.

pub(crate) mod install;
pub(crate) mod remove;
pub(crate) mod status;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

crate::table::commands! {
    "Commands" {
        status => "Show which encoder ranks memories",
        install => "Install a larger encoder from a file",
        remove => "Remove the installed encoder",
    }
}

/// Install a larger encoder for recall, or show which one is used
///
/// Recall compares a prompt with memories by sentence vectors. The encoder that makes them is part of mem; a larger one
/// finds more of what is said in other words, and takes about six times as long. Nothing is downloaded: `install` takes
/// a file. It stays beside mem's state, for all repositories of this user. Each memory is encoded again in the
/// background; until then it is found by its words. Without a command this is `mem model status`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => status::run(&status::Args::default(), context),
    }
}
