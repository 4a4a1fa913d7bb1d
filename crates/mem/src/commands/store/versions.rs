//! `mem store versions`.

use std::num::NonZeroUsize;

use anyhow::Result;
use mem_stores::client::{VersionsQuery, name_lookup};
use mem_stores::wire::{ContentView, VersionOperation};
use serde_json::json;

use super::StoreArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// List the versions, the newest first
///
/// Every change of a memory is one. Of a memory that was deleted they are named by its id. With --json:
/// {"versions":[as the server shows them, without contents]}.
///
/// Example: mem store versions "Release notes" /2026/spring.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of a memory, for its versions alone
    #[arg(value_name = "MEMORY")]
    memory: Option<String>,
    /// Only one kind of change
    #[arg(long, value_name = "KIND")]
    operation: Option<VersionFilter>,
    /// Only those made at this time or later, RFC 3339
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Only those made at this time or earlier, RFC 3339
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// How many at most
    #[arg(long, short = 'n', value_name = "COUNT", default_value = "50")]
    limit: NonZeroUsize,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum VersionFilter {
    Created,
    Modified,
    Deleted,
}

impl VersionFilter {
    fn to_operation(self) -> VersionOperation {
        match self {
            Self::Created => VersionOperation::Created,
            Self::Modified => VersionOperation::Modified,
            Self::Deleted => VersionOperation::Deleted,
        }
    }
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (desk, store) = args.of.open_named_store(context)?;
    let versions = desk.ask_server("asking for the versions", |client| async {
        let memory_id = match &args.memory {
            // One that was deleted has no path any more, only its id.
            Some(id) if id.starts_with("mem_") => Some(id.clone()),
            Some(path) => {
                let memory =
                    name_lookup::find_memory(client, &store.id, path, ContentView::Basic).await?;
                Some(memory.id)
            }
            None => None,
        };
        let query = VersionsQuery {
            memory_id,
            operation: args.operation.map(VersionFilter::to_operation),
            created_from: args.from.clone(),
            created_to: args.to.clone(),
            ..VersionsQuery::default()
        };
        anyhow::Ok(client.versions(&store.id, &query, args.limit.get()).await?)
    })?;
    let lines = versions.iter().map(shape::version_line);
    context.print_list(
        &json!({ "versions": versions }),
        lines,
        "there are no versions",
    )
}
