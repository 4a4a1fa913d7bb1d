//! `mem store delete`.

use anyhow::Result;

use super::At;
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
    /// The id or the name of the store
    #[arg(value_name = "STORE")]
    store: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    at: At,
}

/// Asks the person, then the server.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.at.open(context)?;
    context.require_person_to_erase(&desk.place)?;
    let store = desk.store(&args.store)?;
    let name = one_line(&store.name);
    let question = format!("delete the store `{name}` with all its memories and versions?");
    context.confirm(&question, args.yes)?;
    let deleted = desk.ask("deleting the store", |client| {
        client.delete_store(&store.id)
    })?;
    let printer = &context.printer;
    match printer.json {
        true => printer.json(&deleted)?,
        false => printer.line(format_args!("deleted {name}"))?,
    }
    Ok(Exit::Ok)
}
