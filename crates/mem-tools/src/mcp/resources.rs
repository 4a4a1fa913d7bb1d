//! Notes and indexes as resources: `memory://private/feedback_x.md`; those of attached stores beside them.

use crate::CallError;
use mem_core::compact_sort::CompactSort as _;
use mem_core::delimiters::escape;
use mem_core::memory::{Note, ScopeDir};
use mem_core::notes::INDEX_FILE;
use mem_core::{MemoryPath, Scope};
use rmcp::model::{Resource, ResourceTemplate};

use super::mcp_call::McpCall;
use super::{attached_resources, uri};

const MARKDOWN: &str = "text/markdown";
/// Resources of one page.
const PAGE_RESOURCES_MAX: usize = 100;

/// A page of resources.
pub(super) struct ResourcePage {
    pub(super) resources: Vec<Resource>,
    /// Where the next one begins; nothing on the last one.
    pub(super) next: Option<String>,
}

/// The indexes and notes after a place: the last address of the page before.
pub(super) fn list_page(after: Option<&str>, desk: &McpCall) -> Result<ResourcePage, CallError> {
    let notes = desk.memory.list(&desk.terms.scopes)?.notes;
    let mut resources: Vec<Resource> = notes.iter().map(of_note).collect();
    for scope in &desk.terms.scopes {
        if let Some(bytes) = file_bytes(*scope, INDEX_FILE, desk)? {
            resources.push(of_index(*scope, bytes.len()));
        }
    }
    resources.extend(attached_resources::all_resources(desk)?);
    resources.compact_sort_by(|a, b| a.uri.cmp(&b.uri));
    resources.retain(|one| after.is_none_or(|after| one.uri.as_str() > after));
    let is_more = resources.len() > PAGE_RESOURCES_MAX;
    resources.truncate(PAGE_RESOURCES_MAX);
    let next = resources.last().filter(|_| is_more);
    let next = next.map(|one| one.uri.clone());
    Ok(ResourcePage { resources, next })
}

/// Whether a cursor is one of ours.
pub(super) fn is_cursor(text: &str) -> bool {
    uri::is_ours(text)
}

/// How a note is addressed that is not on a list.
pub(super) fn note_template() -> ResourceTemplate {
    ResourceTemplate::new(uri::uri_template("{scope}/{+path}"), "memory")
        .with_title("A memory")
        .with_description("A note, or MEMORY.md, of a tier: private, team or global")
        .with_mime_type(MARKDOWN)
}

/// The text at an address and its type; `None` where there is nothing.
pub(super) fn read(uri: &str, desk: &McpCall) -> Result<Option<(String, &'static str)>, CallError> {
    let Some((place, file)) = uri::parse_uri(uri) else {
        return Ok(None);
    };
    if place == attached_resources::PLACE {
        return attached_resources::read(&file, desk);
    }
    let Ok(scope) = place.parse::<Scope>() else {
        return Ok(None);
    };
    if !desk.terms.scopes.contains(&scope) {
        return Ok(None);
    }
    let bytes = file_bytes(scope, &file, desk)?;
    Ok(bytes.map(|bytes| (String::from_utf8_lossy(&bytes).into_owned(), MARKDOWN)))
}

/// The bytes of a note or an index of a tier.
fn file_bytes(scope: Scope, file: &str, desk: &McpCall) -> Result<Option<Vec<u8>>, CallError> {
    let Ok(path) = ScopeDir(scope).path(file) else {
        return Ok(None);
    };
    let path: MemoryPath = path;
    if file != INDEX_FILE && ScopeDir(scope).note(&path).is_none() {
        return Ok(None);
    }
    Ok(desk.memory.store(scope).read(&path)?)
}

fn of_note(note: &Note) -> Resource {
    let resource = Resource::new(
        uri::resource_uri(note.scope.as_str(), &note.file),
        note.label(),
    )
    .with_title(escape(note.title()))
    .with_mime_type(MARKDOWN)
    .with_size(note.bytes.len() as u64);
    match &note.topic.description {
        Some(text) => resource.with_description(escape(text)),
        None => resource,
    }
}

fn of_index(scope: Scope, bytes: usize) -> Resource {
    Resource::new(
        uri::resource_uri(scope.as_str(), INDEX_FILE),
        scope.label(INDEX_FILE),
    )
    .with_title(format!("Index of the {scope} tier"))
    .with_description("One line for each note")
    .with_mime_type(MARKDOWN)
    .with_size(bytes as u64)
}
