//! `%XX`, as in URLs and form bodies.

use std::ops::Range;

/// The longest word that is decoded.
const WORD_BYTES_MAX: usize = 2048;

/// The word around `at` and what it decodes to, if anything in it is encoded.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<(Range<usize>, Vec<u8>)> {
    let stop =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>');
    let from = at.saturating_sub(WORD_BYTES_MAX / 2);
    let start = bytes[from..at]
        .iter()
        .rposition(stop)
        .map_or(from, |space| from + space + 1);
    let reach = &bytes[at..bytes.len().min(at + WORD_BYTES_MAX)];
    let end = at + reach.iter().position(stop).unwrap_or(reach.len());
    let text = decode(&bytes[start..end]);
    (text.len() < end - start).then_some((start..end, text))
}

/// Every `%XX` replaced by its byte; what is none stays.
pub(crate) fn decode(text: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match (byte, digit(text.get(at + 1)), digit(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_the_word_around() {
        let text = b"x a%3Db%20c y";
        assert_eq!(word(text, 4), Some((2..11, b"a=b c".to_vec())));
        assert_eq!(word(b"100% of", 3), None);
    }
}
