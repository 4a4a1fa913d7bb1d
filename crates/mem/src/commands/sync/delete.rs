//! `mem sync delete`: take one of one's own notes away on all machines.

use anyhow::Result;
use mem_core::Scope;
use mem_core::notes::INDEX_FILE;
use mem_team::deletion::{self, Deletion};
use mem_team::named_key::parse_key;
use mem_team::personal_sync::{self, PersonalSync};
use mem_team::write_gates::ProjectGate;

use super::{of_scope, run_rounds};
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Delete one of your own notes on all your machines
///
/// `mem remove` does the same with the next `mem sync`; a file that another program deletes comes back. A copy
/// that was changed on another machine meanwhile is kept aside there.
///
/// Example: mem sync delete project_freeze.md --reason "the freeze is over"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The file, as it is named in its tier
    #[arg(value_name = "KEY")]
    key: String,
    /// Which of your notes: private or global
    #[arg(long, default_value = "private")]
    scope: Scope,
    /// Why: kept in the history, here and at the remote
    #[arg(long)]
    reason: Option<String>,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Deletes and tells.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let key = parse_key(&args.key)?;
    if key.as_str() == INDEX_FILE {
        let hint = "delete the notes that it lists, or edit its lines";
        return Err(UsageError::new("the index is not deleted everywhere", hint).into());
    }
    let share = of_scope(personal_sync::personal_sync(&place, context)?, args.scope)?;
    let own = PersonalSync {
        shares: vec![share],
        left_out: None,
    };
    let deletion = Deletion {
        key: &key,
        reason: args.reason.as_deref(),
        order: &context.change_metadata(deletion::VERB),
        gate: &ProjectGate::for_place(&place, context),
    };
    run_rounds(&own, &place, args.dry_run, Some(deletion), context)
}
