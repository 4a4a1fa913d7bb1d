//! `mem purge`: erases memory, history, caches and settings, after listing them.

use anyhow::Result;
use mem_core::erasure::Erasure;
use mem_core::installed;
use mem_core::store::Purge;
use serde_json::{Value, json};

use crate::context::Context;
use crate::counted::files;
use crate::daemon::held;
use crate::exit::Exit;
use crate::freshness;
use crate::sanitize::clean;

/// Erase memories with their history
///
/// Lists exactly what goes and asks; where there is no terminal, --yes must be given. --repo
/// erases the private and the team tier of this repository with their history, records and
/// settings, and what is kept of its sessions; --all erases every memory of this machine and everything of mem's own.
/// Nothing brings it back. Of a host's directories only `memory/` is touched, never its transcripts or
/// settings. Works where memory is switched off, too.
///
/// With --json: {"directories":[{"dir","files","bytes","history","kept":[]}],"paths":[],
/// "erased"}.
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
    let erasure = match args.all {
        true => Erasure::of_everything(dirs),
        false => Erasure::of_repository(&context.place()?.location, dirs),
    };
    if !args.dry_run {
        context.require_person_to_erase(&context.place()?)?;
    }
    let directories = erasure.directories()?;
    let mut paths = erasure.own_paths();
    paths.extend(erasure.session_paths());
    if !context.printer.json {
        for purge in &directories {
            context.printer.line(directory(purge))?;
        }
        for path in &paths {
            context.printer.line(clean(&path.to_string_lossy()))?;
        }
    }
    if args.all && !installed::list(dirs).0.is_empty() {
        context
            .printer
            .warn("what mem installed stays, with the list of it: `mem uninstall` takes it out");
    }
    let is_nothing = paths.is_empty()
        && directories
            .iter()
            .all(|one| one.files == 0 && one.state.is_none());
    if is_nothing {
        context.printer.say("there is nothing to erase");
    } else if args.dry_run {
        context.printer.say("nothing was erased");
    } else {
        context.confirm("erase all of this for good?", args.yes)?;
        let _quiet = held::hold(args.all, context)?;
        erasure.carry_out()?;
        freshness::forget(context);
        context.printer.say("erased");
    }
    if context.printer.json {
        let shapes: Vec<Value> = directories.iter().map(shape).collect();
        let erased = !is_nothing && !args.dry_run;
        let value = json!({ "directories": shapes, "paths": paths, "erased": erased });
        context.printer.json(&value)?;
    }
    Ok(Exit::Ok)
}

/// A line about a directory.
pub(crate) fn directory(purge: &Purge) -> String {
    let mut text = format!(
        "{}: {}, {} bytes",
        purge.directory.display(),
        files(purge.files),
        purge.bytes
    );
    if let Some(state) = &purge.state {
        text = format!("{text}\n{}: its whole history", state.display());
    }
    for kept in &purge.kept {
        text = format!("{text}\n  stays: {kept}");
    }
    clean(&text).into_owned()
}

/// The same as JSON.
pub(crate) fn shape(purge: &Purge) -> Value {
    json!({
        "dir": purge.directory, "files": purge.files, "bytes": purge.bytes,
        "history": purge.state, "kept": purge.kept,
    })
}
