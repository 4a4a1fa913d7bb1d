//! Stores, memories and versions as lines for people. What a server says is foreign text: no line of it is
//! taken for one of ours.

use mem_core::memory_path::{escaped, printable};
use mem_stores::wire::{ApiActor, MemoryStore, MemoryVersion, StoreMemory};

use crate::sanitize::{clean, one_line};
use crate::style::{FAINT, STRONG};

/// A store in a list.
pub(crate) fn store_line(store: &MemoryStore) -> String {
    let archived = match store.archived_at {
        Some(_) => "  (archived)",
        None => "",
    };
    format!(
        "{FAINT}{}{FAINT:#}  {}{archived}",
        printable(&store.id),
        one_line(&store.name)
    )
}

/// All that is known of a store.
pub(crate) fn store_lines(store: &MemoryStore) -> String {
    let mut lines = vec![format!("{STRONG}{}{STRONG:#}", one_line(&store.name))];
    let mut add = |what: &str, value: &str| lines.push(format!("  {what}: {value}"));
    add("id", &printable(&store.id));
    if !store.description.is_empty() {
        add(
            "description",
            &clean(&store.description).replace('\n', "\n    "),
        );
    }
    for (key, value) in &store.metadata {
        add(
            "metadata",
            &format!("{} = {}", one_line(key), one_line(value)),
        );
    }
    add("created", &one_line(&store.created_at));
    add("updated", &one_line(&store.updated_at));
    if let Some(archived) = &store.archived_at {
        add("archived", &one_line(archived));
    }
    lines.join("\n")
}

/// A memory in a list.
pub(crate) fn memory_line(memory: &StoreMemory) -> String {
    let sha256: String = memory.content_sha256.chars().take(8).collect();
    format!(
        "{FAINT}{}  {:>6}  {}{FAINT:#}  {}",
        printable(&sha256),
        memory.content_size_bytes,
        one_line(&memory.updated_at),
        escaped(&memory.path)
    )
}

/// A version in a list.
pub(crate) fn version_line(version: &MemoryVersion) -> String {
    let who = version.created_by.as_ref().map_or("unknown", actor_name);
    let path = match (&version.path, &version.redacted_at) {
        (_, Some(_)) => "(redacted)".to_owned(),
        (Some(path), None) => escaped(path),
        (None, None) => String::new(),
    };
    format!(
        "{FAINT}{}{FAINT:#}  {}  {:<8}  {}  {path}",
        printable(&version.id),
        one_line(&version.created_at),
        version.operation.as_str(),
        printable(who),
    )
}

fn actor_name(actor: &ApiActor) -> &str {
    actor.id().unwrap_or("unknown")
}
