//! `mem erase`: memories out of every place that mem knows, with a proof that can be kept.

pub(crate) mod local;
mod proof;
#[cfg(feature = "server")]
mod server;

use std::path::PathBuf;

use anyhow::Result;

use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::exit::Exit;
use mem_core::host_user::HostUser;

/// Erase memories everywhere, and prove it
///
/// --project erases this repository's private and team tier, --all every memory that is yours on this machine: topic
/// files, history, indexes, caches, notes of sessions, inbox, what was recalled, and the lines of logs that speak of
/// them. The data of a server on this machine stays, for others may have memories there: that is told, and listed
/// as not searched. --store erases a store of a server, with its versions and its key, from the server's database. It
/// lists first and asks; where there is no terminal, --yes must be given. Nothing brings it back.
///
/// --user erases what is kept for one user of a host on this machine: their records, and their files of the memory
/// tool in every project and wherever else these have a history, with history, index and trail. With --data-dir,
/// --database-url or MEM_DATABASE_URL it erases the user from that server's database instead, by the name of their
/// tokens (or the id of one without a name) in a --workspace: their records, every store to which nobody else ever
/// wrote, both with the keys that sealed them, their tokens, and the content, path and author of every version that
/// they wrote elsewhere. A memory that others wrote too goes back to what somebody else wrote last; one that is theirs
/// goes. What others wrote on from there is others': where it still says the same, that is told. So is a store whose
/// name, description or metadata names the user: these stay. Of a memory that goes from a repository's store the name
/// and the checksum stay, so that other machines remove it: they are listed with the command that takes them out. The
/// audit logs of servers are not searched, and are listed as such.
///
/// Only files go that the history knows and that are as it knows them; others stay and are listed. A folder outside
/// the host's directories, such as one that MEM_DIR named, is asked for by itself, even with --yes; without a terminal
/// its files stay. With --user the folders that are the user's go. Agents may not run this.
///
/// A server over a data directory has to be stopped for --store and --user, since it would go on telling what it
/// remembers; while it runs, nothing is erased. Over PostgreSQL servers go on.
///
/// It ends with a search through every file that is left, and every object of the histories there: for the
/// names, checksums and pieces of the contents that went. A text with no piece of 16 bytes or more is looked for as a
/// whole only, and the proof counts it as too short. --proof keeps what was found out; the file has
/// checksums and counts, and no content. Exits with 1 where something is left. The files of PostgreSQL are not
/// searched: that is told, and such a proof does not say that all is clean.
///
/// What was interrupted is finished by the same command.
///
/// Copies that others have are not reached: remotes of the team and of your own notes and attached stores, which are
/// listed with the command that clears each, clones, backups. --project ends the sharing of the repository with both.
/// Backups of an encrypted server end with the master key of their time: `mem encrypt rotate --master`, then
/// `mem encrypt drop`; or --all --destroy-key. Transcripts and settings of a host are never touched, which the proof
/// tells; it names those that still hold a trace, each with a command that shows the lines. A session of
/// the host that goes on after it is read anew, from its transcript. One that is being read is waited for, for
/// half a minute.
///
/// With --json: {"erased","directories":[],"paths":[],"outside":[],"proof":{...}}; of a server
/// {"store","memories","versions"} or
/// {"workspace","records":[],"trail","stores":[],"memories","memories_back","versions","tokens"} instead of the lists.
///
/// Example: mem erase --project --proof erased.json
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// What is kept for this repository
    #[arg(long, group = "what")]
    project: bool,
    /// Everything that mem keeps for you on this machine, but not a server's data
    #[arg(long, group = "what")]
    all: bool,
    /// What is kept for a user of a host, or of a server
    #[arg(long, group = "what", value_name = "USER")]
    user: Option<HostUser>,
    /// With --user, at a server: their workspace [default: default]
    #[cfg(feature = "server")]
    #[arg(long, value_name = "NAME", requires = "user")]
    workspace: Option<String>,
    /// A store of a server: its id, its name, or team:OWNER/REPO
    #[cfg(feature = "server")]
    #[arg(long, group = "what", value_name = "STORE")]
    store: Option<String>,
    #[cfg(feature = "server")]
    #[command(flatten)]
    place: super::server::place::Where,
    /// With --all: the master key too; whatever it wrapped, in servers and in backups, can never be read again
    #[cfg(feature = "server")]
    #[arg(long, conflicts_with_all = ["project", "store", "user"])]
    destroy_key: bool,
    #[command(flatten)]
    choice: RemovalArgs,
    /// Keep the proof in this file
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
}

/// Lists, asks, erases, looks.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    proof::require_place(args, context, None)?;
    #[cfg(feature = "server")]
    if let Some((subject, unended)) = server::find_subject(args, context)? {
        return server::erase(subject, unended, args, context);
    }
    local::run(args.all, &args.choice, Some(args), context)
}
