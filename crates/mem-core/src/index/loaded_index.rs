//! The index as a host loads it, cut where the host cuts it.

use super::MemoryIndex;
use super::line::LineKind;
use crate::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};

/// The text that is loaded, and what is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedIndex {
    /// What a session sees: at most [`INDEX_LINES_MAX`] lines and [`INDEX_UNITS_MAX`] units, and
    /// one more line, the warning, when something is cut.
    pub text: String,
    /// Lines loaded, the warning not counted.
    pub lines: usize,
    /// UTF-16 code units loaded, the warning not counted.
    pub units: usize,
    /// Lines that are not loaded; a line that is cut in its middle counts.
    pub cut_lines: usize,
    /// UTF-16 code units that are not loaded.
    pub cut_units: usize,
    /// The warning line, and anything else that is odd.
    pub warnings: Vec<String>,
}

/// What counts towards the cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSize {
    /// Lines.
    pub lines: usize,
    /// UTF-16 code units, line endings included.
    pub units: usize,
}

impl IndexSize {
    /// Whether something is cut.
    pub fn is_over(self) -> bool {
        self.lines > INDEX_LINES_MAX || self.units > INDEX_UNITS_MAX
    }

    /// Whether at least nine tenths of the cap are used.
    pub fn is_near(self) -> bool {
        self.lines * 10 >= INDEX_LINES_MAX * 9 || self.units * 10 >= INDEX_UNITS_MAX * 9
    }
}

/// The size of an index without its frontmatter and its comment blocks.
pub fn size(bytes: &[u8]) -> IndexSize {
    let text = visible(&MemoryIndex::parse(bytes));
    IndexSize {
        lines: text.lines().count(),
        units: units(text.trim_end_matches(['\r', '\n'])),
    }
}

/// The index as loaded: frontmatter and comment blocks left out and not counted, the first lines
/// that fit, and a line that says how much was cut. Bytes that are not UTF-8 are replaced.
pub fn load_index(bytes: &[u8]) -> LoadedIndex {
    let index = MemoryIndex::parse(bytes);
    let text = visible(&index);
    let total = text.lines().count();
    let end = cut_at(&text);
    let mut shown = text[..end].to_owned();
    let lines = shown.lines().count();
    let rest = text[end..].trim_end_matches(['\r', '\n']);
    let (cut_lines, cut_units) = if rest.is_empty() {
        (0, 0)
    } else {
        (rest.lines().count().max(total - lines), units(&text[end..]))
    };
    let mut warnings = Vec::new();
    if cut_units > 0 {
        let what = match shown.ends_with('\n') {
            true => format!(
                "the first {lines} of {total} lines are above, {cut_lines} {} ({cut_units} characters) \
                 are not",
                if cut_lines == 1 { "line" } else { "lines" }
            ),
            false => {
                format!("only the beginning of line 1 is above, {cut_units} characters are not")
            }
        };
        let warning = format!(
            "WARNING: MEMORY.md is larger than what is loaded: {what}. Keep one short line per \
             memory and move detail into the memory files."
        );
        if !shown.ends_with('\n') {
            shown.push('\n');
        }
        shown.push_str(&warning);
        shown.push('\n');
        warnings.push(warning);
    }
    if let Some(line) = index.open_comment {
        warnings.push(format!(
            "the comment on line {line} is never closed, so it is loaded"
        ));
    }
    LoadedIndex {
        units: units(&text[..end]),
        text: shown,
        lines,
        cut_lines,
        cut_units,
        warnings,
    }
}

fn visible(index: &MemoryIndex<'_>) -> String {
    let mut bytes = Vec::with_capacity(index.bytes.len());
    for line in &index.lines {
        if line.kind != LineKind::Hidden {
            bytes.extend_from_slice(&index.bytes[line.start..line.next]);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The length of a text as hosts measure it.
pub(super) fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The byte at which the last line that fits ends; within the first line only when that is over the cap by
/// itself. Line endings at the very end do not count.
fn cut_at(text: &str) -> usize {
    let (mut end, mut used) = (0, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim_end_matches(['\r', '\n']);
        if index == INDEX_LINES_MAX || used + units(content) > INDEX_UNITS_MAX {
            break;
        }
        let ending = (line.len() - content.len()).min(INDEX_UNITS_MAX - used - units(content));
        used += units(content) + ending;
        end += content.len() + ending;
    }
    if end == 0 {
        for c in text.chars() {
            used += c.len_utf16();
            if used > INDEX_UNITS_MAX {
                break;
            }
            end += c.len_utf8();
        }
    }
    end
}
