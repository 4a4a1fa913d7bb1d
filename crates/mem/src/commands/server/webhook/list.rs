//! `mem server webhook list`: the webhooks, without their secrets.

use anyhow::Result;
use mem_server::storage::{Database, Webhook};

use super::super::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// List the webhooks and how they do
///
/// With --json: a list of {"id","workspace","url","description","event_types","created_at","disabled_at",
/// "last_attempt_at","last_outcome","pending","dead"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
}

/// Lists them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let task = async |database: &Database| database.webhooks(None).await;
    let webhooks = args.place.with_database(context, task)?;
    let lines = webhooks.iter().map(|webhook| {
        let (state, types) = (webhook_state(webhook), webhook.event_types.join(","));
        format!("{}  {state}  {types}  {}", webhook.id, clean(&webhook.url))
    });
    context.print_list(&webhooks, lines, "there is no webhook")
}

fn webhook_state(webhook: &Webhook) -> String {
    let counts = format!("{} waiting, {} dead", webhook.pending, webhook.dead);
    match (webhook.disabled_at, &webhook.last_outcome) {
        (Some(at), _) => format!("disabled {at}, {counts}"),
        (None, Some(outcome)) => format!("last: {}, {counts}", clean(outcome)),
        (None, None) => format!("never used, {counts}"),
    }
}
