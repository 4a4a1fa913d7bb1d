//! An index with some of the changes that were made to it, and without the others.
//!
//! The changes are told apart as in a merge: one for each file whose entry is new, differs or is missing, and one for
//! each other line or block. The caller decides about each; the result is `base` with the accepted ones:
//!
//! ```text
//! base   A  B       ours  A' B X Y      accepted: X, not A' and Y
//! result A  B  X
//! ```
//!
//! 1. Entries and lines that `ours` removed are taken out of `base` where the removal is accepted.
//! 2. An entry that differs is replaced in its place.
//! 3. New pieces are inserted behind the piece of the result that they follow in `ours`.
//!
//! Blank lines and the order are no changes of their own: `base` decides about both, and blank lines above a new piece
//! come with it. With no accepted change the result is `base`, byte for byte.

use std::collections::{HashMap, HashSet};

use super::line::MemoryIndex;
use super::merge::{holds, rendered};
use super::pieces::{EntryPiece, FileNames, IndexPiece, IndexSide};

/// One change of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexChange<'c> {
    /// The entry of a file is new or differs.
    Entry {
        /// The file, relative to the index.
        file: &'c str,
        /// The lines of the entry, with `\n` between them.
        text: &'c [u8],
    },
    /// The entry of a file is missing.
    NoEntry {
        /// The file, relative to the index.
        file: &'c str,
    },
    /// A line or a block that is no entry is new.
    Text(&'c [u8]),
    /// A line or a block that is no entry is missing.
    NoText(&'c [u8]),
}

/// The result of [`select`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexSelection {
    /// `base` with the accepted changes.
    pub bytes: Vec<u8>,
    /// Whether all changes were accepted. `bytes` may still differ from `ours`, in the order and in blank lines.
    pub is_whole: bool,
}

