//! `mem team leave`: share no longer.

use anyhow::Result;
use mem_core::config;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::person::ForAPerson;
use crate::team::settings::KIND;
use crate::team::setup::Setup;

/// Share no longer; the files stay
///
/// The memories stay as they are, and so do those of the others. What is remembered of the remote stays
/// too, with every text that gave way: setting it up again goes on from there. `mem team logout` forgets
/// the token.
///
/// Example: mem team leave
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Takes the remote out of the repository's settings.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Sharing)?;
    let place = context.place()?;
    let dirs = context.dirs()?;
    let root = &place.project.root;
    let mut left = false;
    for key in ["team.remote", "team.repo"] {
        left |= config::unset(dirs, key, Some(root))?;
    }
    let store = context.store(&place, false)?;
    let setup = Setup::load(&store, KIND);
    if !setup.remote.is_empty() {
        let suggestion = setup.suggestion;
        let setup = Setup {
            suggestion,
            ..Setup::default()
        };
        setup.save(&store, KIND)?;
    }
    crate::daemon::ask::reload(context);
    let printer = &context.printer;
    if printer.json {
        printer.json(&json!({ "left": left }))?;
    } else {
        printer.line(match left {
            true => "team memory is no longer shared from here; the files stay",
            false => "team memory was not shared from here",
        })?;
    }
    Ok(Exit::Ok)
}
