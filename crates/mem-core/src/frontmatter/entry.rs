//! One `key: value` of a frontmatter, as lines and byte ranges of the file.

use std::borrow::Cow;
use std::ops::Range;

use super::field::FieldLevel;

/// A line of the file; offsets are absolute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct YamlLine {
    pub(crate) start: usize,
    /// Where the content ends: before the line ending.
    pub(crate) end: usize,
    /// Where the next line starts.
    pub(crate) next: usize,
    /// Blanks and tabs in front.
    pub(crate) indent: usize,
}

impl YamlLine {
    /// The content behind the indentation.
    pub(crate) fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start + self.indent..self.end]
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.start + self.indent == self.end
    }

    pub(crate) fn is_comment(&self, bytes: &[u8]) -> bool {
        self.text(bytes).first() == Some(&b'#')
    }

    pub(crate) fn is_item(&self, bytes: &[u8]) -> bool {
        matches!(self.text(bytes), [b'-'] | [b'-', b' ' | b'\t', ..])
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum YamlShape {
    /// Nothing behind the colon and nothing below.
    Empty,
    /// Unquoted, on one line.
    Plain,
    /// In quotes, over one or several lines.
    Quoted,
    /// Starts with a quoted word and goes on, or a quote that is never closed.
    HalfQuoted,
    /// `[...]`.
    FlowList,
    /// `{...}`.
    FlowMap,
    /// `|` or `>`.
    Block,
    /// `- item` lines below.
    List,
    /// `key: value` lines below.
    Map,
    /// Unquoted text over several lines.
    Folded,
}

/// One entry.
#[derive(Clone, Debug)]
pub(crate) struct YamlEntry<'a> {
    pub(crate) level: FieldLevel,
    pub(crate) key: Cow<'a, str>,
    /// Line number in the file, from 1.
    pub(crate) line: usize,
    /// The lines it takes, as indexes into the lines of the block.
    pub(crate) lines: Range<usize>,
    /// The same as bytes, the last line ending included.
    pub(crate) span: Range<usize>,
    /// The offset just after the colon.
    pub(crate) colon: usize,
    /// The value: through the closing quote or bracket, else to the end without blanks (a
    /// comment behind a plain value included, since in a sentence it is no comment).
    pub(crate) value: Range<usize>,
    pub(crate) shape: YamlShape,
}

impl YamlEntry<'_> {
    pub(crate) fn is_one_line(&self) -> bool {
        self.lines.len() == 1
    }

    /// The 1-based character column of an offset on the entry's first line.
    pub(crate) fn column(&self, bytes: &[u8], at: usize) -> usize {
        let text = bytes.get(self.span.start..at).unwrap_or_default();
        String::from_utf8_lossy(text).chars().count() + 1
    }
}