/// Returns `base` with those changes of `ours` that `accepts` returns `true` for.
pub fn select(
    base: &[u8],
    ours: &[u8],
    mut accepts: impl FnMut(IndexChange<'_>) -> bool,
) -> IndexSelection {
    let indexes = [base, ours].map(MemoryIndex::parse);
    let files = FileNames::from_indexes(&indexes);
    let [before, mine] = indexes
        .each_ref()
        .map(|index| IndexSide::from_index(index, &files));
    let spelled = spelled(&indexes, &files);
    let mut is_whole = true;
    let mut is_accepted = |change: IndexChange<'_>| {
        let is_accepted = accepts(change);
        is_whole &= is_accepted;
        is_accepted
    };

    // Step 1: removals.
    let stands: HashSet<&IndexPiece<'_>> = mine.order.iter().collect();
    let is_gone = |piece: &IndexPiece<'_>| match piece {
        piece if stands.contains(piece) => false,
        IndexPiece::Entry(name) => is_accepted(IndexChange::NoEntry {
            file: spelled.get(name).unwrap_or(name),
        }),
        IndexPiece::Text(text) => !is_blank(text) && is_accepted(IndexChange::NoText(text)),
    };
    let (gone, mut order): (Vec<_>, Vec<_>) = before.order.iter().cloned().partition(is_gone);

    // Step 2: what the entries say.
    let mut is_changed = !gone.is_empty();
    let gone: HashSet<IndexPiece<'_>> = gone.into_iter().collect();
    let stay = before.entries.iter();
    let stay = stay.filter(|(name, _)| !gone.contains(&IndexPiece::Entry((*name).clone())));
    let mut entries: HashMap<&str, EntryPiece> = stay
        .map(|(name, item)| (name.as_str(), item.clone()))
        .collect();
    for piece in &mine.order {
        let IndexPiece::Entry(name) = piece else {
            continue;
        };
        let Some(item) = mine.entries.get(name) else {
            continue;
        };
        let is_old = entries
            .get(name.as_str())
            .is_some_and(|old| (&old.parts, &old.below) == (&item.parts, &item.below));
        let text = item.text();
        let change = IndexChange::Entry {
            file: spelled.get(name).unwrap_or(name),
            text: &text,
        };
        if !is_old && is_accepted(change) {
            entries.insert(name, item.clone());
            is_changed = true;
        }
    }

    // Step 3: new pieces in their places.
    let mut next = 0;
    let mut blanks: Vec<&IndexPiece<'_>> = Vec::new();
    for piece in &mine.order {
        if matches!(piece, IndexPiece::Text(text) if is_blank(text)) {
            blanks.push(piece);
            continue;
        }
        let ahead = order[next..].iter().position(|one| one == piece);
        let at = ahead.map(|at| next + at);
        let at = at.or_else(|| order.iter().position(|one| one == piece));
        let is_new = match piece {
            _ if at.is_some() => false,
            IndexPiece::Entry(name) => entries.contains_key(name.as_str()),
            IndexPiece::Text(text) => is_accepted(IndexChange::Text(text)),
        };
        if is_new {
            let is_set_off =
                |one: &&IndexPiece<'_>| matches!(one, IndexPiece::Text(text) if is_blank(text));
            if let Some(blank) = blanks.first().filter(|_| next > 0) {
                match order[next..].iter().take_while(is_set_off).count() {
                    0 => {
                        order.insert(next, (*blank).clone());
                        next += 1;
                    }
                    count => next += count,
                }
            }
            order.insert(next, piece.clone());
            next += 1;
            is_changed = true;
        } else if let Some(at) = at {
            next = at + 1;
        } else {
            // The blank lines above a piece that is left out stand above the next one.
            continue;
        }
        blanks.clear();
    }
    if !is_changed {
        let bytes = base.to_vec();
        return IndexSelection { bytes, is_whole };
    }
    let bytes = rendered(&order, &entries, ours);
    match holds(&bytes, &files, &entries) {
        true => IndexSelection { bytes, is_whole },
        // Without the lines around it an open code block hides an entry.
        false => IndexSelection {
            bytes: base.to_vec(),
            is_whole: false,
        },
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

/// The files by the names that pieces have, as the newest index spells them.
fn spelled(indexes: &[MemoryIndex<'_>], files: &FileNames) -> HashMap<String, String> {
    let entries = indexes.iter().flat_map(MemoryIndex::entries);
    let entries = entries.map(|(_, entry)| (files.name(entry), entry.file().to_owned()));
    entries.collect()
}

/// The content of one version of an index, to find out which version made a change.
#[derive(Clone, Debug)]
pub struct IndexContents {
    /// The lines of each entry, by its file.
    entries: HashMap<String, Vec<u8>>,
    /// The hooks and the lines below of all entries.
    hooks: Vec<(Vec<u8>, Vec<u8>)>,
    texts: HashSet<Vec<u8>>,
    names: FileNames,
}

impl IndexContents {
    /// Reads a version.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let index = [MemoryIndex::parse(bytes)];
        let names = FileNames::from_indexes(&index);
        let side = IndexSide::from_index(&index[0], &names);
        let texts = side.order.iter().filter_map(|piece| match piece {
            IndexPiece::Text(text) => Some(text.trim_ascii_end().to_vec()),
            IndexPiece::Entry(_) => None,
        });
        let items = side.entries.iter();
        Self {
            entries: items
                .clone()
                .map(|(name, item)| (name.clone(), item.text()))
                .collect(),
            hooks: items.map(|(_, item)| (item.hook(), item.text())).collect(),
            texts: texts.collect(),
            names,
        }
    }

    /// Whether the version is as the change makes it.
    pub fn has(&self, change: IndexChange<'_>) -> bool {
        match change {
            IndexChange::Entry { file, text } => self.entry(file) == Some(text),
            IndexChange::NoEntry { file } => self.entry(file).is_none(),
            IndexChange::Text(text) => self.texts.contains(text.trim_ascii_end()),
            IndexChange::NoText(text) => !self.texts.contains(text.trim_ascii_end()),
        }
    }

    /// The lines of an entry that has the same hook and the same text below as these lines, under another title or for
    /// another file: what a rename makes of an entry.
    pub fn renamed<'c>(&'c self, text: &[u8]) -> Option<(&'c str, &'c [u8])> {
        let lines = [MemoryIndex::parse(text)];
        let names = FileNames::from_indexes(&lines);
        let side = IndexSide::from_index(&lines[0], &names);
        let hook = side.entries.values().next()?.hook();
        let (_, old) = self.hooks.iter().find(|(one, _)| *one == hook)?;
        let mut entries = self.entries.iter();
        let (name, text) = entries.find(|(_, text)| *text == old)?;
        Some((name, text))
    }

    fn entry(&self, file: &str) -> Option<&[u8]> {
        let text = self.entries.get(&self.names.of_file(file))?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &str) -> String {
        let line = |c: char| format!("- [{c}]({c}.md) — about {c}\n");
        names.chars().map(line).collect()
    }

    /// Accepts the changes of the files whose names are in `names`, and the other lines that contain one of them.
    fn only(names: &str) -> impl Fn(IndexChange<'_>) -> bool {
        let names = names.to_owned();
        move |change| match change {
            IndexChange::Entry { file, .. } | IndexChange::NoEntry { file } => {
                names.contains(file.trim_end_matches(".md"))
            }
            IndexChange::Text(text) | IndexChange::NoText(text) => {
                let text = String::from_utf8_lossy(text);
                names.contains(text.trim())
            }
        }
    }

    fn selected(base: &str, ours: &str, names: &str) -> (String, bool) {
        let made = select(base.as_bytes(), ours.as_bytes(), only(names));
        (String::from_utf8(made.bytes).unwrap(), made.is_whole)
    }

    #[test]
    fn what_is_accepted_goes_and_the_rest_is_as_before() {
        let is = |base: &str, ours: &str, names: &str, want: &str| {
            let (base, ours) = (entries(base), entries(ours));
            let (made, _) = selected(&base, &ours, names);
            assert_eq!(made, entries(want), "{base}{ours}");
            // It is in step afterwards.
            assert_eq!(selected(&made, &ours, names).0, made);
        };
        is("", "xy", "y", "y");
        is("ab", "axb", "x", "axb");
        is("ab", "axyb", "y", "ayb");
        is("ab", "xab", "x", "xab");
        is("abc", "b", "a", "bc");
        is("abc", "", "", "abc");
        is("abc", "", "abc", "");
        is("ab", "ba", "ab", "ab");
        assert!(!selected(&entries("ab"), &entries("abx"), "").1);
        assert!(selected(&entries("ab"), &entries("abx"), "x").1);
    }

    #[test]
    fn other_lines_and_changed_entries_are_asked_about_too() {
        let base = format!("# One\n\n{}", entries("ab"));
        let ours = format!(
            "# One\n\nTwo\n\n{}- [b](b.md) — worse\n\nThree\n",
            entries("xa")
        );
        let (text, is_whole) = selected(&base, &ours, "x Three");
        assert_eq!(text, format!("# One\n\n{}\nThree\n", entries("xab")));
        assert!(!is_whole);
        let (text, is_whole) = selected(&base, &ours, "x Three b Two");
        assert_eq!((text, is_whole), (ours, true));
    }

    #[test]
    fn a_code_block_without_its_end_hides_no_entry() {
        let base = entries("a");
        let ours = format!("```\ncode\n```\n{}", entries("ax"));
        assert_eq!(selected(&base, &ours, "x").0, entries("ax"));
        let ours = format!("{}```\n{}", entries("ax"), entries("y"));
        assert_eq!(selected(&base, &ours, "x").0, entries("ax"));
    }

    #[test]
    fn a_version_has_what_a_change_makes() {
        let contents =
            IndexContents::from_bytes(format!("# One\n{}  below\n", entries("ab")).as_bytes());
        let has = |change| contents.has(change);
        let text = entries("a");
        let entry = |text| IndexChange::Entry { file: "a.md", text };
        assert!(has(entry(text.trim_end().as_bytes())));
        assert!(!has(entry(b"- [a](a.md)")));
        assert!(has(IndexChange::NoEntry { file: "c.md" }));
        assert!(!has(IndexChange::NoEntry { file: "b.md" }));
        assert!(has(IndexChange::Text(b"# One\n")) && !has(IndexChange::NoText(b"# One")));
        let renamed = contents.renamed("- [z](z.md) — about a".as_bytes());
        assert_eq!(renamed, Some(("a.md", text.trim_end().as_bytes())));
    }
}
