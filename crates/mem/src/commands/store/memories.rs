//! `mem store memories`.

use anyhow::Result;
use mem_core::memory_path::escaped;
use mem_stores::client::MemoriesQuery;
use mem_stores::path::{InvalidStorePath, with_first_slash};
use mem_stores::wire::MemoryItem;
use mem_stores::{ApiVersion, PathPrefix};
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// List the memories of a store
///
/// In the order of their paths, each with the beginning of its sha256, its size in bytes and when it was
/// changed. With --json: {"memories":[as the server shows them]}.
///
/// Example: mem store memories "Release notes" /2026/
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// Only those below this folder
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    /// Only what stands in the folder itself, and the names of the folders in it
    #[arg(long)]
    flat: bool,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let folder = args.folder.as_deref().map(parse_folder).transpose()?;
    let (desk, store) = args.of.open_named_store(context)?;
    let query = MemoriesQuery {
        path_prefix: folder.map(|folder| folder.as_str().to_owned()),
        is_flat: args.flat,
        is_full: false,
    };
    let items = desk.ask_server("asking for the memories", |client| {
        client.memories(&store.id, &query)
    })?;
    let lines = items.iter().map(|item| match item {
        MemoryItem::Memory(memory) => shape::memory_line(memory),
        MemoryItem::Prefix(folder) => escaped(&folder.path),
    });
    context.print_list(
        &json!({ "memories": items }),
        lines,
        "there are no memories",
    )
}

/// A folder, also without the slashes around it.
fn parse_folder(text: &str) -> Result<PathPrefix, InvalidStorePath> {
    let mut folder = with_first_slash(text);
    if !folder.ends_with('/') {
        folder.push('/');
    }
    PathPrefix::parse(&folder, ApiVersion::Current)
}
