//! `mem encrypt rotate`: everything under new keys.

use anyhow::Result;
use mem_core::{Diagnose, ErrorKind};

use super::EncryptedPlace;
use crate::context::Context;
use crate::exit::Exit;

/// Seal everything under new keys
///
/// Every store gets a new data key, wrapped by the first of the master keys. --master puts a new master key
/// before the others first; the old ones stay behind it for what else they wrapped. Servers go on meanwhile.
/// A backup opens with the master keys of its time: destroying an old one ends the backups from before.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}; with --local
/// {"stores","changes","waiting","sessions","remotes","ended_keys","failed":[{"path","why"}]}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Make a new master key first
    #[arg(long)]
    master: bool,
    #[command(flatten)]
    target: EncryptedPlace,
}

/// There are no keys to change.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotEncrypted {
    /// In a server's database.
    #[cfg(feature = "server")]
    #[error("nothing is encrypted there: there are no keys to change")]
    Server,
    /// On this machine.
    #[error("what this machine keeps is not encrypted: there are no keys to change")]
    Local,
}

impl Diagnose for NotEncrypted {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }

    fn hint(&self) -> Option<String> {
        let verb = match self {
            #[cfg(feature = "server")]
            Self::Server => "mem encrypt on",
            Self::Local => "mem encrypt on --local",
        };
        Some(format!("`{verb}` seals what is there, and whatever comes"))
    }
}

/// Rotates.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return super::local::rotate_local(context, args.master);
    }
    #[cfg(feature = "server")]
    return super::server::rotate_database(&args.target.place, context, args.master);
    #[cfg(not(feature = "server"))]
    super::local::rotate_local(context, args.master)
}
