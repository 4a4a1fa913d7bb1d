//! `mem store`: stores of versioned memories, at any server of the memory stores API.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_core::memory_path::escaped;
use mem_core::plural::{self, format_count};
use mem_scan::outbound::OutboundScanner;
use mem_stores::client::edits::require_open;
use mem_stores::client::{Blocking, MemoriesQuery, Patience, StoresClient, name_lookup};
use mem_stores::folder::{self, ExportDir, ImportOptions, ImportReport, SkippedFile};
use mem_stores::wire::{CreateStore, MemoryItem, MemoryStore, UpdateStore};
use mem_team::stores_server::StoresServer;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::sanitize::one_line;
use crate::stores::{shape, skipped};
use crate::usage::UsageError;

mod memory;

use memory::{
    CatArgs, DiffArgs, MemoriesArgs, MvArgs, PutArgs, RedactArgs, RmArgs, RollbackArgs,
    VersionsArgs, cat, diff, memories, mv, put, redact, rm, rollback, versions,
};

crate::commands::verbs! {
    "Stores" {
        create(CreateArgs) => "Make a store",
        list(ListArgs) => "List the stores",
        show(ShowArgs) => "Show what is known of a store",
        update(UpdateArgs) => "Change the name, description or metadata of a store",
        archive(ArchiveArgs) => "Close a store for good; it can still be read",
        delete(DeleteArgs) => "Delete a store with all its memories and versions",
        import(ImportArgs) => "Fill a store from a directory",
        export(ExportArgs) => "Copy all memories of a store into a directory",
    }
    "Memories" {
        memories(MemoriesArgs) => "List the memories of a store",
        cat(CatArgs) => "Print a memory",
        put(PutArgs) => "Write a memory",
        mv(MvArgs) => "Move a memory to another path",
        rm(RmArgs) => "Delete a memory; its versions stay",
        versions(VersionsArgs) => "List the versions, the newest first",
        diff(DiffArgs) => "Show how two versions differ",
        rollback(RollbackArgs) => "Write an old version anew",
        redact(RedactArgs) => "Take the content of a version out for good",
    }
}

/// Work with stores of versioned memories
///
/// Talks to any server of the memory stores API: `mem serve`, or the vendor's. The server is that of
/// --base-url, else of the setting stores.base_url, else `https://api.anthropic.com` where ANTHROPIC_API_KEY is set.
/// That key goes there alone; for another server `mem team login --server URL` keeps one. A STORE is an id, or a
/// name that only one store has. What is written is scanned for secrets first.
///
/// Example: mem store create "User preferences" --description "What each user likes"
#[derive(clap::Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}

/// Which server.
#[derive(clap::Args, Debug)]
pub(crate) struct At {
    /// The server's address, as SDKs take it
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
}

/// A store of a server.
#[derive(clap::Args, Debug)]
pub(crate) struct StoreArgs {
    /// The id or the name of the store
    #[arg(value_name = "STORE")]
    store: String,
    #[command(flatten)]
    at: At,
}

impl StoreArgs {
    /// The server, open for looking, and the store.
    fn open_named_store<'c>(
        &self,
        context: &'c Context,
    ) -> Result<(StoreCommandContext<'c>, MemoryStore)> {
        let desk = self.at.open_server(context)?;
        let store = desk.find_store(&self.store)?;
        Ok((desk, store))
    }
}

/// A store that something is done to for good.
#[derive(clap::Args, Debug)]
pub(crate) struct ForGood {
    #[command(flatten)]
    of: StoreArgs,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

impl ForGood {
    /// The server and the store, once a person wants that; `question` is given what the store is called.
    fn open_confirmed<'c>(
        &self,
        question: impl FnOnce(&str) -> String,
        context: &'c Context,
    ) -> Result<(StoreCommandContext<'c>, MemoryStore)> {
        let (desk, store) = self.of.open_named_store(context)?;
        context.require_confirmation(&question(&one_line(&store.name)), self.yes)?;
        Ok((desk, store))
    }
}

/// A server that is open for one command.
struct StoreCommandContext<'c> {
    context: &'c Context,
    place: ProjectContext,
    client: Blocking,
}

