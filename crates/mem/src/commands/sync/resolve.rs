//! `mem sync resolve`: texts of one's own notes that gave way.

use anyhow::Result;
use mem_core::Scope;
use mem_team::personal_sync;

use super::of_scope;
use crate::commands::team::resolve as of_team;
use crate::context::Context;
use crate::exit::Exit;

/// Decide about texts that gave way
///
/// Where two of your machines changed the same lines, the text that was sent first stands in the memory
/// and the other is kept aside. Without a choice this shows both; as `mem team resolve` does.
///
/// Example: mem sync resolve project_freeze.md --mine
#[derive(clap::Args, Debug)]
#[group(skip)]
pub(crate) struct Args {
    /// Which of your notes: private or global
    #[arg(long, default_value = "private")]
    scope: Scope,
    #[command(flatten)]
    choice: of_team::Args,
}

/// Shows, or settles one.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = of_scope(personal_sync::personal_sync(&place, context)?, args.scope)?;
    of_team::of_share(&args.choice, &share, &place, context)
}
