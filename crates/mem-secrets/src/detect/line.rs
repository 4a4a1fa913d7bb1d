//! What stands around a place on its line: white space, and whether the place
//! is inside a string.

/// White space around an operator.
const GAP_BYTES_MAX: usize = 24;
/// How far back a line is looked at, to see whether it is inside quotes.
const LINE_BYTES_MAX: usize = 400;

/// Whether `at` is inside a string that began on the same line.
pub(super) fn in_string(bytes: &[u8], at: usize) -> bool {
    open_quote(bytes, at).is_some()
}

/// The quote of the string that `at` is inside of, unless it begins there.
pub(super) fn open_quote(bytes: &[u8], at: usize) -> Option<u8> {
    let line = line_before(bytes, at);
    let mut open = None;
    let mut since = 0;
    for (place, &byte) in line.iter().enumerate() {
        let slash = place > 0 && line[place - 1] == b'\\';
        // An apostrophe inside a word is no quote.
        let apostrophe =
            byte == b'\'' && open.is_none() && place > 0 && line[place - 1].is_ascii_alphanumeric();
        if !is_quote(byte) || slash || apostrophe {
            continue;
        }
        if open.is_none() {
            (open, since) = (Some(byte), place);
        } else if open == Some(byte) {
            open = None;
        }
    }
    open.filter(|_| since + 1 < line.len())
}

pub(super) fn line_before(bytes: &[u8], at: usize) -> &[u8] {
    let from = at.saturating_sub(LINE_BYTES_MAX);
    let start = memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |newline| from + newline + 1);
    &bytes[start..at]
}

/// The white space before a line's text.
pub(super) fn indent(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

pub(super) fn blank(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at.min(bytes.len())..].iter().take(GAP_BYTES_MAX);
    rest.take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

pub(super) fn white(bytes: &[u8], at: usize) -> usize {
    let rest = bytes[at.min(bytes.len())..].iter().take(GAP_BYTES_MAX);
    rest.take_while(|byte| byte.is_ascii_whitespace()).count()
}

pub(super) const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}
