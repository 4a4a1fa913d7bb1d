//! Where the frontmatter of a file starts and ends.

use std::ops::Range;

use crate::limits::FRONTMATTER_BYTES_MAX;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The line ending of a file, as its first line shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Eol {
    /// `\n`.
    #[default]
    Lf,
    /// `\r\n`.
    CrLf,
}

impl Eol {
    /// The bytes as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// The ending of the first line of `bytes`; `\n` when there is none.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        match bytes.iter().position(|&byte| byte == b'\n') {
            Some(at) if at > 0 && bytes[at - 1] == b'\r' => Self::CrLf,
            _ => Self::Lf,
        }
    }
}

/// The parts of a file, as byte ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The length of the byte order mark: 0 or 3.
    pub bom: usize,
    /// The lines between the fences, the fences themselves left out.
    pub yaml: Option<Range<usize>>,
    /// Everything after the closing fence; without frontmatter everything after the mark.
    pub body: Range<usize>,
    /// There is an opening fence and no closing one within [`FRONTMATTER_BYTES_MAX`].
    pub unterminated: bool,
}

/// Finds the frontmatter of a file. Never fails; looks at the body only for its length.
///
/// A fence is a line of three dashes, with nothing but blanks after them. The closing one must
/// come within [`FRONTMATTER_BYTES_MAX`].
pub fn split(bytes: &[u8]) -> Split {
    let bom = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let without = |unterminated| Split {
        bom,
        yaml: None,
        body: bom..bytes.len(),
        unterminated,
    };
    let first = line_end(bytes, bom);
    if !is_fence(&bytes[bom..first]) {
        return without(false);
    }
    let mut at = first;
    while at < bytes.len() && at - first <= FRONTMATTER_BYTES_MAX {
        let next = line_end(bytes, at);
        if is_fence(&bytes[at..next]) {
            return Split {
                bom,
                yaml: Some(first..at),
                body: next..bytes.len(),
                unterminated: false,
            };
        }
        at = next;
    }
    without(opens_with_a_key(&bytes[first..]))
}

/// The offset just after the line that starts at `at`, its ending included.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .position(|&byte| byte == b'\n')
        .map_or(bytes.len(), |found| at + found + 1)
}

fn is_fence(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| {
        rest.iter()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
    })
}

/// Tells a forgotten closing fence from a body that starts with a thematic break.
fn opens_with_a_key(rest: &[u8]) -> bool {
    let line = &rest[..line_end(rest, 0)];
    let key = line
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    key > 0 && line.get(key) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> (Option<&str>, &str, bool) {
        let split = split(text.as_bytes());
        (
            split.yaml.map(|range| &text[range]),
            &text[split.body],
            split.unterminated,
        )
    }

    #[test]
    fn fences_are_found() {
        assert_eq!(
            parts("---\na: b\n---\nbody"),
            (Some("a: b\n"), "body", false)
        );
        assert_eq!(
            parts("\u{feff}--- \r\na: b\r\n---\r\nx"),
            (Some("a: b\r\n"), "x", false)
        );
        assert_eq!(parts("---\n---"), (Some(""), "", false));
        assert_eq!(
            parts("---\na: b\n---\nx\n---\ny"),
            (Some("a: b\n"), "x\n---\ny", false)
        );
    }

    #[test]
    fn what_is_no_frontmatter_is_body() {
        assert_eq!(parts(""), (None, "", false));
        assert_eq!(parts("x\n---\n"), (None, "x\n---\n", false));
        assert_eq!(
            parts("---\n\nprose only\n"),
            (None, "---\n\nprose only\n", false)
        );
        assert_eq!(parts("---\nname: x\n"), (None, "---\nname: x\n", true));
        assert_eq!(parts("----\na: b\n---\n").0, None);
    }
}
