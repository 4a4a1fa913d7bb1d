//! Base64 (RFC 4648, with padding), for bytes within texts: contents of a JSON document that are no UTF-8, what is
//! sealed within a commit message.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub fn encode_base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            if at <= chunk.len() {
                let index = (bits >> (18 - 6 * at)) & 63;
                text.push(char::from(ALPHABET[index as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

/// Text as bytes; `None` for what [`encode_base64`] does not write.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for (number, group) in text.chunks(4).enumerate() {
        let is_last = (number + 1) * 4 == text.len();
        let padding = group.iter().rev().take_while(|&&c| c == b'=').count();
        if padding > 2 || (padding > 0 && !is_last) {
            return None;
        }
        let mut bits = 0_u32;
        for &c in &group[..4 - padding] {
            bits = bits << 6 | digit_value(c)?;
        }
        bits <<= 6 * padding;
        let three = bits.to_be_bytes();
        // Bits behind the end are zero, so that every content has one spelling only.
        if three[4 - padding..].iter().any(|&byte| byte != 0) {
            return None;
        }
        bytes.extend_from_slice(&three[1..4 - padding]);
    }
    Some(bytes)
}

fn digit_value(c: u8) -> Option<u32> {
    let offset = match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode_base64(bytes.as_bytes()), text);
            assert_eq!(decode_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        for bad in ["Zg", "Zh==", "Zg==Zg==", "Z===", "Zm9*", "====", "Zm9v\n"] {
            assert_eq!(decode_base64(bad), None, "{bad}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_content_survives(bytes: Vec<u8>) {
            proptest::prop_assert_eq!(decode_base64(&encode_base64(&bytes)), Some(bytes));
        }
    }
}
