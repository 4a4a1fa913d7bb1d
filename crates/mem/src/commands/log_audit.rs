//! `mem log-audit`: what was deleted, by whom and why.

use anyhow::Result;
use jiff::Timestamp;
use mem_core::compact_sort::CompactSort as _;
use mem_core::history::{Change, FileOperation, Version, undone_changes};
use mem_core::memory::ProjectMemory;
use mem_core::store::LocalStore;
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::reason;
use crate::sanitize::clean;
use crate::since::Since;
use mem_core::host_user::HostUser;

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

/// One thing that was deleted.
struct DeletionEntry {
    change: Change,
    version: Version,
    file: String,
    is_undone: bool,
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
    let mut entries = Vec::new();
    let stores = memory.stores();
    let stores = &stores[..if memory.is_one() { 1 } else { 2 }];
    for store in stores {
        if place.location.enabled && store.places().root.exists() {
            // What somebody removed by other means is part of it.
            drop(context.record_external(store)?);
        }
        entries.extend(deletions_of(store, since)?);
    }
    entries.compact_sort_by_key(|one| std::cmp::Reverse(one.change.time));
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

fn deletions_of(store: &LocalStore, since: Option<Timestamp>) -> Result<Vec<DeletionEntry>> {
    let Some(history) = store.open_history()? else {
        return Ok(Vec::new());
    };
    let entries = history.entries()?;
    let undone = undone_changes(&entries);
    let is_new = |change: &Change| since.is_none_or(|since| change.time >= since);
    let mut found = Vec::new();
    for entry in entries {
        let change = entry.change;
        // An undo takes back what stood in the trail already.
        if !is_new(&change) || !change.undoes.is_empty() {
            continue;
        }
        let is_undone = undone.contains(&change.id);
        let gone = change.versions.iter();
        let gone = gone.filter(|one| one.operation == FileOperation::Deleted);
        let gone = gone.map(|version| DeletionEntry {
            file: store.tiers().label(&version.path),
            version: version.clone(),
            change: change.clone(),
            is_undone,
        });
        found.extend(gone);
    }
    Ok(found)
}

fn action_word(one: &DeletionEntry) -> &str {
    match one.version.superseded_by {
        Some(_) => "supersede",
        None => &one.change.verb,
    }
}

fn deletion_line(one: &DeletionEntry) -> String {
    let DeletionEntry { change, file, .. } = one;
    let (time, who, action) = (
        changes::utc_time(change),
        changes::author_text(&change.author),
        action_word(one),
    );
    let reason = change.reason.as_deref().map(reason::shown_reason);
    let reason = reason.as_deref().unwrap_or("no reason given");
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
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
        "time": one.change.time.to_string(), "action": action_word(one), "id": one.version.note,
        "file": one.file, "actor": author.actor.as_str(), "name": author.name, "host": author.host,
        "reason": one.change.reason.as_deref().map(reason::shown_reason), "superseded_by": one.version.superseded_by,
        "change": one.change.id, "undone": one.is_undone,
    })
}
