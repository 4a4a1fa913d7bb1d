//! `mem index`: `MEMORY.md` as a host loads it, and in step with the files.

pub(crate) mod check;
pub(crate) mod fit;
pub(crate) mod repair;
pub(crate) mod show;

use mem_core::Scope;

use crate::context::Context;
use crate::exit::Exit;

crate::table::commands! {
    "Commands" {
        show => "Print the index as a host loads it",
        check => "Say what is wrong with the index",
        repair => "Add missing pointers, remove dangling and repeated ones",
        fit => "Bring an index over the cap back under it",
    }
}

/// Show, check and mend MEMORY.md
///
/// MEMORY.md is the list of pointers that a host loads at every start: its first 200 lines or
/// 25,000 characters, whichever comes first.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    args.verb.run(context)
}

/// The tier whose index is meant.
#[derive(clap::Args, Debug)]
pub(crate) struct TierArgs {
    /// The tier: private, team or global
    #[arg(long, default_value = "private")]
    pub scope: Scope,
}
