//! Base64 in both alphabets, padded or not: what is found in the wild mixes
//! them, so decoding is lenient.

/// Six bits of a character, or nothing.
const fn value(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Whether a byte belongs to either alphabet.
pub(crate) const fn is_digit(byte: u8) -> bool {
    value(byte).is_some()
}

/// Whether the first digits decode to printable bytes. Most rows are names, so
/// this answers without allocating.
pub(crate) fn begins_text(digits: &[u8]) -> bool {
    digits.chunks_exact(4).all(|four| {
        three(four)
            .iter()
            .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
    })
}

/// Whether the first eight digits decode to three letters of UTF-16.
pub(crate) fn begins_wide(digits: &[u8]) -> bool {
    let [first, second] = [&digits[..4], &digits[4..8]].map(three);
    let zeros = |at: [u8; 3]| at == [0; 3];
    let low = [first[1], second[0], second[2]];
    let high = [first[0], first[2], second[1]];
    let printable = |low: [u8; 3]| low.iter().all(|byte| matches!(byte, b' '..=b'~'));
    zeros(low) && printable(high) || zeros(high) && printable(low)
}

/// The three bytes of four digits.
fn three(four: &[u8]) -> [u8; 3] {
    let word = four.iter().fold(0_u32, |word, &byte| {
        word << 6 | u32::from(value(byte).unwrap_or(0))
    });
    let [_, bytes @ ..] = word.to_be_bytes();
    bytes
}

/// The decoded bytes, or nothing when a character does not belong. White
/// space is skipped, padding ends the text.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &byte in text {
        if byte == b'=' {
            break;
        }
        if byte.is_ascii_whitespace() {
            continue;
        }
        bits = bits << 6 | u32::from(value(byte)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// Standard alphabet with padding.
pub(crate) fn encode_padded(bytes: &[u8]) -> Vec<u8> {
    let mut text = encode(bytes);
    text.resize(text.len().next_multiple_of(4), b'=');
    text
}

/// Standard alphabet without padding, for examples.
pub(crate) fn encode(bytes: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    for chunk in bytes.chunks(3) {
        let word = chunk
            .iter()
            .fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let word = word << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            out.push(ALPHABET[(word >> (18 - 6 * digit) & 63) as usize]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
    }

    #[test]
    fn foreign_characters_are_refused() {
        assert_eq!(decode(b"ab*d"), None);
        assert_eq!(decode(b"YWI=\n").as_deref(), Some(b"ab".as_slice()));
    }
}
