//! `mem server token revoke`: end a token, at once.

use anyhow::Result;
use mem_core::Diagnose;
use serde_json::json;

use super::super::place::Where;
use super::is_id;
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

/// There is no such token.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(NotFound, hint = "`mem server token list` has the ids")]
#[error("there is no valid token `{0}`")]
pub(crate) struct NoToken(pub(super) String);

/// Ends it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let id = args.id.as_str();
    if !is_id(id) {
        return Err(NoToken("…".to_owned()).into());
    }
    args.place.require_there(context)?;
    let found = args.place.with_database(context, async |database| {
        let found = database.revoke_token(id, context.now.0).await?;
        if found {
            database
                .note_administration("token.revoke", id, context.now.0)
                .await?;
        }
        Ok(found)
    });
    if !found? {
        return Err(NoToken(id.to_owned()).into());
    }
    context.print_answer(&json!({ "revoked": id }), format_args!("revoked {id}"))
}
