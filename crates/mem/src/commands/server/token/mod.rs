//! `mem server token`: who may ask a server.

mod create;
mod grant;
mod list;
mod revoke;
mod rotate;

use anyhow::Result;
use mem_core::Diagnose;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;

use crate::context::Context;
use crate::exit::Exit;

crate::table::noun! {
    /// Make, list, grant, rotate and revoke tokens
    ///
    /// A token is 256 random bits; the server keeps a checksum of it. What it may do is said by grants: a
    /// resource and a verb. Resources are `team:acme/app` and `team:acme/*` (the memory of repositories),
    /// `store:*` (all other memory stores, new ones too), `store:memstore_...` (one of them), `records`, `*` (all
    /// of these), and `tokens` and `webhooks` (managing these over HTTP, which `*` leaves out). Verbs are
    /// `read` and `write`; write includes read. To delete or archive a whole memory store takes the grant that
    /// making one takes: `*:write`, or `store:*:write` for a store that is no repository's.
    struct Args;
    "Commands" {
        create => "Make a token and print it, once",
        list => "List the tokens, without their secrets",
        grant => "Add grants to a token, at once",
        revoke => "End a token, at once",
        rotate => "Replace a token, with an overlap",
    }
}

/// The public id of a token. A secret that was given by mistake is not to be repeated.
fn parse_id(text: &str) -> Result<&str, NoToken> {
    let rest = text.strip_prefix("apikey_");
    match rest.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_alphanumeric())) {
        true => Ok(text),
        false => Err(NoToken("…".to_owned())),
    }
}

/// There is no such token.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(NotFound, hint = "`mem server token list` has the ids")]
#[error("there is no valid token `{0}`")]
pub(crate) struct NoToken(String);

/// Prints a secret, once: alone on standard output, what is to be known of it apart.
pub(super) fn print_secret(
    context: &Context,
    object: &Value,
    secret: &SecretString,
    remark: &str,
) -> Result<Exit> {
    if context.printer.json {
        context.print_json(object)?;
        return Ok(Exit::Ok);
    }
    context.line(secret.expose_secret())?;
    context.say(remark);
    Ok(Exit::Ok)
}
