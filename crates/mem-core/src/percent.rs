//! Percent-encoding (RFC 3986) of the bytes that a name may not hold somewhere.

use std::fmt::Write as _;

/// A text with all bytes encoded but those that may stand as they are.
pub fn percent_encoded(text: &str, is_plain: impl Fn(u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            byte if byte.is_ascii() && is_plain(byte) => encoded.push(char::from(byte)),
            // Writing to a string never fails.
            byte => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    encoded
}

/// The text that was encoded; `None` where it is none.
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                u8::from_str_radix(digits, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}
