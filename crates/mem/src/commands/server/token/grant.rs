//! `mem server token grant`: give a token more to do, at once.

use anyhow::Result;
use mem_server::access::grant;
use mem_server::storage::Grant;
use serde_json::json;

use super::super::place::Where;
use super::{NoToken, parse_id};
use crate::context::Context;
use crate::exit::Exit;

/// Add grants to a token, at once
///
/// A grant is a resource and a verb, as `mem server token --help` lists them. The next request with the
/// token may do it, also at a server that runs already. `mem server token revoke` ends a token that may
/// do too much.
///
/// With --json: {"id","granted"}.
///
/// Example: mem server token grant apikey_0123 team:acme/app:write
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The token's public id, apikey_..., as `mem server token list` has it
    id: String,
    /// What it may do: RESOURCE:VERB; may be repeated
    #[arg(value_name = "GRANT", value_parser = grant::parse, required = true)]
    grants: Vec<Grant>,
    #[command(flatten)]
    place: Where,
}

/// Adds them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let id = parse_id(&args.id)?;
    args.place.require_there(context)?;
    args.place.with_database(context, async |database| {
        if !database.grant(id, &args.grants).await? {
            return Err(NoToken(id.to_owned()).into());
        }
        let noted = database.note_administration("token.grant", id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    let granted: Vec<String> = args.grants.iter().map(Grant::to_string).collect();
    let text = format!("granted {} to {id}", granted.join(", "));
    context.print_answer(&json!({ "id": id, "granted": granted }), text)
}
