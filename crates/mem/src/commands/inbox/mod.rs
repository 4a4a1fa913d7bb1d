//! `mem inbox`: what agents want to write, for a person to decide on.

use anyhow::Result;
use mem_agent::distillation::state::DistillState;
use mem_core::Scope;
use mem_core::history::Sha256;
use mem_core::inbox::{Inbox, InboxEntry, ScopedEntry};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::plural::format_count;
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::{clean, excerpt_lines};
use crate::style::{FAINT, STRONG};
use crate::unified::paint_diff;

pub(crate) mod accept;
pub(crate) mod edit;

crate::commands::verbs! {
    "Commands" {
        list(ListArgs) => "List what waits, with what each would change",
        show(ShowArgs) => "Show one entry",
        accept => "Write what waits",
        edit => "Change what waits in your editor, then write it",
        reject(RejectArgs) => "Turn down what waits",
    }
}

/// Decide on what agents want to write
///
/// With the setting `memory.write = "confirm"` agents do not write to memory by themselves: what
/// they save, change or remove waits here, outside of the memory directory, until you accept, edit
/// or reject it. Without a command this lists what waits.
///
/// Example: mem config set memory.write confirm
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Commands>,
}

/// Runs the verb.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match &args.verb {
        Some(verb) => verb.run(context),
        None => list(&ListArgs::default(), context),
    }
}

/// The memory whose inboxes are shown.
///
/// # Errors
/// There is no home directory.
fn memory_of(place: &ProjectContext, context: &Context) -> Result<ProjectMemory> {
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    // A distillation that was killed may have left entries here that it took in. Where that cannot be written down,
    // they are shown.
    let _ = DistillState::settle_if_killed(memory.store(Scope::Private));
    Ok(memory)
}

/// One line: id, when, who, what for, which files.
fn summary_line(found: &ScopedEntry) -> String {
    let entry = &found.entry;
    let id = changes::short_id(entry.id.as_str());
    let files: Vec<String> = entry.notes().map(|file| found.file_label(file)).collect();
    let reason = entry.reason.as_deref().map(crate::sanitize::clean_short);
    let reason = reason.map_or_else(String::new, |reason| format!("  ({reason})"));
    format!(
        "{STRONG}{id}{STRONG:#}  {FAINT}{}{FAINT:#}  {:<8}  {}  {}{reason}",
        entry.time.strftime("%Y-%m-%d %H:%M"),
        clean(&entry.verb),
        clean(&changes::author_text(&entry.author)),
        clean(&files.join(", ")),
    )
}

/// The stable shape.
fn entry_json(found: &ScopedEntry) -> Value {
    let entry = &found.entry;
    let files: Vec<Value> = entry
        .files
        .iter()
        .map(|file| {
            let operation = match (&file.old, &file.new) {
                (None, _) => "created",
                (_, None) => "deleted",
                _ => "modified",
            };
            json!({ "file": found.file_label(file), "operation": operation,
                    "renamed_from": file.renamed_from })
        })
        .collect();
    json!({
        "id": entry.id, "time": entry.time, "verb": entry.verb, "reason": entry.reason,
        "actor": entry.author.actor.as_str(), "name": entry.author.name,
        "trust": entry.author.trust_class(), "session": entry.author.session, "host": entry.author.host,
        "files": files, "diff": found.proposed_diff(),
    })
}

/// So much of what an entry would change is listed.
const LINES_MAX: usize = 200;

/// List what waits, with what each would change
///
/// Long lines are cut, and so is what goes on for more than 200 lines, which is said: `mem inbox show ID` has
/// everything, and so has --json.
///
/// With --json: {"entries":[{"id","time","verb","reason","actor","trust","name","session","host",
/// "files":[{"file","operation","renamed_from"}],"diff"}]}.
#[derive(clap::Args, Debug, Default)]
struct ListArgs {
    /// What was rejected or replaced, as far as it is kept
    #[arg(long)]
    rejected: bool,
    /// One line each, without what would change
    #[arg(long)]
    short: bool,
}

