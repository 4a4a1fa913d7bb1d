//! The lines of an index, told apart without losing any.

use std::ops::Range;

use super::entry::{IndexEntry, entry_of};
use super::fence::Fence;
use crate::frontmatter::split;

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A pointer.
    Entry(IndexEntry),
    /// `# ...`.
    Heading,
    /// Nothing, or white space.
    Blank,
    /// Part of a fenced code block.
    Code,
    /// Frontmatter, or a comment block: not loaded and not counted.
    Hidden,
    /// Prose, a table, anything else.
    Text,
}

/// One line; offsets are those of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexLine {
    /// Where it starts.
    pub start: usize,
    /// Where its content ends, before the line ending.
    pub end: usize,
    /// Where the next line starts.
    pub next: usize,
    /// What it is.
    pub kind: LineKind,
}

/// An index, as lines. Borrowed: nothing of it is ever rewritten whole.
#[derive(Clone, Debug)]
pub struct MemoryIndex<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) lines: Vec<IndexLine>,
    /// The length of the byte order mark.
    pub(super) bom: usize,
    /// Whether the file ends inside a code block.
    pub(super) ends_in_code: bool,
    /// A comment that is never closed; it is loaded as text.
    pub(super) open_comment: Option<usize>,
    /// Comments that start before this offset end in a line with text behind.
    shown_until: usize,
}

impl<'a> MemoryIndex<'a> {
    /// Tells the lines of a file apart. Never fails.
    pub fn parse(bytes: &'a [u8]) -> Self {
        let parts = split(bytes);
        let front = parts.yaml.as_ref().map_or(parts.bom, |_| parts.body.start);
        let mut index = Self {
            bytes,
            lines: Vec::new(),
            bom: parts.bom,
            ends_in_code: false,
            open_comment: None,
            shown_until: 0,
        };
        for (start, end, next) in lines_of(bytes, parts.bom) {
            let kind = if start < front {
                LineKind::Hidden
            } else {
                LineKind::Text
            };
            index.lines.push(IndexLine {
                start,
                end,
                next,
                kind,
            });
        }
        index.tell_apart(front);
        index
    }

    /// All lines, in order.
    pub fn lines(&self) -> &[IndexLine] {
        &self.lines
    }

    /// All entries, with their line numbers from 1.
    pub fn entries(&self) -> impl Iterator<Item = (usize, &IndexEntry)> {
        self.lines
            .iter()
            .enumerate()
            .filter_map(|(at, line)| match &line.kind {
                LineKind::Entry(entry) => Some((at + 1, entry)),
                _ => None,
            })
    }

    /// The bytes of a line's content.
    pub fn content(&self, line: &IndexLine) -> &'a [u8] {
        &self.bytes[line.start..line.end]
    }

    /// The line after the last that belongs to the list item on line `at`: deeper text below it.
    pub(super) fn item_end(&self, at: usize) -> usize {
        let depth = indent(self.content(&self.lines[at]));
        let belongs =
            |line: &&IndexLine| line.kind == LineKind::Text && indent(self.content(line)) > depth;
        at + 1 + self.lines[at + 1..].iter().take_while(belongs).count()
    }

    fn tell_apart(&mut self, front: usize) {
        let mut fence: Option<Fence> = None;
        let mut at = self
            .lines
            .iter()
            .take_while(|line| line.start < front)
            .count();
        while at < self.lines.len() {
            let range = self.lines[at].start..self.lines[at].end;
            let text = &self.bytes[range.clone()];
            if let Some(open) = fence {
                self.lines[at].kind = LineKind::Code;
                if open.is_closed_by(text) {
                    fence = None;
                }
            } else if let Some(open) = Fence::from_text(text) {
                self.lines[at].kind = LineKind::Code;
                fence = Some(open);
            } else if let Some(end) = self.comment_end(at) {
                for line in &mut self.lines[at..end] {
                    line.kind = LineKind::Hidden;
                }
                at = end;
                continue;
            } else {
                self.lines[at].kind = self.plain_kind(range);
            }
            at += 1;
        }
        self.ends_in_code = fence.is_some();
    }

    fn plain_kind(&self, range: Range<usize>) -> LineKind {
        let text = &self.bytes[range.clone()];
        if text.trim_ascii().is_empty() {
            return LineKind::Blank;
        }
        let hashes = text.iter().take_while(|&&byte| byte == b'#').count();
        if (1..=6).contains(&hashes) && text.get(hashes).is_none_or(|&byte| byte == b' ') {
            return LineKind::Heading;
        }
        entry_of(self.bytes, range).map_or(LineKind::Text, LineKind::Entry)
    }

    /// The line after a comment block that starts on line `at`. One with text behind its end
    /// stays visible, and so does one that is never closed.
    fn comment_end(&mut self, at: usize) -> Option<usize> {
        let text = self.content(&self.lines[at]);
        let indent = text.iter().take_while(|&&byte| byte == b' ').count();
        if indent > 3 || !text[indent..].starts_with(b"<!--") || self.open_comment.is_some() {
            return None;
        }
        let from = self.lines[at].start + indent + "<!--".len();
        if from < self.shown_until {
            return None;
        }
        let Some(found) = self.bytes[from..].windows(3).position(|w| w == b"-->") else {
            self.open_comment = Some(at + 1);
            return None;
        };
        let close = from + found + "-->".len();
        let last = at + self.lines[at..].iter().position(|line| close <= line.end)?;
        let rest = &self.bytes[close..self.lines[last].end];
        if rest.trim_ascii().is_empty() {
            return Some(last + 1);
        }
        self.shown_until = close;
        None
    }
}

/// Start, end of content and start of the next, for each line from an offset on.
fn lines_of(bytes: &[u8], from: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let mut start = from;
    std::iter::from_fn(move || {
        if start >= bytes.len() {
            return None;
        }
        let rest = &bytes[start..];
        let feed = rest.iter().position(|&byte| byte == b'\n');
        let next = feed.map_or(bytes.len(), |at| start + at + 1);
        let mut end = feed.map_or(bytes.len(), |at| start + at);
        if end > start && feed.is_some() && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        let line = (start, end, next);
        start = next;
        Some(line)
    })
}

fn indent(text: &[u8]) -> usize {
    text.iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}
