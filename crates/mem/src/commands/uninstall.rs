//! `mem uninstall`: what `mem` put into other programs' places is taken out.

use anyhow::Result;
use mem_core::installed::{self, Outcome};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;

/// Take out what mem installed
///
/// Removes completion scripts, hooks and entries in other programs' settings, as far as mem put
/// them there. What was changed since is left alone and named. Memories, histories and settings
/// stay: `mem purge` erases those. The program itself goes the way it came.
///
/// With --json: {"installed":[{"what","path","outcome"}]}; outcome is one of removed, gone,
/// changed, unknown.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Show what would be done, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

/// Takes everything out; exit code 1 where something had to stay.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let (entries, warning) = installed::list(dirs);
    if let Some(text) = &warning {
        context.printer.warn(text);
    }
    let mut shapes: Vec<Value> = Vec::new();
    let mut exit = Exit::Ok;
    for entry in &entries {
        let outcome = match args.dry_run {
            true => installed::outcome(entry),
            false => installed::remove(dirs, entry)?,
        };
        if matches!(outcome, Outcome::Changed | Outcome::Unknown) {
            exit = Exit::Failure;
        }
        let what = format!("{}: {}", entry.what, entry.path.display());
        let what = clean(&what);
        shapes.push(json!({
            "what": entry.what, "path": entry.path, "outcome": outcome.as_str(),
        }));
        if context.printer.json {
            continue;
        }
        let text = match outcome {
            Outcome::Removed if args.dry_run => format!("would remove {what}"),
            Outcome::Removed => format!("removed {what}"),
            Outcome::Gone => format!("gone already: {what}"),
            Outcome::Changed => format!("left alone, changed since: {what}"),
            Outcome::Unknown => format!("left alone, made by another version of mem: {what}"),
        };
        context.printer.line(text)?;
    }
    if context.printer.json {
        context.printer.json(&json!({ "installed": shapes }))?;
    } else if entries.is_empty() {
        context.printer.say("nothing is installed");
    }
    Ok(exit)
}