/// Prints the entries.
fn list(args: &ListArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = memory_of(&place, context)?.inbox_entries(args.rejected, context)?;
    let printer = &context.printer;
    if printer.json {
        let entries: Vec<_> = found.iter().map(entry_json).collect();
        printer.print_json(&json!({ "entries": entries }))?;
        return Ok(Exit::Ok);
    }
    if found.is_empty() {
        printer.say("nothing waits");
    }
    for (at, one) in found.iter().enumerate() {
        if at > 0 && !args.short {
            printer.line("")?;
        }
        printer.line(summary_line(one))?;
        if !args.short {
            print_diff(one, context)?;
        }
    }
    if !found.is_empty() && !args.rejected {
        printer.say("`mem inbox accept ID`, `edit ID` or `reject ID` decides; --all is for all");
    }
    Ok(Exit::Ok)
}

/// What an entry would change, as far as a list shows it.
fn print_diff(found: &ScopedEntry, context: &Context) -> Result<()> {
    let diff = found.proposed_diff();
    let (shown, left) = excerpt_lines(&diff, LINES_MAX);
    if shown.is_empty() {
        return Ok(());
    }
    context.printer.line(paint_diff(&shown))?;
    let lines = format_count(left, "more line", "more lines");
    let what = match (left > 0, diff.lines().ne(shown.lines())) {
        (true, _) => format!("… {lines}"),
        (false, true) => "… stands for more".to_owned(),
        (false, false) => return Ok(()),
    };
    let id = changes::short_id(found.entry.id.as_str());
    let said = format!("{FAINT}{what}: `mem inbox show {id}`{FAINT:#}");
    Ok(context.printer.line(said)?)
}

/// Show one entry
///
/// Prints who wants what and why, and what it would change. Rejected entries are found too.
///
/// With --json as an entry of `mem inbox list`, with "texts":[{"file","content","sha256"}]: what `mem inbox edit` offers
/// of each memory, null where it is not UTF-8.
#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// The entry: its id, or the beginning of it
    id: String,
}

/// Prints the entry.
fn show(args: &ShowArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = memory_of(&place, context)?.inbox_entry(&args.id, context)?;
    if context.printer.json {
        let texts = found.offered_texts()?;
        let texts = texts.iter().map(|(file, text)| {
            json!({ "file": file, "content": std::str::from_utf8(text).ok(),
                "sha256": Sha256::digest(text).to_string() })
        });
        let mut value = entry_json(&found);
        value["texts"] = texts.collect();
        context.printer.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    context.printer.line(summary_line(&found))?;
    let diff = found.proposed_diff();
    if !diff.is_empty() {
        context.printer.line(paint_diff(&diff))?;
    }
    Ok(Exit::Ok)
}

/// Turn down what waits
///
/// Nothing is written. The entry is kept for a while: `mem inbox list --rejected` shows it, and
/// `mem inbox accept` still finds it.
#[derive(clap::Args, Debug)]
struct RejectArgs {
    /// The entries: ids, or beginnings of them
    #[arg(required_unless_present = "all", value_name = "ID")]
    ids: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "ids")]
    all: bool,
}

/// Rejects the entries.
fn reject(args: &RejectArgs, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let found = memory_of(&place, context)?.chosen_entries(&args.ids, context)?;
    if found.is_empty() {
        context.say("nothing waits");
    }
    for some in found.chunk_by(ScopedEntry::is_beside) {
        let entries: Vec<InboxEntry> = some.iter().map(|one| one.entry.clone()).collect();
        Inbox::for_paths(some[0].store.places()).reject(&entries)?;
    }
    if !context.printer.json {
        for one in &found {
            context.line(format_args!("rejected: {}", summary_line(one)))?;
        }
    }
    if context.printer.json {
        let ids: Vec<_> = found.iter().map(|one| &one.entry.id).collect();
        context.print_json(&json!({ "rejected": ids }))?;
    }
    Ok(Exit::Ok)
}
