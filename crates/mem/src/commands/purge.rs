//! `mem purge`: erases memory, history, caches and settings, after listing them.

use anyhow::Result;

use super::erase::local;
use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::exit::Exit;

/// Erase memories with their history
///
/// Lists exactly what goes and asks; where there is no terminal, --yes must be given. --repo
/// erases the private and the team tier of this repository with their history, records and
/// settings, and what is kept of its sessions; --all erases every memory of this machine and everything of mem's own.
/// Nothing brings it back. Of a host's directories only `memory/` is touched, never its transcripts or
/// settings. Works where memory is switched off, too.
///
/// Only files go that the history knows and that are as it knows them. What somebody else put or changed there stays,
/// is listed, and so does the folder. A folder outside the host's directories, such as one that MEM_DIR named, is
/// asked for by itself, even with --yes; without a terminal its files stay. Agents may not run this.
///
/// With --json: {"directories":[{"dir","files","bytes","classes":{},"history","kept":[]}],"paths":[],
/// "outside":[{"dir",..}],"erased"}.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// What is kept for this repository
    #[arg(long, group = "what")]
    repo: bool,
    /// Everything that mem keeps
    #[arg(long, group = "what")]
    all: bool,
    #[command(flatten)]
    choice: RemovalArgs,
}

/// Lists, asks, erases.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    local::run(args.all, &args.choice, None, context)
}
