//! `mem encrypt`: the contents of a server's database, or what this machine keeps of memories, for those alone who
//! have the master key.

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

pub(crate) mod drop;
mod local;
pub(crate) mod rotate;
#[cfg(feature = "server")]
mod server;

crate::commands::verbs! {
    "Commands" {
        on(OnArgs) => "Seal what is there, and whatever comes",
        off(OffArgs) => "Open everything again",
        status(StatusArgs) => "Show how much is sealed, and whether the key is there",
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
struct OnArgs {
    #[command(flatten)]
    target: EncryptedPlace,
}

/// Seals.
fn on(args: &OnArgs, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return local::encrypt_local(context);
    }
    #[cfg(feature = "server")]
    return server::encrypt_database(&args.target.place, context);
    #[cfg(not(feature = "server"))]
    local::encrypt_local(context)
}

/// Open everything again
///
/// The master key stays where it is: backups may need it.
///
/// With --json: {"stores","versions","rewrapped","ended_keys","unopened":[{"version","why"}]}; with --local
/// {"stores","changes","waiting","sessions","remotes","ended_keys","failed":[{"path","why"}]}.
#[derive(clap::Args, Debug)]
struct OffArgs {
    #[command(flatten)]
    target: EncryptedPlace,
}

/// Opens.
fn off(args: &OffArgs, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return local::decrypt_local(context);
    }
    #[cfg(feature = "server")]
    return server::decrypt_database(&args.target.place, context);
    #[cfg(not(feature = "server"))]
    local::decrypt_local(context)
}

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
struct StatusArgs {
    /// Open every content, and name what does not open
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    target: EncryptedPlace,
}

/// Looks.
fn status(args: &StatusArgs, context: &Context) -> Result<Exit> {
    if args.target.is_local() {
        return local::print_status(context, args.check);
    }
    #[cfg(feature = "server")]
    return server::print_status(&args.target.place, context, args.check);
    #[cfg(not(feature = "server"))]
    local::print_status(context, args.check)
}
