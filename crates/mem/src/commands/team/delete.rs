//! `mem team delete`: take a memory away from everybody.

use anyhow::Result;
use mem_core::Scope;
use mem_core::location::ProjectContext;
use mem_core::memory::{Candidates, Note, ProjectMemory};
use mem_core::notes::INDEX_FILE;
use mem_sync::EntryKey;
use mem_sync::client::Direction;
use mem_team::deletion::{self, Deletion};
use mem_team::gates::ProjectGate;

use super::log::key_of;
use super::{Moving, run_in_place};
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Delete a memory for everybody
///
/// Removing a file of the team tier here does not remove it from the others: the next sync brings it
/// back. This does: every colleague's copy goes with their next sync, but for a copy that was changed
/// meanwhile, which is kept aside. The remote keeps who deleted what; `mem team redact` removes the
/// content from its history as well. What an agent deletes waits in the inbox where agents do not write by
/// themselves, or `team.push` is `review`.
///
/// Exit codes: those of `mem team sync`; 4 somebody changed it meanwhile, and it stays; 1 also where the
/// remote has lost it, so that nobody can be told.
///
/// Example: mem team delete project_freeze.md --reason "the freeze is over"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file, as it is named in the team tier, without its ending, or the memory's title
    #[arg(value_name = "KEY")]
    key: String,
    /// Why: everybody reads it in `mem team log`
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    moving: Moving,
}

/// Deletes and tells.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let key = named_key(&args.key, &place, context)?;
    if key.as_str() == INDEX_FILE {
        let hint = "delete the memories that it lists, or edit its lines";
        return Err(UsageError::new("the index is not deleted for everybody", hint).into());
    }
    let (key, reason) = (&key, args.reason.as_deref());
    let order = context.change_metadata(deletion::VERB);
    let deletion = Deletion {
        key,
        reason,
        order: &order,
        gate: &ProjectGate::for_place(&place, context),
    };
    run_in_place(
        &place,
        Direction::Both,
        args.moving.dry_run,
        Some(deletion),
        context,
    )
}

/// The key that is meant: of no file here, it may be the stem of a memory's file, or its title, as a whole.
fn named_key(text: &str, place: &ProjectContext, context: &Context) -> Result<EntryKey> {
    let key = key_of(text);
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let Candidates(found) = memory.candidates(text, Some(Scope::Team))?;
    let bare = text.strip_prefix("team:").unwrap_or(text);
    let is_meant = |note: &&Note| {
        let names = [note.path.stem(), note.title()];
        names.iter().any(|name| name.eq_ignore_ascii_case(bare))
    };
    match (&key, found.iter().find(is_meant)) {
        (Ok(key), _) if found.iter().any(|note| note.file == key.as_str()) => Ok(key.clone()),
        (_, Some(note)) if found.len() == 1 => Ok(EntryKey::parse(&note.file)?),
        _ => Ok(key?),
    }
}
