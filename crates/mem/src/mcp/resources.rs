//! Notes and indexes as resources: `memory://private/feedback_x.md`.

use anyhow::Result;
use mem_core::memory::{Note, Tier};
use mem_core::notes::INDEX_FILE;
use mem_core::{MemoryPath, Scope};
use rmcp::model::{Resource, ResourceTemplate};

use super::desk::Desk;

const SCHEME: &str = "memory://";
const MARKDOWN: &str = "text/markdown";
/// Resources of one page.
const PAGE_RESOURCES_MAX: usize = 100;

/// A page of resources.
pub(super) struct Page {
    pub(super) resources: Vec<Resource>,
    /// Where the next one begins; nothing on the last one.
    pub(super) next: Option<String>,
}

/// The indexes and notes after a place: the last address of the page before.
pub(super) fn page(after: Option<&str>, desk: &Desk) -> Result<Page> {
    let notes = desk.memory.list(&desk.terms.scopes)?.notes;
    let mut resources: Vec<Resource> = notes.iter().map(of_note).collect();
    for scope in &desk.terms.scopes {
        if let Some(bytes) = bytes(*scope, INDEX_FILE, desk)? {
            resources.push(of_index(*scope, bytes.len()));
        }
    }
    resources.sort_by(|a, b| a.uri.cmp(&b.uri));
    resources.retain(|one| after.is_none_or(|after| one.uri.as_str() > after));
    let is_more = resources.len() > PAGE_RESOURCES_MAX;
    resources.truncate(PAGE_RESOURCES_MAX);
    let next = resources.last().filter(|_| is_more);
    let next = next.map(|one| one.uri.clone());
    Ok(Page { resources, next })
}

/// Whether a cursor is one of ours.
pub(super) fn is_cursor(text: &str) -> bool {
    text.starts_with(SCHEME)
}

/// How a note is addressed that is not on a list.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{scope}}/{{+path}}"), "memory")
        .with_title("A memory")
        .with_description("A note, or MEMORY.md, of a tier: private, team or global")
        .with_mime_type(MARKDOWN)
}

/// The text at an address and its type; `None` where there is nothing.
pub(super) fn read(uri: &str, desk: &Desk) -> Result<Option<(String, &'static str)>> {
    let Some((scope, file)) = parse(uri) else {
        return Ok(None);
    };
    if !desk.terms.scopes.contains(&scope) {
        return Ok(None);
    }
    let bytes = bytes(scope, &file, desk)?;
    Ok(bytes.map(|bytes| (String::from_utf8_lossy(&bytes).into_owned(), MARKDOWN)))
}

/// The bytes of a note or an index of a tier.
fn bytes(scope: Scope, file: &str, desk: &Desk) -> Result<Option<Vec<u8>>> {
    let Ok(path) = Tier(scope).path(file) else {
        return Ok(None);
    };
    let path: MemoryPath = path;
    if file != INDEX_FILE && Tier(scope).note(&path).is_none() {
        return Ok(None);
    }
    Ok(desk.memory.store(scope).read(&path)?)
}

fn of_note(note: &Note) -> Resource {
    let resource = Resource::new(uri(note.scope, &note.file), note.label())
        .with_title(note.title())
        .with_mime_type(MARKDOWN)
        .with_size(note.bytes.len() as u64);
    match &note.topic.description {
        Some(text) => resource.with_description(text),
        None => resource,
    }
}

fn of_index(scope: Scope, bytes: usize) -> Resource {
    Resource::new(uri(scope, INDEX_FILE), scope.label(INDEX_FILE))
        .with_title(format!("Index of the {scope} tier"))
        .with_description("One line for each note")
        .with_mime_type(MARKDOWN)
        .with_size(bytes as u64)
}

/// The address of a file. What a URI's path may not hold is percent-encoded (RFC 3986).
fn uri(scope: Scope, file: &str) -> String {
    use std::fmt::Write as _;
    let mut uri = format!("{SCHEME}{scope}/");
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a string never fails.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

/// The tier and file of an address.
fn parse(uri: &str) -> Option<(Scope, String)> {
    let (scope, file) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let mut bytes = Vec::with_capacity(file.len());
    let mut rest = file.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                u8::from_str_radix(digits, 16).ok()?
            }
            byte => byte,
        });
    }
    Some((scope.parse().ok()?, String::from_utf8(bytes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_file() {
        for file in ["feedback_x.md", "sub/a b.md", "한글 100%.md", "a#b?c.md"] {
            let uri = uri(Scope::Team, file);
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '?']), "{uri}");
            assert_eq!(parse(&uri), Some((Scope::Team, file.to_owned())));
        }
        for uri in [
            "memory://",
            "memory://x/a.md",
            "file:///a",
            "memory://team/%f",
            "memory://team/%ff",
        ] {
            assert_eq!(parse(uri), None, "{uri}");
        }
    }
}
