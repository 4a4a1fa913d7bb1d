//! The line of a finding, and what has been said about it: one line may hold a million findings,
//! so it is looked for, and looked at, once.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use super::allowlist::Allowlist;
use super::inline::allowed_by_comment;

/// The lines that a span is on.
#[derive(Debug, Default)]
pub(crate) struct LineContext<'a> {
    /// Where it stands; nothing where it is more than one line, which only the same span is on.
    range: Range<usize>,
    text: &'a [u8],
    is_allowed: OnceCell<bool>,
    /// Of each allowlist, by its address, whether one of its expressions matches.
    matched: RefCell<HashMap<usize, bool>>,
}

/// The line that was asked for last.
pub(crate) struct LineCursor<'a> {
    bytes: &'a [u8],
    last: LineContext<'a>,
}

impl<'a> LineCursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            last: LineContext::default(),
        }
    }

    /// The lines of a span.
    pub(crate) fn of(&mut self, span: &Range<usize>) -> &LineContext<'a> {
        let Range { start, end } = self.last.range;
        if span.start < start || span.end > end || start == end {
            let range = around(self.bytes, span);
            let text = &self.bytes[range.clone()];
            let is_one = memchr::memchr(b'\n', &self.bytes[span.clone()]).is_none();
            self.last = LineContext {
                range: if is_one { range } else { 0..0 },
                text,
                ..LineContext::default()
            };
        }
        &self.last
    }
}

impl LineContext<'_> {
    /// Whether a comment allows what is on it.
    pub(crate) fn is_allowed(&self) -> bool {
        *self
            .is_allowed
            .get_or_init(|| allowed_by_comment(self.text))
    }

    /// Whether one of an allowlist's expressions matches it.
    pub(crate) fn matches(&self, list: &Allowlist) -> bool {
        let address = std::ptr::from_ref(list).addr();
        let matches = || list.regexes.iter().any(|regex| regex.is_match(self.text));
        *self
            .matched
            .borrow_mut()
            .entry(address)
            .or_insert_with(matches)
    }
}

fn around(bytes: &[u8], span: &Range<usize>) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |newline| newline + 1);
    let end =
        memchr::memchr(b'\n', &bytes[span.end..]).map_or(bytes.len(), |newline| span.end + newline);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_span_has_its_own_lines() {
        let mut lines = LineCursor::new(b"one\ntwo mem:allow\n\nfour");
        assert_eq!(lines.of(&(1..2)).text, b"one");
        assert!(!lines.of(&(0..3)).is_allowed());
        assert_eq!(lines.of(&(5..6)).text, b"two mem:allow");
        assert!(lines.of(&(4..17)).is_allowed());
        assert_eq!(lines.of(&(18..18)).text, b"");
        assert_eq!(lines.of(&(19..23)).text, b"four");
        // A block over several lines, after one of them.
        assert_eq!(lines.of(&(5..21)).text, b"two mem:allow\n\nfour");
        assert!(!lines.of(&(19..23)).is_allowed());
    }
}
