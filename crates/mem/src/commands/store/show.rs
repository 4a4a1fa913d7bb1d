//! `mem store show`.

use anyhow::Result;

use super::At;
use crate::context::Context;
use crate::exit::Exit;
use crate::stores::shape;

/// Show what is known of a store
///
/// With --json: the store as the server shows it.
///
/// Example: mem store show "Release notes"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The id or the name of the store
    #[arg(value_name = "STORE")]
    store: String,
    #[command(flatten)]
    at: At,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let desk = args.at.open(context)?;
    let store = desk.store(&args.store)?;
    Ok(context.printer.answer(&store, shape::store(&store))?)
}
