//! `mem store import`: a directory, file by file, into a store.

use std::path::PathBuf;

use anyhow::Result;
use mem_stores::folder::{self, ImportOptions, ImportReport, SkippedFile};
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::stores::skipped;
use crate::usage::UsageError;
use mem_core::plural::format_count;

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
