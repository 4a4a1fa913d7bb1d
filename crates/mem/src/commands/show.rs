//! `mem show`: one memory, whole.

use anyhow::Result;
use mem_core::history::{HistoryEntry, Sha256, Version};
use mem_core::memory::{Note, ProjectMemory};
use mem_core::store::StoreError;
use mem_core::{Dirs, Scope};
use mem_find::session::note_read;
use mem_find::verdicts::Verdicts;
use serde_json::{Value, json};

use crate::age::age_text;
use crate::context::Context;
use crate::exit::Exit;
use crate::freshness::verdict_text;
use crate::note_json::NoteJson;
use crate::sanitize::clean;
use crate::style;

/// Show a memory
///
/// NAME may be the file, its stem, the title, the id, or an unambiguous beginning of one of
/// them; `team:NAME` and `global:NAME` say the tier. Prints the file as it is, below a line about
/// its type, tier and age, who last wrote it and why, and one that says what of the code has moved on
/// since.
///
/// With --json as a memory of `mem list`, with "body", "content" (the whole file; null where it is not UTF-8), its
/// "sha256" and "provenance".
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The memory
    name: String,
    /// Look in one tier only
    #[arg(long)]
    scope: Option<Scope>,
    /// Print the bytes of the file and nothing else
    #[arg(long)]
    raw: bool,
}

/// Prints the memory.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let dirs: &Dirs = context.dirs()?;
    let memory = ProjectMemory::new(&place.location, dirs);
    let note = memory.find(&args.name, args.scope)?;
    note_read(context, &memory, &note);
    if args.raw {
        context.printer.raw(&note.bytes)?;
        return Ok(Exit::Ok);
    }
    // A damaged history keeps nobody from reading.
    let versions = memory_versions(&memory, &note).unwrap_or_else(|error| {
        let text = format_args!("who wrote {} cannot be told: {error}", note.file);
        context.print_warning(text);
        Vec::new()
    });
    let drift = Verdicts::for_place(&place, context)?.at_hand(&note);
    if context.printer.json {
        let json = NoteJson::from(&note).with_drift(drift.map(|report| report.drift_summary()));
        let mut value = serde_json::to_value(json)?;
        value["body"] = Value::from(note.topic.text(&note.bytes));
        value["content"] = Value::from(std::str::from_utf8(&note.bytes).ok());
        value["sha256"] = Value::from(Sha256::digest(&note.bytes).to_string());
        value["provenance"] = provenance_json(&versions);
        context.print_json(&value)?;
        return Ok(Exit::Ok);
    }
    for warning in &note.topic.warnings {
        context.print_warning(format_args!("{}:{warning}", note.file));
    }
    context.line(heading_line(&note, &versions, context))?;
    if let Some(why) = drift.as_ref().and_then(verdict_text::stale_reason) {
        context.line(why)?;
    }
    let session = versions
        .first()
        .and_then(|(entry, _)| entry.change.author.session.as_deref());
    context.printer.detail(format_args!(
        "{}, session {}",
        note.id,
        clean(session.unwrap_or("unknown"))
    ));
    let text = String::from_utf8_lossy(&note.bytes);
    context.line(clean(text.trim_end()))?;
    Ok(Exit::Ok)
}

/// What the history knows about the memory, newest first.
fn memory_versions(
    memory: &ProjectMemory,
    note: &Note,
) -> Result<Vec<(HistoryEntry, Version)>, StoreError> {
    Ok(match memory.store(note.scope).open_history()? {
        Some(history) => history.of_note(&note.id)?,
        None => Vec::new(),
    })
}

/// One line about the memory.
fn heading_line(note: &Note, versions: &[(HistoryEntry, Version)], context: &Context) -> String {
    let kind = note
        .topic
        .kind
        .map_or("no type", mem_core::MemoryType::as_str);
    let by = versions.first().map(|(entry, _)| &entry.change.author);
    let by = by.map(|by| clean(by.name.as_deref().unwrap_or(by.actor.as_str())));
    let by = by.map(|by| format!(", by {by}"));
    let reason = versions
        .first()
        .and_then(|(entry, _)| entry.change.reason.as_deref());
    let reason = reason.map_or_else(String::new, |reason| format!(" ({})", clean(reason)));
    format!(
        "{bold}{}{bold:#}  {kind}, {}, {}{}{}",
        clean(&note.file),
        note.scope,
        age_text(context.now, note.modified),
        clean(&by.unwrap_or_default()),
        clean(&reason).replace('\n', " "),
        bold = style::STRONG,
    )
}

/// Who wrote it first and last, and how often it changed.
fn provenance_json(versions: &[(HistoryEntry, Version)]) -> Value {
    let one = |(entry, version): &(HistoryEntry, Version)| {
        json!({
            "version": version.id, "operation": version.operation.as_str(),
            "change": entry.change.id, "verb": entry.change.verb, "time": entry.change.time,
            "actor": entry.change.author.actor.as_str(), "name": entry.change.author.name,
            "trust": entry.change.author.trust_class(), "session": entry.change.author.session, "host": entry.change.author.host,
            "reason": entry.change.reason, "sha256": version.sha256,
        })
    };
    json!({
        "versions": versions.len(),
        "created": versions.last().map(one),
        "modified": versions.first().map(one),
    })
}
