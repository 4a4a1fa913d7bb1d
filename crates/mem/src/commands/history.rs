//! `mem history`: what happened, and any version of a note.

use mem_core::history::{History, undone_changes};
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::style::FAINT;
use mem_core::host_user::HostUser;
use mem_core::name_resolution::MemoryInStore;

/// Lines that are printed for people unless they ask for more.
const LINES_DEFAULT: usize = 50;

/// List what happened, newest first
///
/// Without a name: every change, whoever made it. With one: the versions of that note, across
/// renames, also when it is gone. Edits made without mem are recorded when they are next seen.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The note whose versions are listed
    name: Option<String>,
    /// Only this change: its id, or the beginning of it
    #[arg(long, value_name = "ID", conflicts_with_all = ["name", "limit"])]
    change: Option<String>,
    /// List at most N; 0 for all (the default is 50, with --json all)
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print the bytes of this version instead (with --rev)
    #[arg(long, requires_all = ["name", "revision"])]
    print: bool,
    /// The version to print: the beginning of its id or of its change's, or how many back (0 the newest)
    #[arg(id = "revision", long = "rev", value_name = "R", requires = "print")]
    revision: Option<String>,
    /// Your own notes across repositories
    #[arg(long)]
    global: bool,
    /// The records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<HostUser>,
}

/// Prints changes, versions, or one version's bytes.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.place()?;
    let Some(name) = &args.name else {
        let store = context.store_of(args.user.as_ref(), &place, args.global)?;
        return match context.open_history(&place, &store)? {
            Some(history) => print_all(args, &history, context),
            None => print_nothing(context),
        };
    };
    let found = context.resolve_memory(args.user.as_ref(), &place, name, args.global)?;
    let MemoryInStore { history, named, .. } = found;
    if let Some(revision) = &args.revision {
        let found = history.revision(&named.note, Some(revision), None)?;
        context.printer.raw(&found.bytes)?;
        return Ok(Exit::Ok);
    }
    let versions = history.of_note(&named.note)?;
    let rows = versions.iter().map(|(entry, version)| {
        let (change, version) = (&entry.change, version);
        let text = move || changes::version_line(change, version);
        (text, move || changes::version_json(change, version))
    });
    let head = json!({ "note": named.note, "file": named.path });
    print_entries(args, context, head, "versions", &rows.collect::<Vec<_>>())
}

fn print_all(args: &Args, history: &History, context: &Context) -> anyhow::Result<Exit> {
    let entries = match &args.change {
        None => history.entries()?,
        Some(id) => {
            let found = history.find(id)?;
            // What came later may have undone it.
            let later = history.own_entries();
            let mut all: Vec<_> = later
                .take_while(|entry| {
                    entry
                        .as_ref()
                        .is_ok_and(|one| one.sequence > found.sequence)
                })
                .collect::<Result<_, _>>()?;
            all.push(found);
            all
        }
    };
    let undone = undone_changes(&entries);
    let first = args.change.as_ref().map_or(0, |_| entries.len() - 1);
    let rows = entries[first..].iter().map(|entry| {
        let change = &entry.change;
        let is_undone = undone.contains(&change.id);
        let text = move || match is_undone {
            true => format!("{}  {FAINT}(undone){FAINT:#}", changes::change_line(change)),
            false => changes::change_line(change),
        };
        (text, move || changes::change_json(change, is_undone))
    });
    print_entries(
        args,
        context,
        json!({}),
        "changes",
        &rows.collect::<Vec<_>>(),
    )
}

/// Prints what stays within the limit.
fn print_entries<T: Fn() -> String, J: Fn() -> Value>(
    args: &Args,
    context: &Context,
    mut head: Value,
    key: &str,
    rows: &[(T, J)],
) -> anyhow::Result<Exit> {
    let printer = &context.printer;
    let default = if printer.json { 0 } else { LINES_DEFAULT };
    let limit = match args.limit.unwrap_or(default) {
        0 => rows.len(),
        limit => limit.min(rows.len()),
    };
    let shown = &rows[..limit];
    if printer.json {
        head[key] = shown.iter().map(|(_, json)| json()).collect();
        printer.print_json(&head)?;
        return Ok(Exit::Ok);
    }
    let lines: Vec<String> = shown.iter().map(|(text, _)| text()).collect();
    if !lines.is_empty() {
        printer.line(lines.join("\n"))?;
    }
    if limit < rows.len() {
        let more = rows.len() - limit;
        printer.say(format_args!("{more} older {key}; --limit 0 lists them all"));
    }
    Ok(Exit::Ok)
}

/// No history: an empty answer.
fn print_nothing(context: &Context) -> anyhow::Result<Exit> {
    if context.printer.json {
        context.printer.print_json(&json!({ "changes": [] }))?;
    } else {
        context.printer.say("nothing happened here yet");
    }
    Ok(Exit::Ok)
}
