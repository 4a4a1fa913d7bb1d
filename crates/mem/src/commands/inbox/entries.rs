//! The entries of a project's inboxes, as a line and as JSON.

use anyhow::Result;
use mem_agent::distillation::state::DistillState;
use mem_core::Scope;
use mem_core::inbox::ScopedEntry;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::sanitize::clean;
use crate::style::{FAINT, STRONG};

/// The memory whose inboxes are shown.
///
/// # Errors
/// There is no home directory.
pub(super) fn memory_of(place: &ProjectContext, context: &Context) -> Result<ProjectMemory> {
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    // A distillation that was killed may have left entries here that it took in. Where that cannot be written down,
    // they are shown.
    let _ = DistillState::settle_if_killed(memory.store(Scope::Private));
    Ok(memory)
}

/// One line: id, when, who, what for, which files.
pub(super) fn summary_line(found: &ScopedEntry) -> String {
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
pub(super) fn entry_json(found: &ScopedEntry) -> Value {
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
