//! `mem server token`: who may ask a server.

mod create;
mod grant;
mod list;
mod revoke;
mod rotate;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

pub(crate) use revoke::NoToken;

crate::table::commands! {
    "Commands" {
        create => "Make a token and print it, once",
        list => "List the tokens, without their secrets",
        grant => "Add grants to a token, at once",
        revoke => "End a token, at once",
        rotate => "Replace a token, with an overlap",
    }
}

/// Make, list, grant, rotate and revoke tokens
///
/// A token is 256 random bits; the server keeps a checksum of it. What it may do is said by grants: a
/// resource and a verb. Resources are `team:acme/app` and `team:acme/*` (the memory of repositories),
/// `store:*` (all other memory stores, new ones too), `store:memstore_...` (one of them), `records`, `*` (all
/// of these), and `tokens` and `webhooks` (managing these over HTTP, which `*` leaves out). Verbs are
/// `read` and `write`; write includes read. To delete or archive a whole memory store takes the grant that
/// making one takes: `*:write`, or `store:*:write` for a store that is no repository's.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Whether this can be the public id of a token. A secret that was given by mistake is not to be repeated.
fn is_id(text: &str) -> bool {
    text.strip_prefix("apikey_")
        .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}
