//! `mem store mv`.

use anyhow::Result;
use mem_stores::StorePath;
use mem_stores::client::named;
use mem_stores::path::with_first_slash;
use mem_stores::wire::{ContentView, UpdateMemory};

use super::StoreArgs;
use super::put::write_precondition;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::{reserved, shape};

/// Move a memory to another path
///
/// It keeps its id and its versions. With --json: the memory as the server shows it.
///
/// Example: mem store mv "Release notes" /spring.md /2026/spring.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of the memory
    #[arg(value_name = "MEMORY")]
    memory: String,
    /// Where it is to stand
    #[arg(value_name = "PATH")]
    path: String,
}

/// Moves it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let path = StorePath::parse(&with_first_slash(&args.path))?;
    reserved::require_free(&path)?;
    let desk = args.of.at.open_to_write(context)?;
    desk.outbound_scanner()?.require(path.as_str(), "")?;
    let store = desk.open_store(&args.of.store)?;
    let memory = desk.ask_server("moving the memory", |client| async {
        let there = named::find_memory(client, &store.id, &args.memory, ContentView::Basic).await?;
        let change = UpdateMemory {
            content: None,
            path: Some(path),
            precondition: Some(write_precondition(None, &there)?),
        };
        anyhow::Ok(client.update_memory(&store.id, &there.id, &change).await?)
    })?;
    context.print_answer(&memory, shape::memory_line(&memory))
}
