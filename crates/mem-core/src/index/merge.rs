//! Three-way merges of indexes, in which a file has one entry by construction.
//!
//! A merge by lines keeps two entries where both sides wrote one for the same file in other words. So an
//! index is taken apart into pieces: an entry with the deeper text below it, a block of code or of what is
//! not loaded, and every other line. An entry is known by its file, everything else by its bytes:
//!
//! 1. What each file's entry says is merged part by part: bullet, title, target, hook, text below.
//! 2. The order of the pieces is merged by lines, or as a set where that conflicts.
//! 3. Each file's entry is put into the order once, and the result is read again. Where a line of the other
//!    side hides an entry (an open code block), the order and the text of `ours` stand with the merged entries.
//!
//! It never conflicts, since an index is derived: an entry too many is repaired, while a conflict would stop the memory it
//! belongs to. **Cost:** parses of three indexes and one of the result; the index is bounded by what a host loads.
//! Tests: `texts::index_merge::a_merge_has_one_entry_for_each_file_and_loses_none`,
//! `texts::index_merge::what_one_removed_goes_unless_the_other_changed_it`.

use std::collections::{HashMap, HashSet};

use super::line::MemoryIndex;
use super::pieces::{EntryPiece, FileNames, IndexPiece, IndexSide, indent};
use crate::compact_sort::CompactSort as _;
use crate::frontmatter::{Eol, split};
use crate::store::merge_text;

/// Merges two indexes that come from `base`. Never conflicts: where both sides changed the same part of an
/// entry, `theirs` stands. An entry that one side removed and the other changed stays. Of several
/// entries for a file in one side the last counts, one below a heading `Pinned` before others.
///
/// An index that only one side changed is returned as it is.
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    if ours == theirs || theirs == base {
        return ours.to_vec();
    }
    if ours == base {
        return theirs.to_vec();
    }
    let indexes = [base, ours, theirs].map(MemoryIndex::parse);
    let files = FileNames::from_indexes(&indexes);
    let [before, mine, other] = indexes
        .each_ref()
        .map(|index| IndexSide::from_index(index, &files));
    let names = mine.entries.keys().chain(other.entries.keys());
    let entries: HashMap<&str, EntryPiece> = names
        .filter_map(|name| {
            let of = |side: &'_ IndexSide<'_>| side.entries.get(name).cloned();
            Some((
                name.as_str(),
                merged_item(of(&before), of(&mine), of(&other))?,
            ))
        })
        .collect();
    let whole = with_entries(
        merged_order(&before, &mine, &other),
        [&mine, &other],
        &entries,
    );
    let merged = rendered(&whole, &entries, ours);
    // Proved and not argued: Markdown has too many ways in which a line changes what the next ones are.
    if holds(&merged, &files, &entries) {
        return merged;
    }
    let safe = with_entries(mine.order.clone(), [], &entries);
    let has_frontmatter = split(ours).yaml.is_some();
    rendered(
        &below_entries(safe, &entries, has_frontmatter),
        &entries,
        ours,
    )
}

/// One part of two changed ones: the changed one, and of two changes that of `theirs`.
fn pick<T: PartialEq>(base: Option<&T>, ours: T, theirs: T) -> T {
    match base == Some(&theirs) {
        true => ours,
        false => theirs,
    }
}

