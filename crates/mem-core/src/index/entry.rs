//! One pointer of the index: `- [Title](file.md) — hook`.

use std::ops::Range;

use super::link::link_at;
use super::target::{PathSpellings, file_of, unescaped};

/// A list item that is one link and its hook. Ranges are offsets in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    pub(super) file: PathSpellings,
    pub(super) title: Range<usize>,
    pub(super) target: Range<usize>,
    /// Just after the link and the emphasis around it.
    pub(super) link_end: usize,
    /// Without the separator and the blanks around it.
    pub(super) hook: Range<usize>,
}

impl IndexEntry {
    /// The file it points to, relative to the index; it need not exist or be a valid path.
    pub fn file(&self) -> &str {
        &self.file.plain
    }

    /// Whether it points to a file, in any spelling.
    pub fn points_to(&self, path: &str) -> bool {
        self.file.is(path)
    }

    /// The title, without escapes; `bytes` are those of the index.
    pub fn title(&self, bytes: &[u8]) -> String {
        unescaped(&String::from_utf8_lossy(&bytes[self.title.clone()]))
    }

    /// The hook; `bytes` are those of the index.
    pub fn hook(&self, bytes: &[u8]) -> String {
        String::from_utf8_lossy(&bytes[self.hook.clone()]).into_owned()
    }
}

/// What stands between a link and its hook. Longer ones first.
const SEPARATORS: [&[u8]; 5] = ["—".as_bytes(), "–".as_bytes(), b"--", b"-", b":"];

/// Reads the line `bytes[line]` as an entry.
pub(super) fn entry_of(bytes: &[u8], line: Range<usize>) -> Option<IndexEntry> {
    let text = &bytes[line.clone()];
    let bullet = bullet_len(text)?;
    let emphasis = text[bullet..]
        .iter()
        .take_while(|b| is_emphasis(**b))
        .count();
    let open = bullet + emphasis;
    if text.get(open) != Some(&b'[') {
        return None;
    }
    let link = link_at(text, open)?;
    let file = file_of(&text[link.target.clone()])?;
    let closing = text[link.end..]
        .iter()
        .take_while(|b| is_emphasis(**b))
        .count();
    let link_end = link.end + closing.min(emphasis);
    let hook = hook_of(text, link_end);
    if has_another_link(&text[hook.clone()]) {
        return None;
    }
    let shift = |range: Range<usize>| line.start + range.start..line.start + range.end;
    Some(IndexEntry {
        file,
        title: shift(link.title),
        target: shift(link.target),
        link_end: line.start + link_end,
        hook: shift(hook),
    })
}

/// The length of the indentation, the bullet or number, and the blanks behind it.
fn bullet_len(text: &[u8]) -> Option<usize> {
    let indent = text
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    let digits = text[indent..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let mark = text.get(indent + digits)?;
    let is_mark = match digits {
        0 => matches!(mark, b'-' | b'*' | b'+'),
        _ => matches!(mark, b'.' | b')'),
    };
    let from = indent + digits + 1;
    let gap = text[from..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    (is_mark && gap > 0).then_some(from + gap)
}

fn is_emphasis(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'~')
}

fn hook_of(text: &[u8], from: usize) -> Range<usize> {
    let end = text.trim_ascii_end().len().max(from);
    let skip = |at: usize| {
        at + text[at..end]
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count()
    };
    let start = skip(from);
    let separator = SEPARATORS
        .into_iter()
        .find(|separator| text[start..end].starts_with(separator))
        .map_or(0, <[u8]>::len);
    skip(start + separator)..end
}

/// Whether a hook holds a link to a file: then the line speaks of several and is no plain entry.
fn has_another_link(hook: &[u8]) -> bool {
    (0..hook.len())
        .filter(|&at| hook[at] == b'[')
        .filter_map(|at| link_at(hook, at))
        .any(|link| file_of(&hook[link.target]).is_some())
}
