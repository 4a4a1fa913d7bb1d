//! `mem server token`: who may ask a server.

mod create;
mod list;
mod revoke;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

pub(crate) use revoke::NoToken;

crate::table::commands! {
    "Commands" {
        create => "Make a token and print it, once",
        list => "List the tokens, without their secrets",
        revoke => "End a token, at once",
    }
}

/// Make, list and revoke tokens
///
/// A token is 256 random bits; the server keeps a checksum of it. What it may do is said by grants: a
/// resource and a verb. Resources are `team:acme/app` and `team:acme/*` (the memory of repositories),
/// `store:*` (all other memory stores, new ones too), `store:memstore_...` (one of them) and `*`. Verbs are
/// `read` and `write`; write includes read.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}