/// The entry of one file; `None` where one side removed it and the other left it as it was.
fn merged_item(
    base: Option<EntryPiece>,
    ours: Option<EntryPiece>,
    theirs: Option<EntryPiece>,
) -> Option<EntryPiece> {
    let is_old = |item: &EntryPiece| {
        let same = |base: &EntryPiece| (&base.parts, &base.below) == (&item.parts, &item.below);
        base.as_ref().is_some_and(same)
    };
    let (ours, theirs) = match (ours, theirs) {
        (Some(ours), Some(theirs)) => (ours, theirs),
        (ours, theirs) => return ours.or(theirs).filter(|item| !is_old(item)),
    };
    let mut parts = ours.parts;
    for (at, (part, other)) in parts.iter_mut().zip(theirs.parts).enumerate() {
        let old = base.as_ref().map(|base| &base.parts[at]);
        *part = pick(old, std::mem::take(part), other);
    }
    let old = base.map_or_else(Vec::new, |base| base.below);
    let below = match merge_text(&lines(&old), &lines(&ours.below), &lines(&theirs.below)) {
        Some(text) => text
            .split_inclusive(|&byte| byte == b'\n')
            .map(|line| line.strip_suffix(b"\n").unwrap_or(line).to_vec())
            .collect(),
        None => {
            let mut all = ours.below;
            let new = theirs.below.into_iter().filter(|line| !old.contains(line));
            let new: Vec<_> = new.filter(|line| !all.contains(line)).collect();
            all.extend(new);
            all
        }
    };
    Some(EntryPiece {
        parts,
        below,
        ending: ours.ending,
    })
}

fn lines(lines: &[Vec<u8>]) -> Vec<u8> {
    lines
        .iter()
        .flat_map(|line| [line, &b"\n"[..]].concat())
        .collect()
}

/// The order of both sides: merged by lines, one for each piece, else as a set.
fn merged_order<'a>(
    base: &IndexSide<'a>,
    ours: &IndexSide<'a>,
    theirs: &IndexSide<'a>,
) -> Vec<IndexPiece<'a>> {
    let mut numbers: HashMap<&IndexPiece<'a>, usize> = HashMap::new();
    let mut pieces: Vec<&IndexPiece<'a>> = Vec::new();
    let [before, mine, other] = [base, ours, theirs].map(|side| {
        let mut text = String::new();
        for piece in &side.order {
            let number = *numbers.entry(piece).or_insert_with(|| {
                pieces.push(piece);
                pieces.len() - 1
            });
            text.push_str(&number.to_string());
            text.push('\n');
        }
        text.into_bytes()
    });
    // Pieces are numbered and the numbers merged as lines, so that the merge of lines sees moves and additions and never
    // the words of an entry, which were merged part by part.
    let Some(merged) = merge_text(&before, &mine, &other) else {
        return united_order(&base.order, &ours.order, &theirs.order);
    };
    let merged = String::from_utf8_lossy(&merged).into_owned();
    let numbers = merged.lines().filter_map(|line| line.parse::<usize>().ok());
    numbers
        .filter_map(|number| pieces.get(number).copied().cloned())
        .collect()
}

/// Pieces as a set: what `theirs` removed goes, what it added comes in after the piece it follows there.
fn united_order<'a>(
    base: &[IndexPiece<'a>],
    ours: &[IndexPiece<'a>],
    theirs: &[IndexPiece<'a>],
) -> Vec<IndexPiece<'a>> {
    let mut merged = ours.to_vec();
    for piece in base.iter().filter(|piece| !theirs.contains(piece)) {
        if let Some(at) = merged.iter().position(|one| one == piece) {
            merged.remove(at);
        }
    }
    for (at, piece) in theirs.iter().enumerate() {
        if !base.contains(piece) && !merged.contains(piece) {
            insert(&mut merged, theirs, at);
        }
    }
    merged
}

/// Puts a piece behind the one that it follows in its side.
fn insert<'a>(order: &mut Vec<IndexPiece<'a>>, side: &[IndexPiece<'a>], at: usize) {
    let before = at.checked_sub(1).and_then(|at| side.get(at));
    let place = before.and_then(|before| order.iter().position(|one| one == before));
    order.insert(
        place.map_or(order.len(), |place| place + 1),
        side[at].clone(),
    );
}

/// The order with each merged entry once.
fn with_entries<'a, const SIDES: usize>(
    order: Vec<IndexPiece<'a>>,
    sides: [&IndexSide<'a>; SIDES],
    entries: &HashMap<&str, EntryPiece>,
) -> Vec<IndexPiece<'a>> {
    let mut seen: HashSet<String> = HashSet::new();
    let mut is_due = |piece: &IndexPiece<'_>| match piece {
        IndexPiece::Entry(name) => entries.contains_key(name.as_str()) && seen.insert(name.clone()),
        IndexPiece::Text(_) => true,
    };
    let mut order: Vec<_> = order.into_iter().filter(&mut is_due).collect();
    for side in sides {
        for (at, piece) in side.order.iter().enumerate() {
            if matches!(piece, IndexPiece::Entry(_)) && is_due(piece) {
                insert(&mut order, &side.order, at);
            }
        }
    }
    order
}

