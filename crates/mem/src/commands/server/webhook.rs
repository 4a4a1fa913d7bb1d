//! `mem server webhook`: who is told what happens.

use std::path::PathBuf;

use anyhow::Result;
use mem_server::ServerSettings;
use mem_server::access::secret;
use mem_server::events::{EVENT_TYPES, EventType};
use mem_server::storage::{ActorKind, Database, NewWebhook, StorageActor, Webhook};
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::place::Where;
use super::token::print_secret;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;

crate::commands::verbs! {
    /// Make, list, test and delete webhooks
    ///
    /// A webhook is an address that a running server tells what happens in one workspace: stores and memories
    /// that are made, changed, deleted or redacted, and conflicts. It is told ids, paths and who, never contents.
    /// Deliveries are signed as Standard Webhooks has it. docs/events.md describes them.
    struct Args;
    "Commands" {
        create(CreateArgs) => "Make a webhook and print its secret, once",
        list(ListArgs) => "List the webhooks and how they do",
        test(TestArgs) => "Send a test event to a webhook",
        rotate(RotateArgs) => "Make a new secret for a webhook",
        dead(DeadArgs) => "List what could not be delivered to a webhook",
        retry(RetryArgs) => "Deliver again what could not be delivered",
        delete(DeleteArgs) => "Delete a webhook",
    }
}

/// The id of a webhook. A secret that was given by mistake is not to be repeated.
fn parse_id(text: &str) -> Result<String, String> {
    let is_id = text
        .strip_prefix("webhook_")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_alphanumeric()));
    match is_id {
        true => Ok(text.to_owned()),
        false => Err("`mem server webhook list` has the ids, webhook_...".to_owned()),
    }
}

/// Make a webhook and print its secret, once
///
/// The secret stands on standard output, alone: the receiver checks signatures with it. Where contents are
/// encrypted the server keeps it sealed, else it lies in the database as contents do. Without --event the
/// webhook is told everything. An address that is not on the public internet is refused, unless `allow_private`
/// of the server's settings names its network: give the file with --settings.
///
/// With --json: {"id","secret","url","workspace","event_types"}.
///
/// Example: mem server webhook create "$HOOK_URL" --event team.conflict
#[derive(clap::Args, Debug)]
struct CreateArgs {
    /// Where to, an https:// address
    url: String,
    /// What it is told; may be repeated
    #[arg(long = "event", value_name = "TYPE", value_parser = event_type)]
    event_types: Vec<EventType>,
    /// What it is for
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
    /// Whose events
    #[arg(long, value_name = "NAME", default_value = "default")]
    workspace: String,
    /// The settings of the server, as for `mem serve`
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    place: Where,
}

fn event_type(text: &str) -> Result<EventType, String> {
    let names = EVENT_TYPES.map(EventType::as_str).join(", ");
    EventType::parse(text).ok_or_else(|| format!("the types are {names}"))
}

/// Makes it.
fn create(args: &CreateArgs, context: &Context) -> Result<Exit> {
    let settings = match &args.settings {
        Some(path) => ServerSettings::read(&context.cwd.join(path))?,
        None => ServerSettings::default(),
    };
    let description = secret::name(&args.description).ok_or_else(|| {
        let hint = "write at most 100 characters, on one line";
        UsageError::new("the description of the webhook is not one", hint)
    })?;
    let mut new = NewWebhook {
        workspace: String::new(),
        url: settings.events.allow_private.parse(&args.url)?.into(),
        description,
        event_types: args.event_types.clone(),
    };
    args.place.require_there(context)?;
    let master = mem_server::storage::MasterSource::for_run(context)?;
    let (id, secret) = args.place.with_keys(context, master, async |database| {
        let found = database.find_workspace(&args.workspace).await?;
        new.workspace = found.id;
        let made = database.create_webhook(&new, context.now.0).await?;
        let noted = database.note_administration("webhook.create", &made.0, context.now.0);
        noted.await?;
        anyhow::Ok(made)
    })?;
    let shown = json!({
        "id": id,
        "secret": secret.expose_secret(),
        "url": new.url,
        "workspace": new.workspace,
        "event_types": new.event_names(),
    });
    let remark = format!("{id}: the secret is not shown again");
    print_secret(context, &shown, &secret, &remark)
}

/// List the webhooks and how they do
///
/// With --json: a list of {"id","workspace","url","description","event_types","created_at","disabled_at",
/// "last_attempt_at","last_outcome","pending","dead"}.
#[derive(clap::Args, Debug)]
struct ListArgs {
    #[command(flatten)]
    place: Where,
}

/// Lists them.
fn list(args: &ListArgs, context: &Context) -> Result<Exit> {
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

/// Send a test event to a webhook
///
/// The event has the type webhook.test. A server that runs delivers it within seconds;
/// `mem server webhook list` says what came of it.
///
/// With --json: {"event_id"}.
#[derive(clap::Args, Debug)]
struct TestArgs {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Sends it.
fn test(args: &TestArgs, context: &Context) -> Result<Exit> {
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

/// Make a new secret for a webhook
///
/// The secret stands on standard output, alone. For 24 hours deliveries are signed with the former secret
/// too, so that a receiver can change over.
///
/// With --json: {"id","secret"}.
#[derive(clap::Args, Debug)]
struct RotateArgs {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Makes it.
fn rotate(args: &RotateArgs, context: &Context) -> Result<Exit> {
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

/// List what could not be delivered to a webhook
///
/// An event is given up after ten attempts in about three and a half days, and kept for 30 days more. The newest
/// 100 are listed.
///
/// With --json: a list of {"event_id","type","subject","created_at","dead_at","attempts","last_outcome"}.
#[derive(clap::Args, Debug)]
struct DeadArgs {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Lists it.
fn dead(args: &DeadArgs, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let letters = args.place.with_database(context, async |database| {
        database.dead_letters(None, &args.id).await
    })?;
    let lines = letters.iter().map(|letter| {
        let outcome = clean(letter.last_outcome.as_deref().unwrap_or_default()).into_owned();
        format!(
            "{}  {}  {}  {}  {outcome}",
            letter.event_id, letter.event_type, letter.subject, letter.dead_at
        )
    });
    context.print_list(&letters, lines, "there is none")
}

/// Deliver again what could not be delivered
///
/// A server that runs begins with it within seconds. A webhook that was disabled, because its receiver answered
/// 410, is enabled again.
///
/// With --json: {"retried"}, how many.
#[derive(clap::Args, Debug)]
struct RetryArgs {
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
fn retry(args: &RetryArgs, context: &Context) -> Result<Exit> {
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

/// Delete a webhook
///
/// What waits for it, and what could not be delivered, goes with it.
///
/// With --json: {"deleted"}.
#[derive(clap::Args, Debug)]
struct DeleteArgs {
    /// The webhook's id, webhook_...
    #[arg(value_parser = parse_id)]
    id: String,
    #[command(flatten)]
    place: Where,
}

/// Deletes it.
fn delete(args: &DeleteArgs, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    args.place.with_database(context, async |database| {
        database.delete_webhook(None, &args.id).await?;
        let noted = database.note_administration("webhook.delete", &args.id, context.now.0);
        anyhow::Ok(noted.await?)
    })?;
    let text = format!("deleted {}", args.id);
    context.print_answer(&json!({ "deleted": args.id }), text)
}
