//! `mem server webhook test`: send a test event.

use anyhow::Result;
use mem_server::storage::{ActorKind, StorageActor};
use serde_json::json;

use super::super::place::Where;
use super::parse_id;
use crate::context::Context;
use crate::exit::Exit;

/// Send a test event to a webhook
///
/// The event has the type webhook.test. A server that runs delivers it within seconds;
/// `mem server webhook list` says what came of it.
///
/// With --json: {"event_id"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Sends it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let actor = StorageActor::new(ActorKind::User, "administrator", "");
    let event = args.place.with_database(context, async |database| {
        database
            .test_webhook(None, &args.id, &actor, context.now.0)
            .await
    })?;
    let text = format!("{event} waits to be delivered");
    context.print_answer(&json!({ "event_id": event }), text)
}
