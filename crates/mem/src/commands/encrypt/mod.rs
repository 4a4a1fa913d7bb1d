//! `mem encrypt`: the contents of a server's database, or what this machine keeps of memories, for those alone who
//! have the master key.

pub(crate) mod drop;
mod local;
mod local_status;
pub(crate) mod off;
pub(crate) mod on;
pub(crate) mod rotate;
mod seal_check;
#[cfg(feature = "server")]
mod server;
pub(crate) mod status;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

crate::table::commands! {
    "Commands" {
        on => "Seal what is there, and whatever comes",
        off => "Open everything again",
        status => "Show how much is sealed, and whether the key is there",
        rotate => "Seal everything under new keys",
        drop => "Destroy master keys that wrap nothing any more",
    }
}

/// Encrypt what a server, or this machine, keeps of memories
///
/// A server's database: the contents of every memory and version. With --local what this machine keeps for you:
/// the histories of all memory directories (with deleted versions, reasons and authors), writes
/// that wait in the inbox, what is remembered of sessions, texts that gave way to the team's, recall's indexes and
/// verdicts. Topic files stay plain, because agents read them: keep them on an encrypted volume.
/// `mem encrypt status --local` lists what else is.
///
/// Each store has a data key of its own (XChaCha20-Poly1305), wrapped by a master key. Where that is stands in
/// the setting `encryption.key`: file:PATH (0600), keyring, or command:LINE, which prints it within 5 seconds (30 at a
/// terminal); without one it is `master.key` beside mem's settings. Servers read the same setting, or
/// MEM_ENCRYPTION_KEY. Keep a copy of the master key elsewhere: without it nobody reads anything, and nothing is
/// recorded. The file costs a run one read; a keyring or a command is asked once by every run that meets something
/// sealed, hooks included.
///
/// Paths, sizes, checksums, times, names and reasons of deletions stay readable in the database. Everything works
/// beside servers that run; what was interrupted is finished by the same command. A version that cannot be opened
/// stays as it is and is named, and the command ends with 1.
///
/// Example: mem encrypt on --local
#[derive(clap::Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Commands,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.verb.run(context)
}

/// Where something is encrypted.
#[derive(clap::Args, Debug)]
struct EncryptedPlace {
    /// What this machine keeps for you, instead of a server's database
    #[arg(long)]
    #[cfg_attr(feature = "server", arg(conflicts_with_all = ["data_dir", "database_url"]))]
    local: bool,
    #[cfg(feature = "server")]
    #[command(flatten)]
    place: crate::commands::server::place::Where,
}

impl EncryptedPlace {
    /// A build without a server has nothing else to encrypt.
    fn is_local(&self) -> bool {
        self.local || cfg!(not(feature = "server"))
    }
}
