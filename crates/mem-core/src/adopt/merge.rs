//! Uniting two indexes, or two logs of one day: nothing of either is lost, nothing stands twice.
//!
//! A file is taken apart into blocks (a list item with what is indented below it, a paragraph, a
//! code block) under their headings. Blocks that the other file lacks are added under the
//! heading of the same name, or with their heading at the end.

use std::collections::HashSet;

use super::line_ending;
use super::plan::{Adopted, is_link_target_moved};
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::index::{self, LineKind, MemoryIndex};
use crate::notes::is_index;

/// The index of the source with the links to renamed files pointing to their new names.
pub(super) fn retarget_links(bytes: &[u8], folder: Option<&str>, all: &[Adopted]) -> Vec<u8> {
    let prefix = folder
        .map(|folder| format!("{folder}/"))
        .unwrap_or_default();
    let inside = |path: &MemoryPath| {
        path.as_str()
            .strip_prefix(&prefix)
            .and_then(|file| MemoryPath::parse(file).ok())
    };
    let mut bytes = bytes.to_vec();
    for adopted in all.iter().filter(|one| !is_index(&one.path)) {
        if adopted.target_path() != &adopted.path
            && is_link_target_moved(adopted)
            && let (Some(from), Some(to)) = (inside(&adopted.path), inside(adopted.target_path()))
        {
            bytes = index::rename(&bytes, &from, &to);
        }
    }
    bytes
}

/// A run of lines that belong together.
struct TextBlock<'a> {
    lines: Vec<&'a [u8]>,
    /// The file that it points to, for an entry of an index.
    file: Option<String>,
    is_item: bool,
}

/// The blocks under one heading.
struct HeadingSection<'a> {
    /// The heading's line; none for the part under the title, or under no heading.
    heading: Option<&'a [u8]>,
    blocks: Vec<TextBlock<'a>>,
    /// Just after its last line that is not blank; 0 where there is none.
    end: usize,
}

/// `ours` with the blocks of `theirs` that it does not have.
pub(crate) fn unite_files(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let (our_sections, our_lines) = (split_sections(ours), trimmed_lines(ours));
    let has = |block: &TextBlock<'_>| {
        let points = |one: &TextBlock<'_>| block.file.is_some() && one.file == block.file;
        our_sections
            .iter()
            .any(|section| section.blocks.iter().any(points))
            || stands_in(&our_lines, &block.lines)
    };
    let eol = line_ending(ours).as_bytes();
    let mut additions: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut added: HashSet<String> = HashSet::new();
    for section in split_sections(theirs) {
        // Of several entries for a file the first is added.
        let mut is_new = |one: &&TextBlock<'_>| match &one.file {
            _ if has(one) => false,
            Some(file) => added.insert(file.clone()),
            None => true,
        };
        let fresh: Vec<&TextBlock<'_>> = section.blocks.iter().filter(&mut is_new).collect();
        if fresh.is_empty() {
            continue;
        }
        let home = our_sections
            .iter()
            .find(|one| one.heading == section.heading && one.end > 0);
        let mut text = Vec::new();
        let mut after_item = home.is_some_and(|home| home.blocks.last().is_some_and(is_item));
        if let (None, Some(heading)) = (home, section.heading) {
            push_lines(&mut text, &[b"", heading], eol);
        }
        for block in fresh {
            if !(after_item && block.is_item) {
                push_lines(&mut text, &[b""], eol);
            }
            push_lines(&mut text, &block.lines, eol);
            after_item = block.is_item;
        }
        additions.push((home.map_or(ours.len(), |home| home.end), text));
    }
    insert_blocks(ours, additions, eol)
}

fn is_item(block: &TextBlock<'_>) -> bool {
    block.is_item
}

/// Puts the additions into place; those for one place stay in their order.
fn insert_blocks(ours: &[u8], mut additions: Vec<(usize, Vec<u8>)>, eol: &[u8]) -> Vec<u8> {
    additions.compact_sort_by_key(|(at, _)| *at);
    let mut united = Vec::with_capacity(ours.len() + 64);
    let mut done = 0;
    for (at, text) in additions {
        united.extend_from_slice(&ours[done..at]);
        done = at;
        if united.last().is_some_and(|&last| last != b'\n') {
            united.extend_from_slice(eol);
        }
        // No blank line on top of a file, and no second one where there is one.
        let is_parted = united.is_empty() || united.ends_with(b"\n\n");
        let text = match text.strip_prefix(eol) {
            Some(rest) if is_parted => rest,
            _ => &text,
        };
        united.extend_from_slice(text);
    }
    let rest = &ours[done..];
    united.extend_from_slice(rest);
    united
}

fn push_lines(text: &mut Vec<u8>, lines: &[&[u8]], eol: &[u8]) {
    for line in lines {
        text.extend_from_slice(line);
        text.extend_from_slice(eol);
    }
}

