//! `mem store import`: a directory, file by file, into a store.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use futures_util::StreamExt as _;
use futures_util::stream;
use mem_core::history::Sha256;
use mem_core::memory_path::escaped;
use mem_stores::StorePath;
use mem_stores::client::{ClientError, MemoriesQuery, StoresClient};
use mem_stores::folder::{self, FolderMemory, SkippedFile};
use mem_stores::wire::{CreateMemory, MemoryItem, Precondition, StoreMemory, UpdateMemory};
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::counted::format_count;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::stores::skipped;
use crate::usage::UsageError;

/// Files that are under way at a time.
const SENT_MAX: usize = 8;

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
pub(crate) struct Args {
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

/// What became of the files.
#[derive(Debug, Default)]
struct ImportReport {
    created: usize,
    replaced: usize,
    unchanged: usize,
    skipped: Vec<SkippedFile>,
}

/// What became of one.
enum FileImport {
    Created,
    Replaced,
    Unchanged,
    Skipped(SkippedFile),
}

/// Reads the directory, looks at what is there, sends the rest.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let directory = context.cwd.join(&args.directory);
    if !directory.is_dir() {
        let hint = "name a directory that is there";
        return Err(UsageError::new("there is no such directory", hint).into());
    }
    let desk = args.of.at.open_to_write(context)?;
    let screen = desk.outbound_scanner()?;
    let store = desk.open_store(&args.of.store)?;
    let mut report = ImportReport::default();
    let (texts, skipped) = folder::read(&directory, &args.below)?;
    let skipped = skipped.into_iter().map(|one| one.for_path(&screen));
    report.skipped = skipped.collect();
    let mut clean = Vec::new();
    for text in texts {
        match screen.leak(text.path.as_str(), &text.content) {
            None => clean.push(text),
            Some(leak) => report
                .skipped
                .push(SkippedFile::for_leak(text.path.as_str(), leak)),
        }
    }
    let progress = Progress::counting(&context.printer, "filling the store");
    let count = || progress.counters().add_items(1);
    let sent = desk.client.run(|client| async {
        let there = remote_memories(client, &store.id).await?;
        let each = clean
            .into_iter()
            .map(|text| import_memory(client, &store.id, text, &there, args));
        let mut each = stream::iter(each).buffer_unordered(SENT_MAX);
        while let Some(done) = each.next().await {
            report.add_file(done?);
            count();
        }
        anyhow::Ok(())
    });
    drop(progress);
    report.skipped.sort_unstable();
    print_report(&report, sent.is_err(), args, context)?;
    sent?;
    Ok(match report.skipped.iter().any(SkippedFile::is_secret) {
        true => Exit::Secrets,
        false => Exit::Ok,
    })
}

/// What the store has, by path.
async fn remote_memories(
    client: &StoresClient,
    store: &str,
) -> Result<BTreeMap<String, StoreMemory>, ClientError> {
    let items = client.memories(store, &MemoriesQuery::default()).await?;
    let memories = items.into_iter().filter_map(|item| match item {
        MemoryItem::Memory(memory) => Some((memory.path.clone(), *memory)),
        MemoryItem::Prefix(_) => None,
    });
    Ok(memories.collect())
}

async fn import_memory(
    client: &StoresClient,
    store: &str,
    text: FolderMemory,
    there: &BTreeMap<String, StoreMemory>,
    args: &Args,
) -> Result<FileImport, ClientError> {
    let FolderMemory { path, content } = text;
    let skipped = |path: &str, why: String| Ok(FileImport::Skipped(SkippedFile::new(path, why)));
    if let Some(other) = in_the_way(&path, there) {
        let why = format!("the store has a memory at `{}`", escaped(other));
        return skipped(path.as_str(), why);
    }
    let name = path.as_str().to_owned();
    let sent = match there.get(path.as_str()) {
        Some(there) if there.content_sha256 == Sha256::digest(content.as_bytes()).to_string() => {
            return Ok(FileImport::Unchanged);
        }
        Some(_) if !args.replace => {
            let why = "the store has another content there; --replace replaces it";
            return skipped(&name, why.to_owned());
        }
        Some(_) if args.dry_run => return Ok(FileImport::Replaced),
        None if args.dry_run => return Ok(FileImport::Created),
        Some(there) => {
            let change = UpdateMemory {
                content: Some(content),
                path: None,
                precondition: Some(Precondition::ContentSha256 {
                    content_sha256: there.content_sha256.clone(),
                }),
            };
            let sent = client.update_memory(store, &there.id, &change).await;
            sent.map(|_| FileImport::Replaced)
        }
        None => {
            let new = CreateMemory {
                path,
                content,
                precondition: None,
            };
            let sent = client.create_memory(store, &new).await;
            sent.map(|_| FileImport::Created)
        }
    };
    match sent {
        Err(error) if error.is_permanent() || error.is_conflict() => {
            skipped(&name, error.to_string())
        }
        sent => sent,
    }
}

/// The memory that a path would be the folder of, or below.
fn in_the_way<'t>(path: &StorePath, there: &'t BTreeMap<String, StoreMemory>) -> Option<&'t str> {
    let known = |path: &str| there.get_key_value(path).map(|(path, _)| path.as_str());
    let below = format!("{path}/");
    let mut from = there.range(below.clone()..).map(|(path, _)| path.as_str());
    let below = from.next().filter(|other| other.starts_with(&below));
    path.ancestors().find_map(known).or(below)
}

impl ImportReport {
    fn add_file(&mut self, done: FileImport) {
        match done {
            FileImport::Created => self.created += 1,
            FileImport::Replaced => self.replaced += 1,
            FileImport::Unchanged => self.unchanged += 1,
            FileImport::Skipped(one) => self.skipped.push(one),
        }
    }
}

fn print_report(report: &ImportReport, is_cut: bool, args: &Args, context: &Context) -> Result<()> {
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
