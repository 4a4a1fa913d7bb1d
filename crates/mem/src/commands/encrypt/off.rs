//! `mem encrypt off`: opens everything again.

use anyhow::Result;

use crate::commands::server::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key;

/// Open everything again
///
/// The master key stays where it is: backups may need it.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
}

/// Opens.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::require_person(context)?;
    args.place.require_there(context)?;
    let source = master_key::source(context)?;
    let opened = args
        .place
        .with_keys(context, source, async |database| database.decrypt().await)?;
    super::tell(context, &opened, "opened")
}
