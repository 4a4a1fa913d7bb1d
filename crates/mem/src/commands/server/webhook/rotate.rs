//! `mem server webhook rotate`: make a new secret for a webhook.

use anyhow::Result;
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::super::place::Where;
use super::parse_id;
use crate::context::Context;
use crate::exit::Exit;

/// Make a new secret for a webhook
///
/// The secret stands on standard output, alone. For 24 hours deliveries are signed with the former secret
/// too, so that a receiver can change over.
///
/// With --json: {"id","secret"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Makes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let master = mem_server::storage::MasterSource::for_run(context)?;
    let secret = args.place.with_keys(context, master, async |database| {
        let secret = database
            .rotate_webhook(None, &args.id, context.now.0)
            .await?;
        let noted = database.note_administration("webhook.rotate", &args.id, context.now.0);
        noted.await?;
        anyhow::Ok(secret)
    })?;
    let secret = secret.expose_secret();
    context.print_answer(&json!({ "id": args.id, "secret": secret }), secret)
}
