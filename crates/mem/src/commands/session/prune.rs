//! `mem session prune`: notes of sessions that are long over.

use anyhow::Result;
use mem_agent::session::place::{forget_session, noted_sessions};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;

/// Remove notes of old sessions
///
/// Notes that were last changed so many days ago are removed, with what is remembered of their
/// sessions. Transcripts are the host's and stay.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The age from which on they go
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    days: u64,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
}

/// Removes them and says which.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut sessions = noted_sessions(context.dirs()?);
    sessions.retain(|one| context.now.days_since(one.changed) >= args.days);
    for one in sessions.iter().filter(|_| !args.dry_run) {
        forget_session(&one.place)?;
    }
    let ids: Vec<&str> = sessions.iter().map(|one| one.place.id.as_str()).collect();
    let (verb, what) = match args.dry_run {
        true => ("would_remove", "would be removed"),
        false => ("removed", "removed"),
    };
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ verb: ids }))?;
    } else {
        ids.iter().try_for_each(|id| printer.line(id))?;
        printer.say(format_args!("notes of {} sessions {what}", ids.len()));
    }
    Ok(Exit::Ok)
}
