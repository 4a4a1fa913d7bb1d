//! `mem store archive`.

use anyhow::Result;

use super::At;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::one_line;
use crate::stores::shape;

/// Close a store for good; it can still be read
///
/// Nothing can be written there any more, and nobody can attach it. That cannot be taken back. With --json: the
/// store as the server shows it.
///
/// Example: mem store archive "Release notes 2025" --yes
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
    let question = format!("close the store `{}` for good?", one_line(&store.name));
    context.confirm(&question, args.yes)?;
    let store = desk.ask("closing the store", |client| {
        client.archive_store(&store.id)
    })?;
    let printer = &context.printer;
    match printer.json {
        true => printer.json(&store)?,
        false => printer.line(shape::store_line(&store))?,
    }
    Ok(Exit::Ok)
}
