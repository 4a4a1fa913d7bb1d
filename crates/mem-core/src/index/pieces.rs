//! An index taken apart for a merge: entries known by their file, everything else by its bytes.

use std::collections::{HashMap, HashSet};

use super::entry::IndexEntry;
use super::line::{LineKind, MemoryIndex};
use super::target::composed;
use crate::memory::folded;

/// How an index calls its files, so that spellings of one file are one name.
#[derive(Clone, Debug)]
pub(super) struct FileNames {
    /// Names without case of which one index lists several: there, case tells files apart.
    exact: HashSet<String>,
}

impl FileNames {
    pub(super) fn from_indexes(indexes: &[MemoryIndex<'_>]) -> Self {
        let mut exact = HashSet::new();
        for index in indexes {
            let mut spelled: HashMap<String, String> = HashMap::new();
            for (_, entry) in index.entries() {
                let name = composed(entry.file());
                let first = spelled.entry(folded(&name)).or_insert_with(|| name.clone());
                if *first != name {
                    exact.insert(folded(&name));
                }
            }
        }
        Self { exact }
    }

    pub(super) fn name(&self, entry: &IndexEntry) -> String {
        self.of_file(entry.file())
    }

    /// The name of a file.
    pub(super) fn of_file(&self, file: &str) -> String {
        let name = composed(file);
        let folded = folded(&name);
        if self.exact.contains(&folded) {
            name
        } else {
            folded
        }
    }
}

/// A part of an index that stays whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum IndexPiece<'a> {
    /// The entry of a file.
    Entry(String),
    /// A line, or the lines of a block.
    Text(&'a [u8]),
}

/// An entry: the parts of its line, and the lines below it that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EntryPiece {
    /// Bullet, title, target, hook.
    pub(super) parts: [Vec<u8>; 4],
    pub(super) below: Vec<Vec<u8>>,
    pub(super) ending: Vec<u8>,
}

impl EntryPiece {
    fn from_index(index: &MemoryIndex<'_>, at: usize, entry: &IndexEntry) -> Self {
        let line = &index.lines[at];
        let part = |start: usize, end: usize| index.bytes[start..end].to_vec();
        let below = &index.lines[at + 1..index.item_end(at)];
        Self {
            parts: [
                part(line.start, entry.title.start),
                part(entry.title.start, entry.title.end),
                part(entry.title.end, entry.link_end),
                part(entry.link_end, line.end),
            ],
            below: below
                .iter()
                .map(|line| index.content(line).to_vec())
                .collect(),
            ending: part(line.end, line.next),
        }
    }

    /// Adds the lines below another entry of the file that are not here.
    fn add_below(&mut self, other: &Self) {
        for line in &other.below {
            if !self.below.contains(line) {
                self.below.push(line.clone());
            }
        }
    }

    pub(super) fn indent(&self) -> usize {
        indent(&self.parts[0])
    }

    /// Its lines, with `\n` between them.
    pub(super) fn text(&self) -> Vec<u8> {
        self.with_below(self.parts.concat())
    }

    /// The part of its line behind the link, and the lines below.
    pub(super) fn hook(&self) -> Vec<u8> {
        self.with_below(self.parts[3].clone())
    }

    fn with_below(&self, mut text: Vec<u8>) -> Vec<u8> {
        for line in &self.below {
            text.push(b'\n');
            text.extend_from_slice(line);
        }
        text
    }
}

/// The pieces of an index, and what its entries say.
pub(super) struct IndexSide<'a> {
    pub(super) order: Vec<IndexPiece<'a>>,
    pub(super) entries: HashMap<String, EntryPiece>,
}

impl<'a> IndexSide<'a> {
    pub(super) fn from_index(index: &MemoryIndex<'a>, files: &FileNames) -> Self {
        let pinned = index.pinned_sections();
        let mut order = Vec::new();
        let mut entries: HashMap<String, (bool, EntryPiece)> = HashMap::new();
        let mut at = 0;
        while at < index.lines.len() {
            let line = &index.lines[at];
            let end = match &line.kind {
                LineKind::Entry(entry) => {
                    let name = files.name(entry);
                    let is_pinned = pinned.iter().any(|lines| lines.contains(&at));
                    let mut item = EntryPiece::from_index(index, at, entry);
                    let piece = IndexPiece::Entry(name.clone());
                    match entries.remove(&name) {
                        Some((true, mut first)) if !is_pinned => {
                            first.add_below(&item);
                            entries.insert(name, (true, first));
                        }
                        earlier => {
                            if let Some((_, earlier)) = earlier {
                                item.add_below(&earlier);
                                order.retain(|one| *one != piece);
                            }
                            entries.insert(name, (is_pinned, item));
                            order.push(piece);
                        }
                    }
                    index.item_end(at)
                }
                kind @ (LineKind::Code | LineKind::Hidden) => {
                    let same = index.lines[at..].iter().take_while(|one| one.kind == *kind);
                    at + same.count()
                }
                _ => at + 1,
            };
            if !matches!(line.kind, LineKind::Entry(_)) {
                let next = index.lines[end - 1].next;
                order.push(IndexPiece::Text(&index.bytes[line.start..next]));
            }
            at = end;
        }
        let entries = entries.into_iter().map(|(name, (_, item))| (name, item));
        Self {
            order,
            entries: entries.collect(),
        }
    }
}

/// How many blanks and tabs a line begins with.
pub(super) fn indent(text: &[u8]) -> usize {
    text.iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}
