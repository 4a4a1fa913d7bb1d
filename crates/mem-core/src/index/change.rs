//! Changes of one pointer. Every other byte of the index stays as it is.

use std::collections::BTreeMap;

use super::MemoryIndex;
use super::entry::IndexEntry;
use super::insertion::{rebuilt, spot_for};
use super::line::LineKind;
use super::names::Names;
use super::pointer::{NewIndexEntry, hook_part, target};
use super::references::{ReferenceKind, ReferenceTarget, folded};
use crate::memory_path::MemoryPath;

/// Adds the entry of a file, or gives the one that is there a new title and hook.
///
/// A file that a link in prose or in a table points to needs no entry: nothing changes then.
pub fn put(bytes: &[u8], pointer: &NewIndexEntry<'_>) -> Vec<u8> {
    let index = MemoryIndex::parse(bytes);
    let file = pointer.file.as_str();
    if let Some((_, entry)) = index.entries().find(|(_, entry)| entry.points_to(file)) {
        return updated(&index, entry, pointer);
    }
    added(&index, pointer)
}

/// As [`put`], but an entry that is there keeps its hook: a person may have written it.
pub fn retitle(bytes: &[u8], pointer: &NewIndexEntry<'_>) -> Vec<u8> {
    let index = MemoryIndex::parse(bytes);
    let file = pointer.file.as_str();
    let Some((_, entry)) = index.entries().find(|(_, entry)| entry.points_to(file)) else {
        return added(&index, pointer);
    };
    let mut out = titled(&index, entry, pointer);
    out.extend_from_slice(&bytes[entry.link_end..]);
    out
}

/// The index with a new entry.
fn added(index: &MemoryIndex<'_>, pointer: &NewIndexEntry<'_>) -> Vec<u8> {
    let linked = index
        .mentions()
        .iter()
        .any(|mention| mention.of(pointer.file, "") >= Some(ReferenceKind::Link));
    if linked {
        return index.bytes.to_vec();
    }
    let spot = spot_for(index, pointer);
    rebuilt(index, &BTreeMap::from([(spot, vec![pointer.line()])]), &[])
}

/// Adds an entry for every file that neither the index nor its archive names, all at once; what
/// is there stays as it is.
pub fn add_missing(bytes: &[u8], archive: &[u8], pointers: &[NewIndexEntry<'_>]) -> Vec<u8> {
    let index = MemoryIndex::parse(bytes);
    let (here, archived) = (index.mentions(), MemoryIndex::parse(archive).mentions());
    let names = Names::from_mentions(here.iter().chain(&archived));
    let mut added: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for pointer in pointers {
        if !names.name(pointer.file, pointer.title) {
            let spot = spot_for(&index, pointer);
            added.entry(spot).or_default().push(pointer.line());
        }
    }
    rebuilt(&index, &added, &[])
}

/// The line of an entry with a new title and hook; bullet, target and separator stay.
fn updated(index: &MemoryIndex<'_>, entry: &IndexEntry, pointer: &NewIndexEntry<'_>) -> Vec<u8> {
    let bytes = index.bytes;
    let mut out = titled(index, entry, pointer);
    let start = bytes[..entry.title.start]
        .iter()
        .rposition(|&byte| byte == b'\n');
    let line_start = start.map_or(index.bom, |at| at + 1);
    let separator = match &bytes[entry.link_end..entry.hook.start] {
        separator if separator.trim_ascii().is_empty() => " — ".to_owned(),
        separator => String::from_utf8_lossy(separator).into_owned(),
    };
    let chars = String::from_utf8_lossy(&out[line_start..]).chars().count();
    let hook = hook_part(pointer.hook, &separator, chars);
    out.extend_from_slice(hook.as_bytes());
    out.extend_from_slice(&bytes[entry.hook.end..]);
    out
}

/// The index up to the end of an entry's link, with a new title in it.
fn titled(index: &MemoryIndex<'_>, entry: &IndexEntry, pointer: &NewIndexEntry<'_>) -> Vec<u8> {
    let bytes = index.bytes;
    let mut out = bytes[..entry.title.start].to_vec();
    let old = entry.title(bytes);
    let old = NewIndexEntry {
        title: &old,
        ..*pointer
    };
    if old.shown_title() == pointer.shown_title() {
        out.extend_from_slice(&bytes[entry.title.clone()]);
    } else {
        out.extend_from_slice(pointer.shown_title().as_bytes());
    }
    out.extend_from_slice(&bytes[entry.title.end..entry.link_end]);
    out
}

/// Takes the entries of a file out, with the deeper text below them. Links to it in prose and
/// tables stay: they are for people to change.
pub fn remove(bytes: &[u8], file: &MemoryPath) -> Vec<u8> {
    let index = MemoryIndex::parse(bytes);
    let removed: Vec<_> = index
        .entries()
        .filter(|(_, entry)| entry.points_to(file.as_str()))
        .map(|(line, _)| line - 1..index.item_end(line - 1))
        .collect();
    rebuilt(&index, &BTreeMap::new(), &removed)
}

/// Makes every link to a file point to another, and every `[[stem]]` of it too.
pub fn rename(bytes: &[u8], from: &MemoryPath, to: &MemoryPath) -> Vec<u8> {
    let index = MemoryIndex::parse(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for line in &index.lines {
        if matches!(line.kind, LineKind::Code | LineKind::Hidden) {
            continue;
        }
        for (range, named) in index.line_targets(line) {
            let new = match named {
                ReferenceTarget::File(file) if file.is(from.as_str()) => {
                    target(to) + &fragment(&bytes[range.clone()])
                }
                ReferenceTarget::Wiki(word) if word == folded(from.stem()) => to.stem().to_owned(),
                ReferenceTarget::File(_) | ReferenceTarget::Wiki(_) => continue,
            };
            out.extend_from_slice(&bytes[done..range.start]);
            out.extend_from_slice(new.as_bytes());
            done = range.end;
        }
    }
    out.extend_from_slice(&bytes[done..]);
    out
}

/// The `#part` of a target.
fn fragment(target: &[u8]) -> String {
    let start = target.iter().position(|&byte| byte == b'#');
    let part = start.map_or(&b""[..], |at| &target[at..]);
    String::from_utf8_lossy(part)
        .trim_end_matches('>')
        .to_owned()
}
