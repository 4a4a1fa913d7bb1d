//! Where a token may begin and end. A token inside a longer run of the same
//! letters is a piece of something else: a hash, an encoded image, a word.

/// Whether a token may begin at `start`.
pub(crate) fn opens(bytes: &[u8], start: usize) -> bool {
    let Some(&before) = start.checked_sub(1).and_then(|at| bytes.get(at)) else {
        return true;
    };
    // Names are joined by `_` and `-`: `TOKEN_` and the token.
    if !before.is_ascii_alphanumeric() && before != b'+' {
        return true;
    }
    // `\n`, `\t` and `\r` as they stand in quoted text, and `%3D` and its kind.
    let escape = start >= 2 && bytes[start - 2] == b'\\' && matches!(before, b'n' | b't' | b'r');
    let percent = start >= 3 && bytes[start - 3] == b'%' && before.is_ascii_hexdigit();
    escape || percent
}

/// Whether a token may end before `end`.
pub(crate) fn closes(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        None => true,
        // The end of a sentence, or of a name before its ending.
        Some(b'.' | b'-') => true,
        Some(&next) => !is_word(next) && !matches!(next, b'+' | b'=' | b'~' | b'/'),
    }
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