impl At {
    /// Opens the server for looking.
    fn open_server<'c>(&self, context: &'c Context) -> Result<StoreCommandContext<'c>> {
        let place = context.place()?;
        let asked = StoresServer::choose(self.base_url.as_deref(), &place, context)?;
        let client = asked.open_client(&place, context, Patience::default())?;
        Ok(StoreCommandContext {
            context,
            place,
            client,
        })
    }

    /// Opens it for changing something.
    fn open_to_write<'c>(&self, context: &'c Context) -> Result<StoreCommandContext<'c>> {
        let desk = self.open_server(context)?;
        context.require_person_to_store(&desk.place)?;
        Ok(desk)
    }
}

impl StoreCommandContext<'_> {
    /// Asks the server, and says so on a terminal where it takes long.
    fn ask_server<'d, T, F>(
        &'d self,
        text: &'static str,
        ask: impl FnOnce(&'d StoresClient) -> F,
    ) -> T
    where
        F: Future<Output = T> + 'd,
    {
        let _progress = Progress::saying(&self.context.printer, text);
        self.client.run(ask)
    }

    /// The store that is named.
    fn find_store(&self, named: &str) -> Result<MemoryStore> {
        Ok(self.ask_server("asking for the store", |client| {
            name_lookup::find_store(client, named)
        })?)
    }

    /// The same, which has to be open.
    fn open_store(&self, named: &str) -> Result<MemoryStore> {
        Ok(require_open(self.find_store(named)?)?)
    }

    /// What may leave.
    fn outbound_scanner(&self) -> Result<OutboundScanner> {
        Ok(OutboundScanner::for_project(
            &self.place.project,
            self.context.dirs()?,
        )?)
    }
}

/// Make a store
///
/// The description is what agents are told of it. With --json: the store as the server shows it.
///
/// Example: mem store create "Release notes" --description "What went out, and when" --metadata team=web
#[derive(clap::Args, Debug)]
struct CreateArgs {
    /// What people call it; need not be unique
    #[arg(value_name = "NAME")]
    name: String,
    /// What agents are told of it
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    description: String,
    /// For programs; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    metadata: Vec<String>,
    #[command(flatten)]
    at: At,
}

/// Makes it.
fn create(args: &CreateArgs, context: &Context) -> Result<Exit> {
    let new = CreateStore {
        name: args.name.clone(),
        description: args.description.clone(),
        metadata: parse_pairs(&args.metadata)?,
    };
    new.check()?;
    let desk = args.at.open_to_write(context)?;
    let told = [new.name.as_str(), new.description.as_str()];
    desk.outbound_scanner()?
        .require_of_store(&told, new.metadata.iter())?;
    let store = desk.ask_server("making the store", |client| client.create_store(&new))?;
    context.print_answer(&store, shape::store_line(&store))
}

/// `KEY=VALUE`, each once.
fn parse_pairs(given: &[String]) -> Result<BTreeMap<String, String>, UsageError> {
    let mut pairs = BTreeMap::new();
    for text in given {
        let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
        let Some((key, value)) = pair else {
            let hint = "write it as KEY=VALUE";
            return Err(UsageError::new("that is no pair of metadata", hint));
        };
        if pairs.insert(key.to_owned(), value.to_owned()).is_some() {
            let hint = "give each key once";
            return Err(UsageError::new("a key of metadata is there twice", hint));
        }
    }
    Ok(pairs)
}

/// List the stores
///
/// The newest first. With --json: {"stores":[as the server shows them]}.
///
/// Example: mem store list --archived
#[derive(clap::Args, Debug)]
struct ListArgs {
    /// Those too that were archived
    #[arg(long)]
    archived: bool,
    /// How many at most
    #[arg(long, short = 'n', value_name = "COUNT", default_value = "1000")]
    limit: NonZeroUsize,
    #[command(flatten)]
    at: At,
}

/// Asks and prints.
fn list(args: &ListArgs, context: &Context) -> Result<Exit> {
    let desk = args.at.open_server(context)?;
    let stores = desk.ask_server("asking for the stores", |client| {
        client.stores(args.archived, args.limit.get())
    })?;
    let lines = stores.iter().map(shape::store_line);
    context.print_list(&json!({ "stores": stores }), lines, "there are no stores")
}

