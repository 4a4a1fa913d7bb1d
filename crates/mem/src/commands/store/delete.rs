//! `mem store delete`.

use anyhow::Result;

use super::ForGood;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::one_line;

/// Delete a store with all its memories and versions
///
/// That cannot be taken back; `mem store export` makes a copy before, `mem store archive` keeps it readable.
/// With --json: {"id","type"}.
///
/// Example: mem store delete memstore_01AbC --yes
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    of: ForGood,
}

/// Asks the person, then the server.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let question =
        |name: &str| format!("delete the store `{name}` with all its memories and versions?");
    let (desk, store) = args.of.open_confirmed(question, context)?;
    let deleted = desk.ask_server("deleting the store", |client| {
        client.delete_store(&store.id)
    })?;
    context.print_answer(&deleted, format_args!("deleted {}", one_line(&store.name)))
}
