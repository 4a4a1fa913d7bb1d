//! `mem encrypt status`: how much is sealed, and whether the key is there.

use anyhow::Result;

use super::EncryptedPlace;
use crate::context::Context;
use crate::exit::Exit;

/// Show how much is sealed, and whether the key is there
///
/// Contents are counted, not opened: with --check each is opened, and what somebody changed or cut short, or whose key
/// is gone, is counted and named.
///
/// With --json: {"on","stores","stores_with_key","versions","sealed","masters":[],"amiss","source","key"}; the key is
/// "ok", "none", or what is wrong with it. Exits with 1 where the key is needed and
/// not there, while versions are not as they are to be ("amiss"), and where something does not open. With --local
/// {"on","stores","sealed","sessions","masters":[],"amiss":[],"source","key","plain":[],"plain_files":{}}: what stays
/// readable, and how many files of it are below the state. With --check there is also
/// "checked":{"open","closed":[{"store","path","version","why"}]}; with --local "closed" has {"place","what","why"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Open every content, and name what does not open
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    target: EncryptedPlace,
}

/// Looks.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return super::local_status::print_status(context, args.check);
    }
    #[cfg(feature = "server")]
    return super::server::print_status(&args.target.place, context, args.check);
    #[cfg(not(feature = "server"))]
    super::local_status::print_status(context, args.check)
}
