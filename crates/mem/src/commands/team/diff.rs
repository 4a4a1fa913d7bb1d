//! `mem team diff`: how the memories here differ from the remote's.

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_team::difference::{self, Difference};
use mem_team::named_key::parse_key;
use mem_team::outbound_scan::shown_key;
use mem_team::settings::{self, TeamShare};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::team::sync_progress::SyncProgress;
use crate::unified::paint_diff;

/// Show how the memories here differ from the remote's
///
/// From what the remote was last seen to have to what is here: what `mem team push` would send reads as
/// it would be sent, what `mem team pull` would take reads backwards. The remote is asked only for texts
/// that the history here does not have. A file that holds a secret is named with rule and line, and not
/// shown.
///
/// With --json: {"files":[{"file","diff","why"}]}; one of the two is null.
///
/// Example: mem team diff project_freeze.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// This file only
    #[arg(value_name = "KEY")]
    key: Option<String>,
}

/// Prints the differences.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = settings::team_share(&place, context)?;
    let told = of_share(args.key.as_deref(), &share, &place, context)?;
    if context.printer.json {
        context.print_json(&json!({ "files": differences_json(&told) }))?;
    } else {
        print_differences(&told, context)?;
    }
    Ok(Exit::Ok)
}

/// How the files of a share differ.
pub(crate) fn of_share(
    key: Option<&str>,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<Vec<Difference>> {
    let key = key.map(parse_key).transpose()?;
    let talk = || SyncProgress::begin_sync("asking for texts", share, context);
    Ok(difference::differences(
        key.as_ref(),
        share,
        place,
        context,
        talk,
    )?)
}

/// The stable shape.
pub(crate) fn differences_json(told: &[Difference]) -> Vec<Value> {
    let files = told.iter().map(|(key, diff)| {
        json!({ "file": shown_key(key), "diff": diff.as_ref().ok(), "why": diff.as_ref().err() })
    });
    files.collect()
}

/// The differences, for people.
pub(crate) fn print_differences(told: &[Difference], context: &Context) -> Result<()> {
    let printer = &context.printer;
    if told.is_empty() {
        printer.say("nothing differs");
    }
    for (key, diff) in told {
        match diff {
            Ok(diff) => printer.line(paint_diff(diff))?,
            Err(why) => printer.line(format_args!("{}: not shown: {why}", shown_key(key)))?,
        }
    }
    Ok(())
}
