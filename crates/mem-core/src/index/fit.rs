//! Brings an index that is over the cap back under it: the stalest pointers move to the archive.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;

use super::MemoryIndex;
use super::change::remove;
use super::entry::IndexEntry;
use super::insertion::rebuilt;
use super::loaded_index::{IndexSize, size, units};
use crate::compact_sort::CompactSort as _;
use crate::frontmatter::Eol;
use crate::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};
use crate::memory_path::MemoryPath;

// Down to nine tenths and not just under the cap: else every save of a full index would move one pointer more, and each
// would be a change of two files.
/// A fitted index leaves a tenth of the cap for what comes next.
const LINES_AFTER: usize = INDEX_LINES_MAX - INDEX_LINES_MAX / 10 - 1;
const UNITS_AFTER: usize = INDEX_UNITS_MAX - INDEX_UNITS_MAX / 10 - 1;

/// What stands at the top of a new archive.
const ARCHIVE_HEAD: &str = "# Archived pointers\n\nThese no longer fit into MEMORY.md. The files \
                            are where they were.\n\n";

/// How long ago a note last changed, and whether it must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// Its last change; `None` when the file is not there, which is the stalest of all.
    pub changed: Option<Timestamp>,
    /// Pinned notes stay in the index.
    pub pinned: bool,
}

/// An index and its archive after [`fit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// The index.
    pub index: Vec<u8>,
    /// The archive.
    pub archive: Vec<u8>,
    /// The files whose pointers moved, in the order of the index.
    pub moved: Vec<String>,
    /// The size of the index now.
    pub size: IndexSize,
    /// Whether it is over the cap and stays so, with nothing moved: too much of it is pinned, or no pointers at all.
    pub is_over: bool,
}

/// Moves the stalest pointers to the archive until the index is a tenth below the cap. One that
/// is so already stays as it is, so that doing it twice changes nothing. A line that could never
/// fit goes before all others, however new its note is. Where even that leaves the index over the cap, nothing moves.
pub fn fit(bytes: &[u8], archive: &[u8], age: &dyn Fn(&str) -> Age) -> Fitted {
    let index = MemoryIndex::parse(bytes);
    let size_before = size(bytes);
    let chosen = if size_before.is_over() || size_before.is_near() {
        choose(&index, size_before, age)
    } else {
        Vec::new()
    };
    let lines: Vec<Range<usize>> = chosen.iter().map(|(lines, _)| lines.clone()).collect();
    let fitted = rebuilt(&index, &BTreeMap::new(), &lines);
    let size = size(&fitted);
    if chosen.is_empty() || size.is_over() {
        return Fitted {
            index: bytes.to_vec(),
            archive: archive.to_vec(),
            moved: Vec::new(),
            size: size_before,
            is_over: size_before.is_over(),
        };
    }
    Fitted {
        archive: archived(&index, archive, &chosen),
        moved: chosen
            .iter()
            .map(|(_, entry)| entry.file().to_owned())
            .collect(),
        index: fitted,
        size,
        is_over: false,
    }
}

/// The size of an index without its pointers, pinned ones included: what no [`fit`] makes smaller.
pub fn prose_size(bytes: &[u8]) -> IndexSize {
    let index = MemoryIndex::parse(bytes);
    let pointers: Vec<Range<usize>> = index
        .entries()
        .map(|(line, _)| line - 1..index.item_end(line - 1))
        .collect();
    size(&rebuilt(&index, &BTreeMap::new(), &pointers))
}

/// The entries that go, with their lines, in the order of the index.
fn choose<'i>(
    index: &'i MemoryIndex<'_>,
    mut size: IndexSize,
    age: &dyn Fn(&str) -> Age,
) -> Vec<(Range<usize>, &'i IndexEntry)> {
    let mut candidates: Vec<_> = index
        .entries()
        .map(|(line, entry)| (age(entry.file()), line - 1, entry))
        .filter(|(age, ..)| !age.pinned)
        .collect();
    let units_of = |lines: &Range<usize>| {
        units(&String::from_utf8_lossy(
            &index.bytes[index.lines[lines.start].start..index.lines[lines.end - 1].next],
        ))
    };
    // Of pointers of one age the upper ones are the older: new ones are added below.
    candidates.compact_sort_by_key(|(age, line, _)| {
        let fits = units_of(&(*line..index.item_end(*line))) <= UNITS_AFTER;
        (fits, age.changed, *line)
    });
    let mut chosen = Vec::new();
    for (_, line, entry) in candidates {
        if size.lines <= LINES_AFTER && size.units <= UNITS_AFTER {
            break;
        }
        let lines = line..index.item_end(line);
        let units = units_of(&lines);
        size.lines = size.lines.saturating_sub(lines.len());
        size.units = size.units.saturating_sub(units);
        chosen.push((lines, entry));
    }
    chosen.compact_sort_by_key(|(lines, _)| lines.start);
    chosen
}

/// The archive with the moved pointers at its end; an older pointer to the same file goes.
fn archived(
    index: &MemoryIndex<'_>,
    archive: &[u8],
    moved: &[(Range<usize>, &IndexEntry)],
) -> Vec<u8> {
    let eol = Eol::from_bytes(if archive.is_empty() {
        index.bytes
    } else {
        archive
    })
    .as_str();
    let mut out = archive.to_vec();
    for (_, entry) in moved {
        if let Ok(path) = MemoryPath::parse(entry.file()) {
            out = remove(&out, &path);
        }
    }
    if out.is_empty() {
        out = ARCHIVE_HEAD.replace('\n', eol).into_bytes();
    } else if !out.ends_with(b"\n") {
        out.extend_from_slice(eol.as_bytes());
    }
    for (lines, _) in moved {
        for (at, line) in index.lines[lines.clone()].iter().enumerate() {
            let content = index.content(line);
            out.extend_from_slice(if at == 0 {
                content.trim_ascii_start()
            } else {
                content
            });
            out.extend_from_slice(eol.as_bytes());
        }
    }
    out
}
