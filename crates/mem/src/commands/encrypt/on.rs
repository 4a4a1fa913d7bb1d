//! `mem encrypt on`: seals what is there, and whatever comes.

use anyhow::Result;
use mem_server::storage::Place;

use crate::commands::server::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key::Origin;

/// Seal what is there, and whatever comes
///
/// Makes a master key where there is none. What was plain is taken out of the database's files as well;
/// backups from before stay plain.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}.
///
/// Example: mem encrypt on --data-dir /var/lib/mem
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
}

/// Seals.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::require_person(context)?;
    let origin = Origin::required(context)?;
    let place = &args.place;
    let found = place.with_database(context, async |database| database.encryption().await)?;
    // A new key opens nothing that an old one wrapped.
    if found.masters.is_empty() && origin.ask()?.ids().is_empty() {
        origin.make()?;
        context.printer.warn(format_args!(
            "made a master key ({origin}): keep a copy elsewhere, without it nobody reads anything"
        ));
    }
    let sealing = place.with_keys(context, origin.source(), async |database| {
        database.encrypt().await
    })?;
    super::warn_of_leftovers(context, matches!(place.place(context)?, Place::Url(_)));
    super::tell(context, &sealing, "sealed")
}