/// All lines without what is blank at their ends.
fn trimmed_lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end)
        .collect()
}

fn stands_in(lines: &[&[u8]], block: &[&[u8]]) -> bool {
    block.is_empty() || lines.windows(block.len()).any(|window| window == block)
}

/// Takes a file apart.
fn split_sections(bytes: &[u8]) -> Vec<HeadingSection<'_>> {
    let index = MemoryIndex::parse(bytes);
    let empty = |heading| HeadingSection {
        heading,
        blocks: Vec::new(),
        end: 0,
    };
    let mut found = vec![empty(None)];
    let mut before: Option<&LineKind> = None;
    for line in index.lines() {
        let content = index.content(line).trim_ascii_end();
        let is_title = found.len() == 1 && content.starts_with(b"# ");
        match &line.kind {
            LineKind::Blank => {}
            // The title: whatever it says, what is below it is the same part of the file.
            LineKind::Heading if is_title && found[0].blocks.is_empty() => {}
            LineKind::Heading => found.push(empty(Some(content))),
            LineKind::Hidden if before.is_none() && content.starts_with(b"---") => continue,
            kind => {
                if let Some(section) = found.last_mut() {
                    section.add_line(content, kind, before);
                }
            }
        }
        if let Some(section) = found.last_mut()
            && line.kind != LineKind::Blank
        {
            section.end = line.next;
        }
        before = Some(&line.kind);
    }
    found
}

impl<'a> HeadingSection<'a> {
    /// Adds a line to the last block, or begins one with it.
    fn add_line(&mut self, content: &'a [u8], kind: &LineKind, before: Option<&LineKind>) {
        let file = match kind {
            LineKind::Entry(entry) => Some(entry.file().to_owned()),
            _ => None,
        };
        let is_bullet =
            *kind == LineKind::Text && (content.starts_with(b"- ") || content.starts_with(b"* "));
        let is_item = file.is_some() || is_bullet;
        let is_deeper = content.first().is_some_and(u8::is_ascii_whitespace);
        let goes_on = match (before, self.blocks.last()) {
            (Some(LineKind::Entry(_)), Some(_)) => *kind == LineKind::Text && is_deeper,
            (Some(before), Some(last)) => {
                before == kind && !is_item && (is_deeper || !last.is_item)
            }
            _ => false,
        };
        match self.blocks.last_mut().filter(|_| goes_on) {
            Some(block) => block.lines.push(content),
            None => self.blocks.push(TextBlock {
                lines: vec![content],
                file,
                is_item,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ours: &str, theirs: &str, united: &str) {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let once = text(unite_files(ours.as_bytes(), theirs.as_bytes()));
        assert_eq!(once, united);
        assert_eq!(
            text(unite_files(once.as_bytes(), theirs.as_bytes())),
            once,
            "twice"
        );
    }

    #[test]
    fn entries_of_both_stand_once() {
        check(
            "# Index\n- [A](a.md)\n",
            "# Memory\n\n- [A](a.md)\n- [B](b.md)",
            "# Index\n- [A](a.md)\n- [B](b.md)\n",
        );
        check(
            "- [A](a.md) — new",
            "- [A](a.md) — old\n",
            "- [A](a.md) — new",
        );
        check("", "- [A](a.md)\n- [B](./a.md)\n", "- [A](a.md)\n");
        check("x", "y\n", "x\n\ny\n");
        check("", "- [A](a.md)\n", "- [A](a.md)\n");
    }

    #[test]
    fn what_is_new_goes_under_its_heading() {
        check(
            "# I\n\n## Team\n- [A](a.md)\n\n## Mine\n- [M](m.md)\n",
            "# I\n- [T](t.md)\n\n## Team\n- [B](b.md)\n\n## Else\nprose\n",
            "# I\n\n- [T](t.md)\n\n## Team\n- [A](a.md)\n- [B](b.md)\n\n## Mine\n- [M](m.md)\n\n## Else\n\nprose\n",
        );
    }

    #[test]
    fn tables_code_and_long_entries_stay_whole() {
        check(
            "| a |\n|---|\n| 1 |\n",
            "| b |\n|---|\n| 2 |\n",
            "| a |\n|---|\n| 1 |\n\n| b |\n|---|\n| 2 |\n",
        );
        check(
            "# 2026-01-01\n\n- 10:00 one\n  same\n",
            "# 2026-01-01\n\n- 11:00 two\n  same\n",
            "# 2026-01-01\n\n- 10:00 one\n  same\n- 11:00 two\n  same\n",
        );
        check(
            "```\nx\n```\n",
            "```\ny\n```\n",
            "```\nx\n```\n\n```\ny\n```\n",
        );
        check("open\n```\n", "- [A](a.md)\n", "open\n```\n\n- [A](a.md)\n");
    }
}
