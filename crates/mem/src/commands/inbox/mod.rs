//! `mem inbox`: what agents want to write, for a person to decide on.

pub(crate) mod accept;
pub(crate) mod edit;
mod entries;
pub(crate) mod list;
pub(crate) mod reject;
pub(crate) mod show;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

crate::table::commands! {
    "Commands" {
        list => "List what waits, with what each would change",
        show => "Show one entry",
        accept => "Write what waits",
        edit => "Change what waits in your editor, then write it",
        reject => "Turn down what waits",
    }
}

/// Decide on what agents want to write
///
/// With the setting `memory.write = "confirm"` agents do not write to memory by themselves: what
/// they save, change or remove waits here, outside of the memory directory, until you accept, edit
/// or reject it. Without a command this lists what waits.
///
/// Example: mem config set memory.write confirm
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => list::run(&list::Args::default(), context),
    }
}