/// Show what is known of a store
///
/// With --json: the store as the server shows it.
///
/// Example: mem store show "Release notes"
#[derive(clap::Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    of: StoreArgs,
}

/// Asks and prints.
fn show(args: &ShowArgs, context: &Context) -> Result<Exit> {
    let (_, store) = args.of.open_named_store(context)?;
    context.print_answer(&store, shape::store_lines(&store))
}

/// Change the name, description or metadata of a store
///
/// What is not given stays. With --json: the store as the server shows it.
///
/// Example: mem store update "Release notes" --metadata team=core --without-metadata draft
#[derive(clap::Args, Debug)]
struct UpdateArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// Another name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Another description; an empty one takes it away
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Set a pair; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    metadata: Vec<String>,
    /// Take a pair away; may be given several times
    #[arg(long, value_name = "KEY")]
    without_metadata: Vec<String>,
}

/// Changes it.
fn update(args: &UpdateArgs, context: &Context) -> Result<Exit> {
    let set = parse_pairs(&args.metadata)?;
    let set = set.into_iter().map(|(key, value)| (key, Some(value)));
    let gone = args.without_metadata.iter().map(|key| (key.clone(), None));
    let change = UpdateStore {
        name: args.name.clone(),
        description: args.description.clone(),
        metadata: set.chain(gone).collect(),
    };
    if change == UpdateStore::default() {
        let hint = "give --name, --description, --metadata or --without-metadata";
        return Err(UsageError::new("nothing to change", hint).into());
    }
    change.check()?;
    let desk = args.of.at.open_to_write(context)?;
    let texts = [&change.name, &change.description];
    let texts: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
    // A key that goes may well be a secret that somebody put there.
    let set = change.metadata.iter();
    let set = set.filter_map(|(key, value)| Some((key, value.as_ref()?)));
    desk.outbound_scanner()?.require_of_store(&texts, set)?;
    let store = desk.open_store(&args.of.store)?;
    let store = desk.ask_server("changing the store", |client| {
        client.update_store(&store.id, &change)
    })?;
    context.print_answer(&store, shape::store_lines(&store))
}

/// Close a store for good; it can still be read
///
/// Nothing can be written there any more, and nobody can attach it. That cannot be taken back. With --json: the
/// store as the server shows it.
///
/// Example: mem store archive "Release notes 2025" --yes
#[derive(clap::Args, Debug)]
struct ArchiveArgs {
    #[command(flatten)]
    of: ForGood,
}

/// Asks the person, then the server.
fn archive(args: &ArchiveArgs, context: &Context) -> Result<Exit> {
    let question = |name: &str| format!("close the store `{name}` for good?");
    let (desk, store) = args.of.open_confirmed(question, context)?;
    let store = desk.ask_server("closing the store", |client| {
        client.archive_store(&store.id)
    })?;
    context.print_answer(&store, shape::store_line(&store))
}

/// Delete a store with all its memories and versions
///
/// That cannot be taken back; `mem store export` makes a copy before, `mem store archive` keeps it readable.
/// With --json: {"id","type"}.
///
/// Example: mem store delete memstore_01AbC --yes
#[derive(clap::Args, Debug)]
struct DeleteArgs {
    #[command(flatten)]
    of: ForGood,
}

/// Asks the person, then the server.
fn delete(args: &DeleteArgs, context: &Context) -> Result<Exit> {
    let question =
        |name: &str| format!("delete the store `{name}` with all its memories and versions?");
    let (desk, store) = args.of.open_confirmed(question, context)?;
    let deleted = desk.ask_server("deleting the store", |client| {
        client.delete_store(&store.id)
    })?;
    context.print_answer(&deleted, format_args!("deleted {}", one_line(&store.name)))
}

/// Fill a store from a directory
///
/// Each file becomes a memory at its path. Left out, and named: what is not UTF-8, what is over the limit of
/// 102,400 bytes, symbolic links, what is git's own or the SDKs', what holds a secret, and what would stand above or
/// below another memory. A memory that is there with another content stays, unless --replace is given. Run again, it
/// goes on where it was interrupted. With --json: {"created","replaced","unchanged","skipped":[{"path","why"}]};
/// of a secret also "rule" and "line", and "path" is null where it stands in the name.
///
/// Example: mem store import "Release notes" ./notes --below /2026
#[derive(clap::Args, Debug)]
struct ImportArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Put all of it below this folder of the store
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    below: String,
    /// Give memories that are there the content of the files
    #[arg(long)]
    replace: bool,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Reads the directory, looks at what is there, sends the rest.
