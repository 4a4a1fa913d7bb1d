//! `mem team leave`: share no longer.

use std::path::Path;

use anyhow::Result;
use mem_core::config;
use mem_core::state_file::StateError;
use mem_core::store::LocalStore;
use mem_team::settings::KIND;
use mem_team::setup::Setup;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Share no longer; the files stay
///
/// The memories stay as they are, and so do those of the others. What is remembered of the remote stays
/// too, with every text that gave way: setting it up again goes on from there. `mem team logout` forgets
/// the token.
///
/// With --json: {"left","dry_run"}.
///
/// Example: mem team leave
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Takes the remote out of the repository's settings.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let root = place.project.root.as_path();
    let keys = ["team.remote", "team.repo"];
    let left = take_out(&keys, Some(root), args.dry_run, context)?;
    if !args.dry_run {
        forget_consent(&context.tier_store(&place, false)?)?;
        mem_daemon::ask::reload_daemon(context);
    }
    context.print_answer(
        &json!({ "left": left, "dry_run": args.dry_run }),
        match (left, args.dry_run) {
            (true, true) => "would share team memory from here no longer; the files stay",
            (true, false) => "team memory is no longer shared from here; the files stay",
            (false, _) => "team memory was not shared from here",
        },
    )
}

/// Takes keys out of the settings, or only looks. Returns whether one of them was there.
pub(crate) fn take_out(
    keys: &[&str],
    repository: Option<&Path>,
    is_dry: bool,
    context: &Context,
) -> Result<bool> {
    let dirs = context.dirs()?;
    let mut was_there = false;
    for key in keys {
        was_there |= match is_dry {
            true => config::is_set(dirs, key, repository)?,
            false => config::unset(dirs, key, repository)?,
        };
    }
    Ok(was_there)
}

/// Forgets what was agreed to, but for the suggestion that was answered.
fn forget_consent(store: &LocalStore) -> Result<(), StateError> {
    let setup = Setup::load_setup(store, KIND);
    if setup.remote.is_empty() {
        return Ok(());
    }
    let suggestion = setup.suggestion;
    let setup = Setup {
        suggestion,
        ..Setup::default()
    };
    setup.save_setup(store, KIND)
}
