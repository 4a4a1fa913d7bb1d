//! `mem server webhook delete`: delete a webhook.

use anyhow::Result;
use serde_json::json;

use super::super::place::Where;
use super::parse_id;
use crate::context::Context;
use crate::exit::Exit;

/// Delete a webhook
///
/// What waits for it, and what could not be delivered, goes with it.
///
/// With --json: {"deleted"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Deletes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    args.place.with_database(context, async |database| {
        database.delete_webhook(None, &args.id).await?;
        let noted = database.note_administration("webhook.delete", &args.id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    let text = format!("deleted {}", args.id);
    context.print_answer(&json!({ "deleted": args.id }), text)
}