fn import(args: &ImportArgs, context: &Context) -> Result<Exit> {
    let directory = context.cwd.join(&args.directory);
    if !directory.is_dir() {
        let hint = "name a directory that is there";
        return Err(UsageError::new("there is no such directory", hint).into());
    }
    let desk = args.of.at.open_to_write(context)?;
    let screen = desk.outbound_scanner()?;
    let store = desk.open_store(&args.of.store)?;
    let mut report = ImportReport::default();
    let memories = report.add_folder(folder::read(&directory, &args.below)?, &screen);
    let options = ImportOptions {
        can_replace: args.replace,
        is_dry_run: args.dry_run,
    };
    let progress = Progress::counting(&context.printer, "filling the store");
    let count = || progress.counters().add_items(1);
    let sent = desk
        .client
        .run(|client| report.import_memories(client, &store.id, memories, options, &count));
    drop(progress);
    report.skipped.sort_unstable();
    print_report(&report, sent.is_err(), args, context)?;
    sent?;
    Ok(match report.skipped.iter().any(SkippedFile::is_secret) {
        true => Exit::Secrets,
        false => Exit::Ok,
    })
}

fn print_report(
    report: &ImportReport,
    is_cut: bool,
    args: &ImportArgs,
    context: &Context,
) -> Result<()> {
    let printer = &context.printer;
    if printer.json {
        // What failed is told on the other stream, as every error is.
        printer.print_json(&json!({
            "created": report.created, "replaced": report.replaced,
            "unchanged": report.unchanged, "skipped": skipped::skipped_json(&report.skipped),
        }))?;
        return Ok(());
    }
    skipped::warn_of_skipped(&report.skipped, printer);
    let would = if args.dry_run { "would be " } else { "" };
    let so_far = if is_cut { " so far" } else { "" };
    printer.line(format_args!(
        "{} {would}made, {} {would}replaced, {} as they were, {} left out{so_far}",
        format_count(report.created, "memory", "memories"),
        report.replaced,
        report.unchanged,
        report.skipped.len()
    ))?;
    Ok(())
}

/// Copy all memories of a store into a directory
///
/// The directory appears when all is in it. One that is there is only written into with --force, each file
/// replaced in one step, and what else is in it stays. Memories whose paths cannot be files here are left out, and
/// named. With --json: {"directory","files","skipped":[{"path","why"}]}.
///
/// Example: mem store export "Release notes" ./notes
#[derive(clap::Args, Debug)]
struct ExportArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Write into a directory that is there
    #[arg(long)]
    force: bool,
}

/// Asks page by page, and writes.
fn export(args: &ExportArgs, context: &Context) -> Result<Exit> {
    let directory = context.cwd.join(&args.directory);
    let mut target = ExportDir::open_dir(&directory, args.force)?;
    let (desk, store) = args.of.open_named_store(context)?;
    let query = MemoriesQuery {
        is_full: true,
        ..MemoriesQuery::default()
    };
    {
        let progress = Progress::counting(&context.printer, "copying the memories");
        desk.client.run(|client| async {
            let mut pages = client.memories_stepwise(&store.id, &query)?;
            while let Some(page) = pages.next(client).await? {
                for item in page {
                    if let MemoryItem::Memory(memory) = item {
                        let content = memory.content.unwrap_or_default();
                        target.write(&memory.path, content.as_bytes());
                        progress.counters().add_items(1);
                    }
                }
            }
            anyhow::Ok(())
        })?;
    }
    let (files, skipped) = target.finish_dir()?;
    let printer = &context.printer;
    if printer.json {
        let skipped = skipped::skipped_json(&skipped);
        printer
            .print_json(&json!({ "directory": directory, "files": files, "skipped": skipped }))?;
        return Ok(Exit::Ok);
    }
    skipped::warn_of_skipped(&skipped, printer);
    printer.line(format_args!(
        "{} in {}",
        plural::count_files(files),
        escaped(&directory.to_string_lossy())
    ))?;
    Ok(Exit::Ok)
}
