//! `mem erase`: memories out of every place that mem knows, with a proof that can be kept.

mod local;
mod proof;
#[cfg(feature = "server")]
mod store;

use std::path::PathBuf;

use anyhow::Result;

use crate::context::Context;
use crate::exit::Exit;

/// Erase memories everywhere, and prove it
///
/// --project erases this repository's private and team tier, --all every memory of this machine: topic files,
/// history, indexes, caches, notes of sessions, inbox, what was recalled, and the lines of logs that speak of
/// them. --store erases a store of a server, with its versions and its key, from the server's database. It
/// lists first and asks; where there is no terminal, --yes must be given. Nothing brings it back.
///
/// It ends with a search through every file that is left, and every object of the histories there: for the
/// names, checksums and pieces of the contents that went. --proof keeps what was found out; the file has
/// checksums and counts, and no content. Exits with 1 where something is left. The files of PostgreSQL are not
/// searched: that is told, and such a proof does not say that all is clean.
///
/// Copies that others have are not reached: a team's remote (`mem erase --store` there), clones, backups.
/// Backups of an encrypted server end with the master key of their time: `mem encrypt rotate --master`, then
/// destroy the old key; or --all --destroy-key. Transcripts and settings of a host are never touched.
///
/// With --json: {"erased","directories":[],"paths":[],"proof":{...}}.
///
/// Example: mem erase --project --proof erased.json
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(crate) struct Args {
    /// What is kept for this repository
    #[arg(long, group = "what")]
    project: bool,
    /// Everything that mem keeps
    #[arg(long, group = "what")]
    all: bool,
    /// A store of a server: its id, its name, or team:OWNER/REPO
    #[cfg(feature = "server")]
    #[arg(long, group = "what", value_name = "STORE")]
    store: Option<String>,
    #[cfg(feature = "server")]
    #[command(flatten)]
    place: super::server::place::Where,
    /// With --all: the master key too; whatever it wrapped, in servers and in backups, can never be read again
    #[cfg(feature = "server")]
    #[arg(long, conflicts_with_all = ["project", "store"])]
    destroy_key: bool,
    /// Show what would go, and erase nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short = 'y')]
    yes: bool,
    /// Keep the proof in this file
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
}

/// Lists, asks, erases, looks.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    proof::require_new(args, context)?;
    #[cfg(feature = "server")]
    if let Some(name) = &args.store {
        return store::run(args, name, context);
    }
    local::run(args, context)
}
