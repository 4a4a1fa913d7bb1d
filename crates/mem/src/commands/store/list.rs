//! `mem store list`.

use std::num::NonZeroUsize;

use anyhow::Result;
use serde_json::json;

use super::At;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// List the stores
///
/// The newest first. With --json: {"stores":[as the server shows them]}.
///
/// Example: mem store list --archived
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Those too that were archived
    #[arg(long)]
    archived: bool,
    /// How many at most
    #[arg(long, short = 'n', value_name = "COUNT", default_value = "1000")]
    limit: NonZeroUsize,
    #[command(flatten)]
    at: At,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.at.open_server(context)?;
    let stores = desk.ask_server("asking for the stores", |client| {
        client.stores(args.archived, args.limit.get())
    })?;
    let lines = stores.iter().map(shape::store_line);
    context.print_list(&json!({ "stores": stores }), lines, "there are no stores")
}
