//! `mem encrypt on`: seals what is there, and whatever comes.

use anyhow::Result;

use super::EncryptedPlace;
use crate::context::Context;
use crate::exit::Exit;

/// Seal what is there, and whatever comes
///
/// Makes a master key where there is none. What was plain is taken out of the database's files as well; backups
/// from before stay plain. With --local every memory directory that begins later is sealed, too.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}; with --local
/// {"stores","changes","waiting","sessions","remotes","ended_keys","failed":[{"path","why"}]}.
///
/// Example: mem encrypt on --data-dir /var/lib/mem
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    target: EncryptedPlace,
}

/// Seals.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return super::local::encrypt_local(context);
    }
    #[cfg(feature = "server")]
    return super::server::encrypt_database(&args.target.place, context);
    #[cfg(not(feature = "server"))]
    super::local::encrypt_local(context)
}
