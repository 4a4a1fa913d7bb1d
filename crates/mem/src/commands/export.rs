//! `mem export`: a whole memory as a directory or as one JSON document.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::export::{self, Export};
use mem_core::memory::ProjectMemory;
use mem_core::store::LockedStore;
use mem_core::{Diagnose, ErrorKind, Scope};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;
use mem_team::masking;

/// Copy all memories into a directory, or print them as JSON
///
/// Every file of every tier comes along byte for byte, indexes and logs too, with its id and its
/// age; `mem import` puts it back, here or elsewhere. With --json and no DIR, one JSON document
/// with the contents is printed. The directory must be new or empty. The history stays where it
/// is.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The directory to make
    dir: Option<PathBuf>,
    /// Only one tier: private, team or global
    #[arg(long)]
    scope: Option<Scope>,
}

/// Exports, and says how much.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if args.dir.is_none() && !context.printer.json {
        let hint = "`mem export DIR` makes a directory, `mem export --json` prints JSON";
        return Err(UsageError::new("there is no directory to export to", hint).into());
    }
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let scopes = args.scope.map_or(Scope::ALL.to_vec(), |scope| vec![scope]);
    let held = match place.location.enabled {
        true => lock_stores(&memory, context)?,
        false => Vec::new(),
    };
    let export = Export::for_memory(&memory, &scopes)?;
    for warning in &export.warnings {
        context.print_warning(warning);
    }
    let Some(dir) = &args.dir else {
        context.print_json(&export::document(&export, context.now))?;
        return Ok(Exit::Ok);
    };
    let path = export::write(&export, &memory, &context.cwd.join(dir), context.now)?;
    drop(held);
    let count = |scope| {
        export
            .files
            .iter()
            .filter(|file| file.scope == scope)
            .count()
    };
    let [private, team, global] = Scope::ALL.map(count);
    context.print_answer(
        &json!({
            "path": path, "bytes": export.bytes(),
            "files": { "private": private, "team": team, "global": global },
        }),
        format_args!(
            "exported {} file(s) to {} (private {private}, team {team}, global {global})",
            export.files.len(),
            clean(&masking::masked_quote(&path.display().to_string())),
        ),
    )
}

/// Records what others changed, so that ids and ages are right, and keeps writers out meanwhile.
/// Where that cannot be, the files are exported as they are.
fn lock_stores<'m>(memory: &'m ProjectMemory, context: &Context) -> Result<Vec<LockedStore<'m>>> {
    let mut held = Vec::new();
    for store in memory.stores() {
        match store.observe(context.now) {
            Ok(locked) => held.extend(locked),
            Err(error) if error.kind() == ErrorKind::Io => {
                context.print_warning(format_args!("foreign edits are not recorded: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(held)
}
