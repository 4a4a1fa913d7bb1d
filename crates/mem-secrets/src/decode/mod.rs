//! Looks inside encodings: a secret is not safe because it is in base64.

pub(crate) mod base64;
pub(crate) mod percent;
pub(crate) mod properties;
pub(crate) mod utf16;

use crate::finding::SecretEncoding;

/// How many encodings may be nested.
pub(crate) const DEPTH_MAX: usize = 3;
/// Shortest row that is decoded; shorter ones hold nothing that is found.
const ENCODED_BYTES_MIN: usize = 24;
/// Digits that are looked at before the whole row is decoded.
const SAMPLE_BYTES: usize = 16;

/// The text that a row of letters and digits stands for, if it does. It may be
/// UTF-16, as in the encoded commands of PowerShell.
pub(crate) fn run(row: &[u8]) -> Option<(SecretEncoding, Vec<u8>)> {
    if row.len() < ENCODED_BYTES_MIN {
        return None;
    }
    if row.iter().take(64).all(u8::is_ascii_hexdigit) {
        let text = hex(row).filter(|text| is_text(text))?;
        return Some((SecretEncoding::Hex, text));
    }
    let sample = &row[..SAMPLE_BYTES];
    if base64::begins_wide(sample) {
        return Some((SecretEncoding::Base64, base64::decode(row)?));
    }
    if !base64::begins_text(sample) {
        return None;
    }
    let text = base64::decode(row).filter(|text| is_text(text))?;
    Some((SecretEncoding::Base64, text))
}

fn hex(row: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(digit(*high)? << 4 | digit(*low)?).ok(),
        _ => None,
    };
    row.chunks(2).map(pair).collect()
}

/// Whether bytes are text that a person or a program wrote.
fn is_text(bytes: &[u8]) -> bool {
    let odd =
        |byte: &&u8| !(byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\r' | b'\t'));
    bytes.iter().filter(odd).count() * 32 <= bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_stand_for_text() {
        let text = b"a line of text, and more";
        let row = base64::encode(text);
        assert_eq!(run(&row), Some((SecretEncoding::Base64, text.to_vec())));
        let row: String = text.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            run(row.as_bytes()),
            Some((SecretEncoding::Hex, text.to_vec()))
        );
        assert_eq!(run(b"someLongIdentifierInTheCode"), None);
    }
}
