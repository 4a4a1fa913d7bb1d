//! Everything that is on the list of what was installed.

use anyhow::Result;
use mem_core::installed::{self, Installed, RemovalOutcome};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use mem_daemon::instance;
use mem_daemon::stop::stop_daemon;
use mem_hosts::remove_installed;

/// Takes everything out; exit code 1 where something had to stay.
pub(super) fn run(is_dry: bool, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let (entries, warning) = installed::list(dirs);
    if let Some(text) = &warning {
        context.print_warning(text);
    }
    let mut shapes: Vec<Value> = Vec::new();
    let mut exit = Exit::Ok;
    for entry in &entries {
        // One file that cannot be changed keeps nothing else from going.
        let outcome = remove_installed(entry, is_dry, dirs).unwrap_or_else(|error| {
            context.print_warning(format_args!("{:#}", anyhow::Error::from(error)));
            RemovalOutcome::Changed
        });
        if matches!(outcome, RemovalOutcome::Changed | RemovalOutcome::Unknown) {
            exit = Exit::Failure;
        }
        shapes.push(json!({
            "what": entry.what, "path": entry.path, "outcome": outcome.as_str(),
        }));
        if !context.printer.json {
            context.line(outcome_line(entry, outcome, is_dry))?;
        }
    }
    if !is_dry {
        // A daemon of a program that goes would begin jobs that are not there.
        for found in instance::all_daemons(context)? {
            stop_daemon(&found.place)?;
        }
    }
    if context.printer.json {
        context.print_json(&json!({ "installed": shapes, "dry_run": is_dry }))?;
    } else if entries.is_empty() {
        context.say("nothing is installed");
    }
    Ok(exit)
}

fn outcome_line(entry: &Installed, outcome: RemovalOutcome, is_dry: bool) -> String {
    let what = format!("{}: {}", entry.what, entry.path.display());
    let what = clean(&what);
    match outcome {
        RemovalOutcome::Removed if is_dry => format!("would remove {what}"),
        RemovalOutcome::Removed => format!("removed {what}"),
        RemovalOutcome::Gone => format!("gone already: {what}"),
        RemovalOutcome::Changed => format!("left alone, changed since: {what}"),
        RemovalOutcome::Unknown => format!("left alone, made by another version of mem: {what}"),
    }
}
