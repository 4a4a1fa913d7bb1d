//! `mem secrets`: the rules, and what is allowed.

mod allow;
mod explain;
mod list;

use crate::context::Context;
use crate::exit::Exit;

crate::table::commands! {
    "Commands" {
        list => "List the rules",
        explain => "Say what a rule finds",
        allow => "Allow one finding for good, with a reason",
    }
}

/// The rules that secrets are found by, and what is allowed
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    args.verb.run(context)
}
