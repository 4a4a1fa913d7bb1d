//! `mem server webhook retry`: deliver again what could not be delivered.

use anyhow::Result;
use serde_json::json;

use super::super::place::Where;
use super::parse_id;
use crate::context::Context;
use crate::exit::Exit;

/// Deliver again what could not be delivered
///
/// A server that runs begins with it within seconds. A webhook that was disabled, because its receiver answered
/// 410, is enabled again.
///
/// With --json: {"retried"}, how many.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    /// One event alone, event_...
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    #[command(flatten)]
    place: Where,
}

/// Has it delivered.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let (event, now) = (args.event.as_deref(), context.now.0);
    let retried = args.place.with_database(context, async |database| {
        database
            .retry_dead_letters(None, &args.id, event, now)
            .await
    })?;
    let text = format!("{retried} events wait to be delivered");
    context.print_answer(&json!({ "retried": retried }), text)
}
