//! A directory of its own for every user of a host, whatever their id.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// An id that is longer, or has other characters than these, is known by its hash.
const NAME_BYTES_MAX: usize = 64;

/// Where the memories of a user are: `<base>/users/<name>/memories`.
pub(super) fn root(base: &Path, user: &OsStr) -> PathBuf {
    base.join("users").join(name(user)).join("memories")
}

/// A name that no other id has, also on file systems that do not tell case: `u-` and the id where it
/// is plain, else `h-` and its hash.
pub(crate) fn name(user: &OsStr) -> String {
    let bytes = user.as_encoded_bytes();
    let is_plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    if let Some(plain) = user.to_str()
        && (1..=NAME_BYTES_MAX).contains(&bytes.len())
        && bytes.iter().all(is_plain)
    {
        return format!("u-{plain}");
    }
    let mut name = "h-".to_owned();
    for byte in Sha256::digest(bytes) {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_a_plain_name_of_its_own() {
        let long = "a".repeat(300);
        let ids = [
            "alice", "Alice", "h-alice", "../bob", "..", ".", "", "a/b", "a\\b", "con", "\u{e9}",
            "e\u{301}", "a b", "a\nb", &long, "u-alice", "CON",
        ];
        let names: std::collections::BTreeSet<String> =
            ids.iter().map(|id| name(OsStr::new(id))).collect();
        assert_eq!(names.len(), ids.len());
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        for name in names {
            assert!(name.chars().all(is_plain) && name.len() <= 66, "{name}");
        }
    }
}
