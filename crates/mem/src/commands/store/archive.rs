//! `mem store archive`.

use anyhow::Result;

use super::ForGood;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// Close a store for good; it can still be read
///
/// Nothing can be written there any more, and nobody can attach it. That cannot be taken back. With --json: the
/// store as the server shows it.
///
/// Example: mem store archive "Release notes 2025" --yes
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: ForGood,
}

/// Asks the person, then the server.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let question = |name: &str| format!("close the store `{name}` for good?");
    let (desk, store) = args.of.open_confirmed(question, context)?;
    let store = desk.ask_server("closing the store", |client| {
        client.archive_store(&store.id)
    })?;
    context.print_answer(&store, shape::store_line(&store))
}
