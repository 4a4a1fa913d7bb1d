//! `mem encrypt rotate`: everything under new keys.

use anyhow::Result;
use mem_server::storage::Place;

use crate::commands::server::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key::Origin;

/// Seal everything under new keys
///
/// Every store gets a new data key, wrapped by the first of the master keys. --master puts a new master key
/// before the others first; the old ones stay behind it for what else they wrapped. Servers go on meanwhile.
/// A backup opens with the master keys of its time: destroying an old one ends the backups from before.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Make a new master key first
    #[arg(long)]
    master: bool,
    #[command(flatten)]
    place: Where,
}

/// Rotates.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    super::require_person(context)?;
    args.place.require_there(context)?;
    let origin = Origin::required(context)?;
    let place = &args.place;
    // The wrong key is said before a new one is made.
    let check = async |database: &mem_server::storage::Database| database.check_master_key().await;
    place.with_keys(context, origin.clone().source(), check)?;
    if args.master {
        origin.renew()?;
        context.printer.say(format_args!(
            "a new master key stands first ({origin}); the old ones stay for what else they open"
        ));
    }
    let sealing = place.with_keys(context, origin.source(), async |database| {
        database.rotate().await
    })?;
    super::warn_of_leftovers(context, matches!(place.place(context)?, Place::Url(_)));
    super::tell(context, &sealing, "sealed anew")
}
