//! `mem log-audit`: what was deleted, by whom and why.

use anyhow::Result;
use mem_core::foreign_text::single_spaced;
use mem_core::memory::{DeletionEntry, ProjectMemory};
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::reason;
use crate::sanitize::clean;
use mem_core::host_user::HostUser;
use mem_core::relative_time::Since;

/// Tell what was deleted, by whom and why
///
/// The audit trail: every memory that was removed, pruned or superseded, the newest first, from the
/// history of this repository's memory and of your own notes. What the history does not keep
/// (`history.keep`) is not in it.
///
/// With --json: {"entries":[{"time","action","id","file","actor","name","host","reason",
/// "superseded_by","change","undone"}]}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Only what is not older: a span (36h, 30d, 2w), a day or an instant
    #[arg(long, value_name = "TIME")]
    since: Option<Since>,
    /// The records of this user of a host
    #[arg(long, value_name = "USER")]
    user: Option<HostUser>,
}

/// Prints them.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let dirs = context.dirs()?;
    let memory = match &args.user {
        Some(user) => user.user_memory(dirs),
        None => ProjectMemory::new(&place.location, dirs),
    };
    let since = args.since.map(|since| since.to_instant(context.now));
    let entries = memory.deletions(since, place.location.enabled, context)?;
    if context.printer.json {
        let shapes: Vec<Value> = entries.iter().map(deletion_json).collect();
        context.printer.print_json(&json!({ "entries": shapes }))?;
        return Ok(Exit::Ok);
    }
    for one in &entries {
        context.printer.line(deletion_line(one))?;
    }
    if entries.is_empty() {
        context.printer.say("nothing was deleted");
    }
    Ok(Exit::Ok)
}

fn deletion_line(one: &DeletionEntry) -> String {
    let DeletionEntry { change, file, .. } = one;
    let (time, who, action) = (
        changes::utc_time(change.time),
        changes::author_text(&change.author),
        one.action(),
    );
    let reason = change.reason.as_deref().map(reason::shown_reason);
    let reason = reason.as_deref().unwrap_or("no reason given");
    let reason = single_spaced(reason);
    let undone = if one.is_undone { "  (undone)" } else { "" };
    format!(
        "{time}  {action:<9}  {who}  {}  {}{undone}",
        clean(file),
        clean(&reason)
    )
}

fn deletion_json(one: &DeletionEntry) -> Value {
    let author = &one.change.author;
    json!({
        "time": one.change.time.to_string(), "action": one.action(), "id": one.version.note,
        "file": one.file, "actor": author.actor.as_str(), "name": author.name, "host": author.host,
        "reason": one.change.reason.as_deref().map(reason::shown_reason), "superseded_by": one.version.superseded_by,
        "change": one.change.id, "undone": one.is_undone,
    })
}
