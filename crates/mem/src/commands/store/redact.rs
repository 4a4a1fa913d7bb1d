//! `mem store redact`.

use anyhow::Result;
use mem_core::memory_path::printable;

use super::At;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// Take the content of a version out for good
///
/// Who wrote it and when stays. What a memory holds now cannot be redacted: write it anew first. That cannot be
/// taken back. With --json: the version as the server shows it.
///
/// Example: mem store redact "Release notes" memver_01A --yes
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The id or the name of the store
    #[arg(value_name = "STORE")]
    store: String,
    /// The version, by its id
    #[arg(value_name = "VERSION")]
    version: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    at: At,
}

/// Asks the person, then the server.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.at.open(context)?;
    let store = desk.store(&args.store)?;
    let version = printable(&args.version);
    let question = format!("take the content of {version} out for good?");
    context.confirm(&question, args.yes)?;
    let redacted = desk.ask("redacting the version", |client| {
        client.redact_version(&store.id, &args.version)
    })?;
    let printer = &context.printer;
    match printer.json {
        true => printer.json(&redacted)?,
        false => printer.line(shape::version_line(&redacted))?,
    }
    Ok(Exit::Ok)
}
