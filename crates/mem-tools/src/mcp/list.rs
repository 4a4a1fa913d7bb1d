//! `memory_list`.

use crate::CallError;
use mem_core::MemoryType;
use mem_core::compact_sort::CompactSort as _;
use mem_core::memory::{Note, split_scope};
use serde::Deserialize;
use serde_json::{Value, json};

use super::mcp_call::McpCall;
use super::shape;

const LIMIT_DEFAULT: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpListArguments {
    prefix: Option<String>,
    #[serde(rename = "type")]
    kind: Option<MemoryType>,
    limit: Option<usize>,
    after: Option<String>,
}

/// One page of the notes, in the order of tiers and files.
pub(super) fn call_list(arguments: &McpListArguments, desk: &McpCall) -> Result<Value, CallError> {
    let listing = desk.memory.list(&desk.terms.scopes)?;
    let mut notes = listing.notes;
    let prefix = arguments.prefix.as_deref().unwrap_or_default();
    notes.retain(|note| begins_with(note, prefix));
    notes.retain(|note| {
        arguments
            .kind
            .is_none_or(|kind| note.topic.kind == Some(kind))
    });
    notes.compact_sort_by(|a, b| (a.scope, &a.file).cmp(&(b.scope, &b.file)));
    let total = notes.len();
    if let Some(after) = &arguments.after {
        let (scope, file) = split_scope(after, None);
        let scope = scope.unwrap_or(mem_core::Scope::Private);
        notes.retain(|note| (note.scope, note.file.as_str()) > (scope, file));
    }
    let limit = arguments.limit.unwrap_or(LIMIT_DEFAULT);
    let is_more = notes.len() > limit;
    notes.truncate(limit);
    let next = notes.last().filter(|_| is_more).map(Note::label);
    let now = desk.run().now;
    let memories = notes.iter().map(|note| {
        let more = json!({ "size_bytes": note.bytes.len() });
        shape::note_with(note, now, more)
    });
    Ok(json!({
        "memories": memories.collect::<Vec<_>>(), "total": total, "next": next,
        "warnings": listing.warnings,
    }))
}

/// Whether a note's path begins so; a prefix without a tier is one of every tier.
fn begins_with(note: &Note, prefix: &str) -> bool {
    let (scope, file) = split_scope(prefix, None);
    scope.is_none_or(|scope| scope == note.scope) && note.file.starts_with(file)
}
