//! `mem sync redact`: take what a note of one's own held out of the remote's history.

use anyhow::Result;
use mem_core::Scope;
use mem_team::personal_sync;

use super::of_scope;
use crate::commands::team::redact as of_team;
use crate::context::Context;
use crate::exit::Exit;

/// Take what a note held out of the remote's history
///
/// For a value that should not have left. What the note holds now stays, every earlier content goes from
/// the remote; your other machines have it in histories of their own: `mem redact` there.
///
/// Example: mem sync redact reference_deploy.md
#[derive(clap::Args, Debug)]
#[group(skip)]
pub(crate) struct Args {
    /// Which of your notes: private or global
    #[arg(long, default_value = "private")]
    scope: Scope,
    #[command(flatten)]
    choice: of_team::RedactChoice,
}

/// Asks, redacts, and says what is out of reach.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let share = of_scope(personal_sync::personal_sync(&place, context)?, args.scope)?;
    of_team::of_share(&args.choice, &share, &place, context)
}