/// The order with the entries that it lacks below its last one, or on top, behind frontmatter.
fn below_entries<'a>(
    mut order: Vec<IndexPiece<'a>>,
    entries: &HashMap<&str, EntryPiece>,
    has_frontmatter: bool,
) -> Vec<IndexPiece<'a>> {
    let mut missing: Vec<IndexPiece<'a>> = entries
        .keys()
        .map(|name| IndexPiece::Entry((*name).to_owned()))
        .filter(|piece| !order.contains(piece))
        .collect();
    missing.compact_sort_by(|a, b| match (a, b) {
        (IndexPiece::Entry(a), IndexPiece::Entry(b)) => a.cmp(b),
        _ => std::cmp::Ordering::Equal,
    });
    let last = order
        .iter()
        .rposition(|piece| matches!(piece, IndexPiece::Entry(_)));
    let place = last.map_or(usize::from(has_frontmatter), |at| at + 1);
    order.splice(place..place, missing);
    order
}

/// The bytes of the pieces, with the line ending of `ours` where one is lacking.
pub(super) fn rendered(
    order: &[IndexPiece<'_>],
    entries: &HashMap<&str, EntryPiece>,
    ours: &[u8],
) -> Vec<u8> {
    let eol = Eol::from_bytes(ours).as_str().as_bytes();
    let bom = split(ours).bom;
    let mut out = ours[..bom].to_vec();
    let mut item_indent = None;
    let mut is_closed = true;
    for piece in order {
        if !is_closed {
            out.extend_from_slice(eol);
        }
        match piece {
            IndexPiece::Text(text) => {
                // Deeper text would join an entry that it did not stand below.
                let joins = |depth: usize| indent(text) > depth && !text.trim_ascii().is_empty();
                if item_indent.take().is_some_and(joins) {
                    out.extend_from_slice(eol);
                }
                out.extend_from_slice(text);
            }
            IndexPiece::Entry(name) => {
                let Some(item) = entries.get(name.as_str()) else {
                    continue;
                };
                out.extend(item.parts.iter().flatten());
                out.extend_from_slice(&item.ending);
                for line in &item.below {
                    if !out.ends_with(b"\n") {
                        out.extend_from_slice(eol);
                    }
                    out.extend_from_slice(line);
                    out.extend_from_slice(&item.ending);
                }
                item_indent = Some(item.indent());
            }
        }
        is_closed = out.ends_with(b"\n");
    }
    if split(&out).yaml.is_some() && split(ours).yaml.is_none() {
        // A thematic break that came to stand on the first line is no frontmatter.
        out.splice(bom..bom, eol.iter().copied());
    }
    out
}

/// Whether an index has exactly these entries, each once.
pub(super) fn holds(bytes: &[u8], files: &FileNames, entries: &HashMap<&str, EntryPiece>) -> bool {
    let index = MemoryIndex::parse(bytes);
    let found: Vec<String> = index
        .entries()
        .map(|(_, entry)| files.name(entry))
        .collect();
    let names: HashSet<&str> = found.iter().map(String::as_str).collect();
    found.len() == entries.len() && entries.keys().all(|name| names.contains(name))
}
