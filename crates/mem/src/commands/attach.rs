//! `mem attach`: give the agents of a repository a store.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use mem_core::error::message_with_causes;
use mem_core::location::ProjectContext;
use mem_scan::outbound::OutboundScanner;
use mem_stores::attached::{
    AttachError, AttachedStore, Attachment, AttachmentFile, AttachmentRequest, Effort,
    RoundOutcome, StoreAccess, resources,
};
use mem_stores::client::{Patience, name_lookup};
use mem_sync::client::Direction;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::sanitize::one_line;
use crate::usage::UsageError;
use mem_core::plural::format_count;
use mem_team::stores_server::StoresServer;

/// A list of resources is shorter.
const INPUT_BYTES_MAX: u64 = 1024 * 1024;

/// Give the agents of this repository a store
///
/// Agents are told of it when a session starts, and find it below /memories: with the memory tool, and over MCP.
/// An offline copy is kept outside of the repository, for all its worktrees, and written back when the server
/// answers. At most 8 stores; one that is attached already gets the access and the instructions that are given.
/// With --from: the list `resources` of a session of the API, from a file or from standard input (-). With
/// --json: {"resources":[..]} as `mem attachments` prints it.
///
/// Example: mem attach "Release notes" --access read_only --instructions "Look here before you release."
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The id or the name of the store
    #[arg(value_name = "STORE", required_unless_present = "from")]
    store: Option<String>,
    /// What agents may do
    #[arg(long, value_name = "ACCESS", conflicts_with = "from")]
    access: Option<AccessArg>,
    /// What agents are told of it here, at most 4,096 characters
    #[arg(long, value_name = "TEXT", conflicts_with = "from")]
    instructions: Option<String>,
    /// Attach what a session's list of resources names
    #[arg(long, value_name = "FILE", conflicts_with = "store")]
    from: Option<String>,
    /// The server's address, as SDKs take it
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// What agents may do with a store, as it is asked for.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum AccessArg {
    /// Look.
    #[value(name = "read_only", alias = "read-only")]
    ReadOnly,
    /// Look and write.
    #[value(name = "read_write", alias = "read-write")]
    ReadWrite,
}

impl From<AccessArg> for StoreAccess {
    fn from(access: AccessArg) -> Self {
        match access {
            AccessArg::ReadOnly => Self::ReadOnly,
            AccessArg::ReadWrite => Self::ReadWrite,
        }
    }
}

/// Asks the server for each store, writes them down, makes the copies.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let requests = attach_requests(args, context)?;
    AttachmentRequest::check_limits(&requests)?;
    let place = context.place()?;
    let screen = OutboundScanner::for_project(&place.project, context.dirs()?)?;
    for text in requests
        .iter()
        .filter_map(|request| request.instructions.as_ref())
    {
        screen.require_told("what agents are to be told of the store", text)?;
    }
    let asked = StoresServer::choose(args.base_url.as_deref(), &place, context)?;
    let client = asked.open_client(&place, context, Patience::default())?;
    let list = AttachmentFile::for_place(&place, context)?;
    let (attached, _) = list.read_attachments();
    let mut new = Vec::new();
    for request in requests {
        let store = client.run(|client| name_lookup::find_store(client, &request.store))?;
        if store.archived_at.is_some() {
            return Err(AttachError::Archived(store.name).into());
        }
        let mut same = attached.iter();
        let same = same.find(|old| old.store == store.id && old.base_url == asked.server.base);
        let one = request.into_attachment(same, store, &asked.server.base, context.now);
        if let Some(old) = same {
            let outcome = AttachedStore::new(old, &list, &place, &context.tools)
                .prepare_access(one.access)?;
            tell_aside(old, &outcome, context);
            if let Some(error) = outcome.error {
                return Err(error.into());
            }
        }
        new.push(one);
    }
    if !asked.is_for_good(&place, context)? {
        context.printer.print_warning(format_args!(
            "MEM_TOKEN is not sent there when agents work: `mem team login --server {}` keeps the key",
            asked.server.base
        ));
    }
    let added = list.add_attachments(new)?;
    fetch_copies(&added, &list, &place, context)?;
    print_attached(&added, context)?;
    Ok(Exit::Ok)
}

fn attach_requests(args: &Args, context: &Context) -> Result<Vec<AttachmentRequest>> {
    if let Some(store) = &args.store {
        return Ok(vec![AttachmentRequest {
            store: store.clone(),
            access: args.access.map(StoreAccess::from),
            instructions: args.instructions.clone(),
        }]);
    }
    let from = args.from.as_deref().unwrap_or("-");
    let (requests, others) = resources::read(&read(from, context)?)?;
    if others > 0 {
        let text = format_args!("{others} resources are no stores, and are passed over");
        context.printer.print_warning(text);
    }
    if requests.is_empty() {
        let hint = "a store has \"type\":\"memory_store\"";
        return Err(UsageError::new("the list names no store", hint).into());
    }
    Ok(requests)
}

fn read(from: &str, context: &Context) -> Result<String> {
    let mut text = String::new();
    if from == "-" {
        let stdin = std::io::stdin().lock();
        let read = stdin.take(INPUT_BYTES_MAX).read_to_string(&mut text);
        read.context("cannot read standard input")?;
        return Ok(text);
    }
    let path = context.cwd.join(Path::new(from));
    let bytes = mem_core::regular_file::read(&path, INPUT_BYTES_MAX);
    let bytes = bytes.with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Says so where texts gave way.
fn tell_aside(attachment: &Attachment, outcome: &RoundOutcome, context: &Context) {
    if !outcome.aside.is_empty() {
        context.printer.print_warning(format_args!(
            "of {}, {} to what the server has: `mem attachments` names the files",
            attachment.slug,
            format_count(outcome.aside.len(), "text gave way", "texts gave way")
        ));
    }
}

/// Makes the offline copies. What goes wrong with one is told, and made good later.
fn fetch_copies(
    added: &[Attachment],
    list: &AttachmentFile,
    place: &ProjectContext,
    context: &Context,
) -> Result<()> {
    let progress = Progress::counting(&context.printer, "fetching memories");
    for attachment in added {
        let store = AttachedStore::new(attachment, list, place, &context.tools);
        let count = |items| progress.counters().add_items(items);
        let outcome = store.sync_with_server(Direction::Both, Effort::without_limit(), &count)?;
        tell_aside(attachment, &outcome, context);
        if let Some(error) = outcome.error {
            let slug = &attachment.slug;
            let text = format_args!(
                "the copy of {slug} is not whole yet: {}",
                message_with_causes(&error)
            );
            context.printer.print_warning(text);
        }
    }
    Ok(())
}

fn print_attached(added: &[Attachment], context: &Context) -> Result<()> {
    let printer = &context.printer;
    if printer.json {
        let all: Vec<Value> = added
            .iter()
            .map(|one| Value::Object(resources::attachment_json(one)))
            .collect();
        printer.print_json(&json!({ "resources": all }))?;
        return Ok(());
    }
    for one in added {
        printer.line(format_args!(
            "{} is at {}, {}",
            one_line(&one.name),
            one.mount_path(),
            one.access.as_str()
        ))?;
    }
    Ok(())
}
