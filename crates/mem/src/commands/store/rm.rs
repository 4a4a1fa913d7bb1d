//! `mem store rm`.

use anyhow::Result;
use mem_core::history::Sha256;
use mem_core::memory_path::escaped;
use mem_stores::client::named;
use mem_stores::wire::ContentView;

use super::StoreArgs;
use super::put::write_precondition;
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
    let (path, deleted) = desk.ask_server("deleting the memory", |client| async {
        let there = named::find_memory(client, &store.id, &args.memory, ContentView::Basic).await?;
        write_precondition(args.if_sha256, &there)?;
        let expected = Some(there.content_sha256.as_str());
        let deleted = client.delete_memory(&store.id, &there.id, expected).await?;
        anyhow::Ok((there.path, deleted))
    })?;
    context.print_answer(&deleted, format_args!("deleted {}", escaped(&path)))
}
