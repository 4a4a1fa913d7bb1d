//! `mem store mv`.

use anyhow::Result;
use mem_stores::StorePath;
use mem_stores::client::edits::require_free;
use mem_stores::path::with_first_slash;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

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
    require_free(&path)?;
    let desk = args.of.at.open_to_write(context)?;
    desk.outbound_scanner()?.require(path.as_str(), "")?;
    let store = desk.open_store(&args.of.store)?;
    let memory = desk.ask_server("moving the memory", |client| {
        client.move_memory(&store.id, &args.memory, path)
    })?;
    context.print_answer(&memory, shape::memory_line(&memory))
}
