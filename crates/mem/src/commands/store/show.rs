//! `mem store show`.

use anyhow::Result;

use super::StoreArgs;
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
    #[command(flatten)]
    of: StoreArgs,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let (_, store) = args.of.open_named_store(context)?;
    context.print_answer(&store, shape::store_lines(&store))
}
