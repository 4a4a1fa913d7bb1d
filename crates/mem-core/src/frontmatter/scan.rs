//! Lays the lines of a frontmatter out as entries, whether or not they are valid YAML.

use std::borrow::Cow;
use std::ops::Range;

use super::entry::{YamlEntry, YamlLine, YamlShape};
use super::field::{FieldLevel, FrontmatterField};
use super::scalar::{is_space, quoted_end, trim_end, unquote};
use super::split::line_end;
use super::value_range::{Extent, extent_of};

/// The line of the file on which a frontmatter's first line stands.
pub(crate) const FIRST_LINE: usize = 2;

/// A frontmatter as lines and entries.
pub(crate) struct FrontmatterScan<'a> {
    pub(crate) lines: Vec<YamlLine>,
    /// In the order of the file; the children of `metadata` follow it.
    pub(crate) entries: Vec<YamlEntry<'a>>,
    /// Lines that belong to no entry, as indexes.
    pub(crate) strays: Vec<usize>,
}

impl<'a> FrontmatterScan<'a> {
    /// The first entry of a key at a level.
    pub(crate) fn find(&self, level: FieldLevel, key: &str) -> Option<&YamlEntry<'a>> {
        self.entries
            .iter()
            .find(|entry| entry.level == level && entry.key == key)
    }

    /// The `metadata` entry.
    pub(crate) fn metadata(&self) -> Option<&YamlEntry<'a>> {
        self.find(FieldLevel::Top, "metadata")
    }
}

/// Scans the bytes of a range that [`split`](super::split()) found.
pub(crate) fn scan(bytes: &[u8], yaml: Range<usize>) -> FrontmatterScan<'_> {
    let mut found = FrontmatterScan {
        lines: lines_of(bytes, yaml),
        entries: Vec::with_capacity(8),
        strays: Vec::new(),
    };
    let all = 0..found.lines.len();
    scan_block(bytes, all, FieldLevel::Top, &mut found);
    found
}

fn lines_of(bytes: &[u8], yaml: Range<usize>) -> Vec<YamlLine> {
    let mut lines = Vec::with_capacity(12);
    let mut start = yaml.start;
    while start < yaml.end {
        let next = line_end(bytes, start);
        let mut end = next;
        if bytes[start..end].ends_with(b"\n") {
            end -= 1;
        }
        if bytes[start..end].ends_with(b"\r") {
            end -= 1;
        }
        let indent = bytes[start..end]
            .iter()
            .take_while(|&&byte| is_space(byte))
            .count();
        lines.push(YamlLine {
            start,
            end,
            next,
            indent,
        });
        start = next;
    }
    lines
}

/// Scans the lines of one mapping. Its keys stand at the indentation of the first; a broken file
/// may go on further to the left.
fn scan_block<'a>(
    bytes: &'a [u8],
    range: Range<usize>,
    level: FieldLevel,
    found: &mut FrontmatterScan<'a>,
) {
    let mut base = usize::MAX;
    let mut at = range.start;
    while at < range.end {
        let line = found.lines[at];
        if line.is_blank() || line.is_comment(bytes) {
            at += 1;
            continue;
        }
        let key = (base == usize::MAX || line.indent <= base)
            .then(|| key_of(bytes, &line))
            .flatten();
        let Some((key, colon)) = key else {
            found.strays.push(at);
            at += 1;
            continue;
        };
        base = line.indent;
        let extent = extent_of(bytes, &found.lines[..range.end], at, colon);
        at = extent.end_line;
        push_entry(bytes, level, key, colon, extent, found);
    }
}

/// Adds an entry, and the children of `metadata` behind it.
fn push_entry<'a>(
    bytes: &'a [u8],
    level: FieldLevel,
    key: Cow<'a, str>,
    colon: usize,
    extent: Extent,
    found: &mut FrontmatterScan<'a>,
) {
    let lines = extent.first_line..extent.end_line;
    let children =
        (level == FieldLevel::Top && key == "metadata" && extent.shape == YamlShape::Map)
            .then(|| lines.start + 1..lines.end);
    found.entries.push(YamlEntry {
        level,
        key,
        line: FIRST_LINE + lines.start,
        span: found.lines[lines.start].start..found.lines[lines.end - 1].next,
        lines,
        colon,
        value: extent.value,
        shape: extent.shape,
    });
    if let Some(children) = children {
        scan_block(bytes, children, FieldLevel::Metadata, found);
    }
}

/// The key of a line and the offset just after its colon.
fn key_of<'a>(bytes: &'a [u8], line: &YamlLine) -> Option<(Cow<'a, str>, usize)> {
    let text = line.text(bytes);
    let start = line.start + line.indent;
    match text.first()? {
        b'"' | b'\'' => {
            let end = quoted_end(text)?;
            let gap = text[end..].iter().take_while(|&&b| is_space(b)).count();
            let colon = end + gap;
            (text.get(colon) == Some(&b':') && ends_a_key(text, colon))
                .then(|| (Cow::Owned(unquote(&text[..end])), start + colon + 1))
        }
        b'[' | b'{' | b'#' => None,
        _ if line.is_item(bytes) || text.starts_with(b"? ") => None,
        _ => plain_key(text).map(|(key, colon)| (String::from_utf8_lossy(key), start + colon)),
    }
}

/// A plain key: up to the first colon that a blank follows. Models also write `type:user`, which
/// counts where the word is one that we know.
fn plain_key(text: &[u8]) -> Option<(&[u8], usize)> {
    let colon = (0..text.len()).find(|&at| text[at] == b':' && ends_a_key(text, at));
    if let Some(at) = colon {
        let key = trim_end(&text[..at]);
        return (!key.is_empty()).then_some((key, at + 1));
    }
    let at = text.iter().position(|&byte| byte == b':')?;
    let key = std::str::from_utf8(&text[..at]).ok()?;
    FrontmatterField::of_key(key).map(|_| (&text[..at], at + 1))
}

fn ends_a_key(text: &[u8], colon: usize) -> bool {
    text.get(colon + 1).is_none_or(|&byte| is_space(byte))
}
