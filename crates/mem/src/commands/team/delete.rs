//! `mem team delete`: take a memory away from everybody.

use anyhow::Result;
use mem_core::memory::ProjectMemory;
use mem_core::notes::INDEX_FILE;
use mem_sync::client::Direction;
use mem_team::deletion::{self, Deletion};
use mem_team::named_key::find_key;
use mem_team::write_gates::ProjectGate;

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
    let key = find_key(
        &args.key,
        &ProjectMemory::new(&place.location, context.dirs()?),
    )?;
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
