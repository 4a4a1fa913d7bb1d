//! `mem store export`: all memories of a store, as files.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::memory_path::escaped;
use mem_stores::client::MemoriesQuery;
use mem_stores::folder::ExportDir;
use mem_stores::wire::MemoryItem;
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::stores::skipped;
use mem_core::plural;

/// Copy all memories of a store into a directory
///
/// The directory appears when all is in it. One that is there is only written into with --force, each file
/// replaced in one step, and what else is in it stays. Memories whose paths cannot be files here are left out, and
/// named. With --json: {"directory","files","skipped":[{"path","why"}]}.
///
/// Example: mem store export "Release notes" ./notes
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
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
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
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
