//! `mem encrypt off`: opens everything again.

use anyhow::Result;

use super::EncryptedPlace;
use crate::context::Context;
use crate::exit::Exit;

/// Open everything again
///
/// The master key stays where it is: backups may need it.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}; with --local
/// {"stores","changes","waiting","sessions","remotes","ended_keys","failed":[{"path","why"}]}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    target: EncryptedPlace,
}

/// Opens.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return super::local::decrypt_local(context);
    }
    #[cfg(feature = "server")]
    return super::server::decrypt_database(&args.target.place, context);
    #[cfg(not(feature = "server"))]
    super::local::decrypt_local(context)
}
