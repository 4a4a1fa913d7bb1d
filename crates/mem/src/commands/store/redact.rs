//! `mem store redact`.

use anyhow::Result;
use mem_core::memory_path::printable;

use super::ForGood;
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
    #[command(flatten)]
    of: ForGood,
    /// The version, by its id
    #[arg(value_name = "VERSION")]
    version: String,
}

/// Asks the person, then the server.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let version = printable(&args.version);
    let question = |_: &str| format!("take the content of {version} out for good?");
    let (desk, store) = args.of.open_confirmed(question, context)?;
    let redacted = desk.ask_server("redacting the version", |client| {
        client.redact_version(&store.id, &args.version)
    })?;
    context.print_answer(&redacted, shape::version_line(&redacted))
}
