//! `mem purge`: erases memory, history, caches and settings, after listing them.

use anyhow::Result;
use mem_core::erasure::Erasure;

use super::erase::listed::{self, Listed};
use crate::context::Context;
use crate::daemon::held;
use crate::exit::Exit;
use crate::freshness;
use crate::leftovers;

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
pub(crate) struct Args {
    /// What is kept for this repository
    #[arg(long, required_unless_present = "all", conflicts_with = "all")]
    repo: bool,
    /// Everything that mem keeps
    #[arg(long)]
    all: bool,
    /// Do not ask
    #[arg(long, short = 'y')]
    yes: bool,
    /// Show what would go, and erase nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

/// Lists, asks, erases.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let mut erasure = match args.all {
        true => Erasure::of_everything(dirs),
        false => Erasure::of_repository(&context.place()?.location, dirs),
    };
    let listed = Listed::of(&erasure)?;
    if args.all {
        listed::tell_of_installed(context)?;
    }
    if listed.is_nothing {
        context.printer.say("there is nothing to erase");
        return listed.told(false, context);
    }
    if !listed.is_to_go(listed::QUESTION, args.dry_run, args.yes, context)? {
        return Ok(Exit::Ok);
    }
    listed::ask_for_outside(&mut erasure, context)?;
    let listed = Listed::of(&erasure)?;
    let _quiet = held::hold(args.all, context)?;
    leftovers::end(context)?;
    erasure.carry_out()?;
    freshness::forget(context);
    context.printer.say(match listed.keeps_all {
        true => "nothing was erased",
        false if !erasure.elsewhere()?.is_empty() => "erased, except for the folders that stay",
        false => "erased",
    });
    listed.told(!listed.keeps_all, context)
}
