//! `mem server token revoke`: end a token, at once.

use anyhow::Result;
use serde_json::json;

use super::super::place::Where;
use super::{NoToken, parse_id};
use crate::context::Context;
use crate::exit::Exit;

/// End a token, at once
///
/// The next request with it is refused, also by a server that runs already.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The token's public id, apikey_..., as `mem server token list` has it
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Ends it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let id = parse_id(&args.id)?;
    args.place.require_there(context)?;
    args.place.with_database(context, async |database| {
        if !database.revoke_token(id, context.now.0).await? {
            return Err(NoToken(id.to_owned()).into());
        }
        let noted = database.note_administration("token.revoke", id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    context.print_answer(&json!({ "revoked": id }), format_args!("revoked {id}"))
}
