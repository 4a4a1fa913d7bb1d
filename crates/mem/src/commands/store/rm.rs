//! `mem store rm`.

use anyhow::Result;
use mem_core::history::Sha256;
use mem_core::memory_path::escaped;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Delete a memory; its versions stay
///
/// Only if nobody changes it meanwhile. `mem store rollback` with one of its versions brings it back. With
/// --json: {"id","type"}.
///
/// Example: mem store rm "Release notes" /2025/spring.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of the memory
    #[arg(value_name = "MEMORY")]
    memory: String,
    /// Only a content with this sha256
    #[arg(long, value_name = "SHA256")]
    if_sha256: Option<Sha256>,
}

/// Deletes it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.of.at.open_to_write(context)?;
    let store = desk.find_store(&args.of.store)?;
    let (path, deleted) = desk.ask_server("deleting the memory", |client| {
        client.remove_memory(&store.id, &args.memory, args.if_sha256)
    })?;
    context.print_answer(&deleted, format_args!("deleted {}", escaped(&path)))
}
