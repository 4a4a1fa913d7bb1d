//! `mem server token list`: the tokens, without their secrets.

use anyhow::Result;
use jiff::Timestamp;
use mem_server::storage::{Database, Grant, Token};
use mem_server::tokens::token_json;
use serde_json::Value;

use super::super::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// List the tokens, without their secrets
///
/// With --json: a list of {"id","name","workspace","grants","created_at","expires_at","revoked_at",
/// "last_used_at","rotated_from","session","valid"}. "session" says where a person signed in: `console` or `device`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
}

/// Lists them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let task = async |database: &Database| database.tokens().await;
    let tokens = args.place.with_database(context, task)?;
    let now = context.now.0;
    let shown: Vec<Value> = tokens.iter().map(|token| token_json(token, now)).collect();
    let lines = tokens.iter().map(|token| {
        let grants: Vec<String> = token.grants.iter().map(Grant::to_string).collect();
        let (name, grants) = (clean(&token.name), grants.join(","));
        let state = token_state(token, now);
        let used = match token.last_used_at {
            Some(at) => format!("used {at}"),
            None => "never used".to_owned(),
        };
        format!("{}  {state}  {used}  {grants}  {name}", token.id)
    });
    context.print_list(&shown, lines, "there is no token")
}

fn token_state(token: &Token, now: Timestamp) -> String {
    match (token.revoked_at, token.expires_at) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(end)) if end <= now => format!("expired {end}"),
        (None, Some(end)) => format!("valid until {end}"),
        (None, None) => "valid".to_owned(),
    }
}
