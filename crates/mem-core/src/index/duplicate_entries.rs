//! Files with several entries, and the one of them that stays.

use std::collections::{BTreeMap, HashMap};

use super::entry::{IndexEntry, entry_of};
use super::line::MemoryIndex;
use super::pointer::NewIndexEntry;
use super::target::composed;
use crate::frontmatter::Eol;
use crate::memory_path::MemoryPath;

/// A file that several entries point to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DuplicateEntries {
    /// The file.
    pub(crate) file: MemoryPath,
    /// The lines of its entries, from 1.
    pub(crate) lines: Vec<usize>,
}

/// The notes with several entries, in the order of the notes. An entry means the note that its decoded
/// target names, else the one that its target names as it is written.
pub(super) fn find_duplicates(
    index: &MemoryIndex<'_>,
    notes: &[NewIndexEntry<'_>],
) -> Vec<DuplicateEntries> {
    let names = notes.iter().map(|note| composed(note.file.as_str()));
    let numbers: HashMap<String, usize> = names.zip(0..).collect();
    let mut lines: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (line, entry) in index.entries() {
        let mut meant = entry
            .file
            .all()
            .filter_map(|file| numbers.get(&composed(file)));
        if let Some(number) = meant.next() {
            lines.entry(*number).or_default().push(line);
        }
    }
    let several = lines.into_iter().filter(|(_, lines)| lines.len() > 1);
    several
        .map(|(number, lines)| DuplicateEntries {
            file: notes[number].file.clone(),
            lines,
        })
        .collect()
}

/// The index with one entry for each of these files. The entry below a heading `Pinned` stays, else the
/// one with the note's own name and description, else the last. The text below the others goes below it.
pub(super) fn without_duplicates(
    index: &MemoryIndex<'_>,
    find_duplicates: &[DuplicateEntries],
    notes: &[NewIndexEntry<'_>],
) -> Vec<u8> {
    let mut gone = vec![false; index.lines.len()];
    let mut moved: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for one in find_duplicates {
        let note = notes.iter().find(|note| *note.file == one.file);
        let entries = || one.lines.iter().map(|line| line - 1);
        let Some(stays) = entries().max_by_key(|at| worth(index, *at, note)) else {
            continue;
        };
        for at in entries().filter(|at| *at != stays) {
            let end = index.item_end(at);
            gone[at..end].fill(true);
            moved
                .entry(index.item_end(stays) - 1)
                .or_default()
                .extend(at + 1..end);
        }
    }
    let eol = Eol::from_bytes(index.bytes).as_str().as_bytes();
    let mut out = index.bytes[..index.bom].to_vec();
    for (at, line) in index.lines.iter().enumerate() {
        if !gone[at] {
            out.extend_from_slice(&index.bytes[line.start..line.next]);
        }
        for below in moved.get(&at).into_iter().flatten() {
            if !out.ends_with(b"\n") {
                out.extend_from_slice(eol);
            }
            let below = &index.lines[*below];
            out.extend_from_slice(&index.bytes[below.start..below.next]);
        }
    }
    out
}

/// What speaks for an entry: its place, then its words, then that it was written last.
fn worth(
    index: &MemoryIndex<'_>,
    at: usize,
    note: Option<&NewIndexEntry<'_>>,
) -> (bool, usize, usize) {
    let is_pinned = index
        .pinned_sections()
        .iter()
        .any(|lines| lines.contains(&at));
    let words = |text: &[u8]| {
        let entry = entry_of(text, 0..text.len());
        entry.map(|entry: IndexEntry| [entry.title(text), entry.hook(text)])
    };
    let own = note.and_then(|note| words(note.line().as_bytes()));
    let said = words(index.content(&index.lines[at]));
    let same = own.zip(said).map_or(0, |(own, said)| {
        own.iter()
            .zip(&said)
            .filter(|(own, said)| own == said)
            .count()
    });
    (is_pinned, same, at)
}
