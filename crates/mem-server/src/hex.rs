//! Random bytes as the ids that people see.

use std::fmt::Write as _;

/// A prefix and lower-case hexadecimal digits, two a byte.
pub(crate) fn of(prefix: &str, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(prefix.len() + 2 * bytes.len());
    text.push_str(prefix);
    for byte in bytes {
        // A string takes everything.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
