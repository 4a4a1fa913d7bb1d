//! Where a token may begin and end. A token inside a longer run of the same
//! letters is a piece of something else: a hash, an encoded image, a word.

use std::ops::Range;

/// How many bytes of base64 before or behind a slash or plus are more of the same row, not the next segment of a path
/// or the next word of a form.
const BASE64_ROW_BYTES: usize = 32;
/// Most bytes of the numbers in a terminal's code.
const CODE_BYTES_MAX: usize = 32;
/// Most bytes that an escape sequence has in the row of letters and digits in which it ends.
const ESCAPE_BYTES_MAX: usize = 5;

/// Whether a token may begin at `start`.
pub(crate) fn opens(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[..start.min(bytes.len())];
    match before {
        // A line that a patch adds, a space in a form.
        [rest @ .., b'+'] => !rest
            .last_chunk::<BASE64_ROW_BYTES>()
            .is_some_and(|row| is_base64(row)),
        // Names are joined by `_` and `-`: `TOKEN_` and the token.
        [.., last] => !last.is_ascii_alphanumeric() || ends_escape(before) || ends_flag(before),
        [] => true,
    }
}

/// Whether text ends with a flag of one letter, which a command takes its value right behind: `mysql -p`.
fn ends_flag(text: &[u8]) -> bool {
    let [before @ .., b'-', _] = text else {
        return false;
    };
    let is_blank = |last: &u8| last.is_ascii_whitespace() || matches!(last, b'"' | b'\'' | b'`');
    before.last().is_none_or(is_blank)
}

/// Whether text ends with an escape sequence: `\n`, `\x22`, `\u0022` and `%22` as quoted text has them, `=3D` as in
/// mail, or a terminal's code for a colour (`[1;32m`) or a clear line (`[K`), of which many logs have lost the first
/// byte.
fn ends_escape(text: &[u8]) -> bool {
    let is_hex = |count: usize| text.iter().rev().take(count).all(u8::is_ascii_hexdigit);
    match text {
        [.., b'\\', b'n' | b't' | b'r'] => true,
        [.., b'\\', b'u', _, _, _, _] => is_hex(4),
        [.., b'\\', b'x', _, _] | [.., b'%', _, _] => is_hex(2),
        [.., b'=', one, two] if !one.is_ascii_lowercase() && !two.is_ascii_lowercase() => is_hex(2),
        [code @ .., b'm' | b'K'] => {
            let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
            let numbers = code.iter().rev().take(CODE_BYTES_MAX);
            let length = numbers.take_while(is_number).count();
            code[..code.len() - length].ends_with(b"[")
        }
        _ => false,
    }
}

/// Where tokens may begin in a row of letters, digits, `_`, `-`, `+` and `/`: at its beginning, behind the escape
/// sequence, emphasis or flag it begins with, and behind each slash and plus.
pub(crate) fn starts_in_row(bytes: &[u8], row: &Range<usize>) -> impl Iterator<Item = usize> {
    let (start, text) = (row.start, &bytes[row.clone()]);
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    let is_led = matches!(text.first(), Some(b'_' | b'-' | b'+'))
        || matches!(before, Some(b'\\' | b'%' | b'[' | b';' | b'='));
    let led = if is_led { ESCAPE_BYTES_MAX } else { 0 };
    let led = (start + 1..row.end).take(led);
    let parts = memchr::memchr2_iter(b'/', b'+', text).map(move |mark| start + mark + 1);
    std::iter::once(start)
        .chain(led.filter(move |&at| opens(bytes, at)))
        .chain(parts)
}

/// Whether a token that begins at `start` may end before `end`.
pub(crate) fn closes(bytes: &[u8], start: usize, end: usize) -> bool {
    match &bytes[end.min(bytes.len())..] {
        // The end of a sentence, of emphasis, or of a name before its ending.
        [] | [b'_'] | [b'_', b'_'] | [b'.' | b'-', ..] => true,
        [b'_', b'_', next, ..] | [b'_', next, ..] => !is_word(*next),
        [b'/' | b'+', rest @ ..] => {
            let row = rest.get(..BASE64_ROW_BYTES);
            !row.is_some_and(is_base64) || !is_base64(&bytes[start..end])
        }
        // Text that is struck out.
        [b'~', b'~', ..] => true,
        rest @ [b'=', ..] => !is_padding(&bytes[start..end], rest),
        [next, ..] => !is_word(*next) && *next != b'~',
    }
}

/// Whether what follows a row of base64 fills it up, so that the row is no token but encoded.
fn is_padding(row: &[u8], rest: &[u8]) -> bool {
    let signs = rest
        .iter()
        .take(3)
        .take_while(|byte| **byte == b'=')
        .count();
    let is_last = rest.get(signs).is_none_or(|next| !is_word(*next));
    is_last && (row.len() + signs).is_multiple_of(4) && signs <= 2 && is_base64(row)
}

/// Whether an assigned value may end before `end`: what ends a value in some
/// language.
pub(crate) fn ends_value(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        None => true,
        Some(b'\\') => matches!(bytes.get(end + 1), Some(b'n' | b'r' | b't' | b'"' | b'\'')),
        Some(next) => {
            next.is_ascii_whitespace()
                || matches!(
                    next,
                    b'`' | b'\'' | b'"' | b';' | b',' | b')' | b'}' | b']' | b'<' | b'&'
                )
        }
    }
}

/// Letters, digits and the underscore.
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether bytes are digits of the standard alphabet of base64: a token with `-` or `_` is no piece of such a row.
fn is_base64(bytes: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    bytes.iter().all(is_digit)
}
