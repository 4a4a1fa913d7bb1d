//! `mem sync leave`: keep one's own notes in step no longer.

use anyhow::Result;
use mem_core::config;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::person::ForAPerson;

/// Keep them in step no longer; the files stay
///
/// The notes stay here and at the remote. What is remembered of the remote stays too: setting it up again
/// goes on from there. `mem team logout` forgets the token of a server.
///
/// Example: mem sync leave
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Takes the remote out of the settings.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Sharing)?;
    let dirs = context.dirs()?;
    let mut left = false;
    for key in ["sync.remote", "sync.name"] {
        left |= config::unset(dirs, key, None)?;
    }
    crate::daemon::ask::reload(context);
    let printer = &context.printer;
    if printer.json {
        printer.json(&json!({ "left": left }))?;
    } else {
        printer.line(match left {
            true => "your own notes are no longer kept in step from here; the files stay",
            false => "your own notes were not kept in step from here",
        })?;
    }
    Ok(Exit::Ok)
}
