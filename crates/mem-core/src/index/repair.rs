//! Makes an index agree with the files that are there, in one change.

use std::collections::{BTreeMap, HashSet};

use super::MemoryIndex;
use super::duplicate_entries::{DuplicateEntries, find_duplicates, without_duplicates};
use super::insertion::{InsertionPoint, rebuilt, spot_for};
use super::names::Names;
use super::pointer::NewIndexEntry;
use super::references::FileReference;
use super::target::composed;
use crate::compact_sort::CompactSort as _;
use crate::memory_path::{MemoryPath, is_at_or_below};
use crate::notes::{is_indexed, is_note};
use crate::scope::Scope;

/// What a repair did and what it left to people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The index as it ought to be; the same bytes when nothing was wrong.
    pub bytes: Vec<u8>,
    /// Files that got an entry.
    pub added: Vec<MemoryPath>,
    /// Entries that pointed nowhere and were taken out; lines are those before the repair.
    pub removed: Vec<Dangling>,
    /// Links in prose and tables that point nowhere; they were left.
    pub left: Vec<Dangling>,
    /// Files that had more than one entry; one is left of each.
    pub repeated: Vec<MemoryPath>,
    /// The errors of files and folders that cannot be read.
    pub unread: Vec<String>,
}

/// A link to a file that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// Line number, from 1.
    pub line: usize,
    /// The file it names.
    pub file: String,
}

/// Repairs an index against all notes of its tier. Of those in `unreadable`, or in a folder there, only the names are
/// known: their entries stay, and none is added.
///
/// A file that `archive` points to has its pointer there and gets none here. Links to what is no
/// note (`logs/`, another tier, a picture) are left alone.
pub fn repair(
    bytes: &[u8],
    archive: Option<&[u8]>,
    notes: &[NewIndexEntry<'_>],
    unreadable: &[&MemoryPath],
    scope: Scope,
) -> Repair {
    let repaired = repair_once(bytes, archive, notes, unreadable, scope);
    // Without the lines in front of it a `---` begins frontmatter, and the entries in that are none.
    if !repaired.bytes.starts_with(b"---") || bytes.starts_with(b"---") {
        return repaired;
    }
    let again = repair_once(&repaired.bytes, archive, notes, unreadable, scope);
    Repair {
        bytes: again.bytes,
        added: [repaired.added, again.added].concat(),
        repeated: [repaired.repeated, again.repeated].concat(),
        ..repaired
    }
}

fn repair_once(
    bytes: &[u8],
    archive: Option<&[u8]>,
    notes: &[NewIndexEntry<'_>],
    unreadable: &[&MemoryPath],
    scope: Scope,
) -> Repair {
    let index = MemoryIndex::parse(bytes);
    let survey = IndexSurvey::compare(&index, archive, notes, unreadable, scope);
    let mut added: BTreeMap<InsertionPoint, Vec<String>> = BTreeMap::new();
    for note in &survey.orphans {
        let spot = spot_for(&index, note);
        added.entry(spot).or_default().push(note.line());
    }
    let (entries, links): (Vec<_>, Vec<_>) =
        survey.dangling.iter().partition(|mention| mention.is_entry);
    let gone: Vec<_> = entries
        .iter()
        .map(|mention| mention.line - 1..index.item_end(mention.line - 1))
        .collect();
    // Repeated entries go last, so that the lines of dangling ones are those of `bytes`.
    let complete = rebuilt(&index, &added, &gone);
    let index = MemoryIndex::parse(&complete);
    let repeated = find_duplicates(&index, notes);
    Repair {
        bytes: without_duplicates(&index, &repeated, notes),
        added: survey
            .orphans
            .iter()
            .map(|note| note.file.clone())
            .collect(),
        removed: entries.into_iter().map(dangling).collect(),
        left: links.into_iter().map(dangling).collect(),
        repeated: repeated.into_iter().map(|one| one.file).collect(),
        unread: Vec::new(),
    }
}

fn dangling(mention: &FileReference) -> Dangling {
    Dangling {
        line: mention.line,
        file: mention.file().unwrap_or_default().to_owned(),
    }
}

/// How an index and the files disagree.
pub(crate) struct IndexSurvey<'n> {
    /// Notes that nothing points to, by path.
    pub(crate) orphans: Vec<NewIndexEntry<'n>>,
    /// Mentions of notes that are not there.
    pub(crate) dangling: Vec<FileReference>,
    /// Notes with more than one entry.
    pub(crate) repeated: Vec<DuplicateEntries>,
}

impl<'n> IndexSurvey<'n> {
    pub(crate) fn compare(
        index: &MemoryIndex<'_>,
        archive: Option<&[u8]>,
        notes: &[NewIndexEntry<'n>],
        unreadable: &[&MemoryPath],
        scope: Scope,
    ) -> Self {
        let mentions = index.mentions();
        let archived = MemoryIndex::parse(archive.unwrap_or_default()).mentions();
        let names = Names::from_mentions(mentions.iter().chain(&archived));
        let mut orphans: Vec<NewIndexEntry<'n>> = notes
            .iter()
            .filter(|note| is_indexed(note.file, scope) && !names.name(note.file, note.title))
            .copied()
            .collect();
        orphans.compact_sort_by(|a, b| a.file.cmp(b.file));
        let files = notes.iter().map(|note| composed(note.file.as_str()));
        let files: HashSet<String> = files.collect();
        let unread = unreadable.iter().map(|path| composed(path.as_str()));
        let unread: Vec<String> = unread.collect();
        let is_there = |file: &str| {
            let file = composed(file);
            files.contains(&file) || unread.iter().any(|one| is_at_or_below(&file, one))
        };
        let lost = |mention: &FileReference| {
            let spellings = mention.spellings();
            let is_here = spellings.iter().any(|file| is_there(file));
            let path = spellings
                .first()
                .and_then(|file| MemoryPath::parse(file).ok());
            !is_here && path.is_some_and(|path| is_note(&path, scope))
        };
        Self {
            orphans,
            repeated: find_duplicates(index, notes),
            dangling: mentions.into_iter().filter(lost).collect(),
        }
    }
}
