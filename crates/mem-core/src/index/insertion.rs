//! Where new lines go, and how lines are put in and taken out.

use std::collections::BTreeMap;
use std::ops::Range;

use super::MemoryIndex;
use super::line::LineKind;
use super::pointer::NewIndexEntry;
use crate::frontmatter::{Eol, split};

/// A place for new lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InsertionPoint {
    /// Above everything that is loaded.
    Top,
    /// Below a line, by its index.
    Below(usize),
    /// Below everything, set off by a blank line.
    End,
}

/// The place of a new pointer: below the last entry of the section that is named after its type,
/// else below the last entry of all that is not pinned, else at the end; never where it would be pinned.
pub(super) fn spot_for(index: &MemoryIndex<'_>, pointer: &NewIndexEntry<'_>) -> InsertionPoint {
    let section = pointer
        .kind
        .and_then(|kind| section_of(index, kind.as_str()));
    let in_section =
        section.and_then(|lines| last_entry(index, lines.clone()).or(Some(lines.start)));
    let pinning = index.pinned_sections();
    let is_free = |at: &usize| !pinning.iter().any(|lines| lines.contains(at));
    let last_free = || {
        (0..index.lines.len())
            .rev()
            .filter(is_free)
            .find(|at| is_entry(index, *at))
    };
    match in_section.or_else(last_free) {
        Some(at) => InsertionPoint::Below(index.item_end(at) - 1),
        None if !pinning.is_empty() => match pinning[0].start {
            0 => InsertionPoint::Top,
            start => InsertionPoint::Below(start - 1),
        },
        None if index.ends_in_code => InsertionPoint::Top,
        None => InsertionPoint::End,
    }
}

/// The lines of the section whose heading starts with a word, its plural included; the heading is
/// the first of them.
fn section_of(index: &MemoryIndex<'_>, word: &str) -> Option<Range<usize>> {
    let heading = |at: &usize| index.lines[*at].kind == LineKind::Heading;
    let named = |at: &usize| {
        let text = String::from_utf8_lossy(index.content(&index.lines[*at])).to_lowercase();
        let first = text
            .split(|c: char| !c.is_alphanumeric())
            .find(|part| !part.is_empty())
            .unwrap_or_default();
        first.trim_end_matches('s') == word.trim_end_matches('s')
    };
    let start = (0..index.lines.len()).filter(heading).find(named)?;
    let end = (start + 1..index.lines.len()).find(heading);
    Some(start..end.unwrap_or(index.lines.len()))
}

fn last_entry(index: &MemoryIndex<'_>, lines: Range<usize>) -> Option<usize> {
    lines.rev().find(|&at| is_entry(index, at))
}

fn is_entry(index: &MemoryIndex<'_>, at: usize) -> bool {
    matches!(index.lines[at].kind, LineKind::Entry(_))
}

/// The index with new lines in their places and some lines taken out.
pub(super) fn rebuilt(
    index: &MemoryIndex<'_>,
    added: &BTreeMap<InsertionPoint, Vec<String>>,
    removed: &[Range<usize>],
) -> Vec<u8> {
    let bytes = index.bytes;
    let eol = Eol::from_bytes(bytes).as_str();
    let top = index
        .lines
        .iter()
        .position(|line| line.kind != LineKind::Hidden);
    let mut gone = vec![false; index.lines.len()];
    for lines in removed {
        gone[lines.clone()].fill(true);
    }
    let mut out = bytes[..index.bom].to_vec();
    for (at, line) in index.lines.iter().enumerate() {
        if top == Some(at) {
            push_lines(&mut out, added.get(&InsertionPoint::Top), eol);
            if added.contains_key(&InsertionPoint::Top) {
                set_off(index, at, &mut out, eol);
            }
        }
        if !gone[at] {
            out.extend_from_slice(&bytes[line.start..line.next]);
        }
        if let Some(lines) = added.get(&InsertionPoint::Below(at)) {
            let open = !out.is_empty() && !out.ends_with(b"\n");
            if open {
                out.extend_from_slice(eol.as_bytes());
            }
            push_lines(&mut out, Some(lines), eol);
            if open {
                out.truncate(out.len() - eol.len());
            }
            set_off(index, at + 1, &mut out, eol);
        }
    }
    push_end(index, &mut out, added.get(&InsertionPoint::End), eol);
    if split(&out).yaml.is_some() && split(bytes).yaml.is_none() {
        // A thematic break that came to stand on the first line is no frontmatter.
        out.splice(index.bom..index.bom, eol.bytes());
    }
    out
}

/// A blank line above indented text, which would else belong to the new entry.
fn set_off(index: &MemoryIndex<'_>, at: usize, out: &mut Vec<u8>, eol: &str) {
    let joins = index.lines.get(at).is_some_and(|line| {
        line.kind == LineKind::Text && matches!(index.content(line).first(), Some(b' ' | b'\t'))
    });
    if joins {
        out.extend_from_slice(eol.as_bytes());
    }
}

fn push_lines(out: &mut Vec<u8>, lines: Option<&Vec<String>>, eol: &str) {
    for line in lines.into_iter().flatten() {
        out.extend_from_slice(line.as_bytes());
        out.extend_from_slice(eol.as_bytes());
    }
}

fn push_end(index: &MemoryIndex<'_>, out: &mut Vec<u8>, lines: Option<&Vec<String>>, eol: &str) {
    let Some(lines) = lines else {
        return;
    };
    let open = out.len() > index.bom && !out.ends_with(b"\n");
    if open {
        out.extend_from_slice(eol.as_bytes());
    }
    if index
        .lines
        .last()
        .is_some_and(|line| line.kind != LineKind::Blank)
    {
        out.extend_from_slice(eol.as_bytes());
    }
    push_lines(out, Some(lines), eol);
    if open {
        out.truncate(out.len() - eol.len());
    }
}
