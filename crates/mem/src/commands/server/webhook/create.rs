//! `mem server webhook create`: make a webhook and print its secret, once.

use std::path::PathBuf;

use anyhow::Result;
use mem_server::ServerSettings;
use mem_server::access::secret;
use mem_server::events::{EVENT_TYPES, EventType};
use mem_server::storage::NewWebhook;
use secrecy::ExposeSecret as _;
use serde_json::json;

use super::super::place::Where;
use super::super::token::print_secret;
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

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
pub(crate) struct Args {
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
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
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
