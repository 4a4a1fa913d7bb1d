//! What holds for names, descriptions, metadata, contents and hashes, at both ends.

use std::collections::BTreeMap;

use mem_core::Diagnose;

use crate::dialect::BothDialects;
use crate::limits::{
    CONTENT_BYTES_MAX, DESCRIPTION_CHARS_MAX, METADATA_KEY_CHARS_MAX, METADATA_PAIRS_MAX,
    METADATA_VALUE_CHARS_MAX, NAME_CHARS_MAX,
};
use crate::not_json::NotJson;
use crate::path::InvalidStorePath;

/// Something that the contract does not allow. Never quotes a value, but for paths.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum Invalid {
    /// The body is not JSON as it has to be.
    #[error(transparent)]
    #[diagnose(Invalid)]
    Json(#[from] NotJson),
    /// The body is JSON, but no object.
    #[error("the body has to be a JSON object")]
    #[diagnose(Invalid)]
    NoObject,
    /// A field has to be there, or to be otherwise.
    #[error("`{name}` {wants}")]
    #[diagnose(Invalid)]
    Field {
        /// As it stands in the JSON or the query.
        name: &'static str,
        /// What is wanted, such as `has to be a string`.
        wants: &'static str,
    },
    /// The content of a memory is too large.
    #[error("`content` has {0} bytes, more than {CONTENT_BYTES_MAX}")]
    #[diagnose(Invalid, hint = "split it into several memories")]
    ContentSize(usize),
    /// A path, or a prefix of paths.
    #[error(transparent)]
    #[diagnose(Invalid, hint = _0.hint())]
    Path(#[from] InvalidStorePath),
    /// Both dialects at once.
    #[error(transparent)]
    #[diagnose(Invalid)]
    Dialects(#[from] BothDialects),
}

impl Invalid {
    /// About one field.
    pub fn field(name: &'static str, wants: &'static str) -> Self {
        Self::Field { name, wants }
    }

    /// Whether it is about a size, which has a status of its own.
    pub fn is_size(&self) -> bool {
        matches!(self, Self::ContentSize(_))
    }
}

/// The name of a store.
///
/// # Errors
/// 1 to 255 characters, none of them a control character.
pub fn name(text: &str) -> Result<(), Invalid> {
    let fits = (1..=NAME_CHARS_MAX).contains(&text.chars().count());
    if !fits || text.chars().any(char::is_control) {
        let wants = "has to have 1 to 255 characters and no control characters";
        return Err(Invalid::field("name", wants));
    }
    Ok(())
}

/// The description of a store.
///
/// # Errors
/// At most 1,024 characters.
pub fn description(text: &str) -> Result<(), Invalid> {
    if text.chars().count() > DESCRIPTION_CHARS_MAX {
        let wants = "has to have at most 1,024 characters";
        return Err(Invalid::field("description", wants));
    }
    without_nul("description", text)
}

/// One key of metadata and its value.
///
/// # Errors
/// A key has 1 to 64 characters, a value at most 512.
pub fn metadata_pair(key: &str, value: Option<&str>) -> Result<(), Invalid> {
    let fits = (1..=METADATA_KEY_CHARS_MAX).contains(&key.chars().count());
    if !fits {
        return Err(Invalid::field(
            "metadata",
            "has to have keys of 1 to 64 characters",
        ));
    }
    let value = value.unwrap_or_default();
    if value.chars().count() > METADATA_VALUE_CHARS_MAX {
        let wants = "has to have values of at most 512 characters";
        return Err(Invalid::field("metadata", wants));
    }
    without_nul("metadata", key)?;
    without_nul("metadata", value)
}

/// All metadata of a store.
///
/// # Errors
/// At most 16 pairs, each as [`metadata_pair`] says.
pub fn metadata(pairs: &BTreeMap<String, String>) -> Result<(), Invalid> {
    if pairs.len() > METADATA_PAIRS_MAX {
        return Err(Invalid::field("metadata", "has to have at most 16 pairs"));
    }
    let mut each = pairs.iter();
    each.try_for_each(|(key, value)| metadata_pair(key, Some(value)))
}

/// The content of a memory.
///
/// # Errors
/// At most 102,400 bytes.
pub fn content(text: &str) -> Result<(), Invalid> {
    match text.len() > CONTENT_BYTES_MAX {
        true => Err(Invalid::ContentSize(text.len())),
        false => Ok(()),
    }
}

/// A hash in a field of this name: 64 hexadecimal digits in lower case.
///
/// # Errors
/// Anything else.
pub fn sha256(field: &'static str, text: &str) -> Result<[u8; 32], Invalid> {
    let wants = "has to be 64 hexadecimal digits in lower case";
    let bad = || Invalid::field(field, wants);
    if text.len() != 64 {
        return Err(bad());
    }
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(bad()),
    };
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        if let [high, low] = pair {
            *byte = digit(high)? * 16 + digit(low)?;
        }
    }
    Ok(bytes)
}

/// Not every database can keep a NUL in a text.
fn without_nul(field: &'static str, text: &str) -> Result<(), Invalid> {
    match text.contains('\0') {
        true => Err(Invalid::field(field, "has to have no NUL characters")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_hold_and_one_over_does_not() {
        assert!(name("é").is_ok() && name(&"é".repeat(255)).is_ok());
        assert!(name("").is_err() && name(&"a".repeat(256)).is_err() && name("a\nb").is_err());
        assert!(description("").is_ok() && description(&"é".repeat(1024)).is_ok());
        assert!(description(&"a".repeat(1025)).is_err() && description("\0").is_err());
        assert!(content(&"a".repeat(102_400)).is_ok());
        assert!(
            content(&"a".repeat(102_401))
                .unwrap_err()
                .to_string()
                .contains("102401")
        );
        assert!(metadata_pair(&"k".repeat(64), Some(&"v".repeat(512))).is_ok());
        assert!(metadata_pair("", None).is_err() && metadata_pair(&"k".repeat(65), None).is_err());
        assert!(metadata_pair("k", Some(&"v".repeat(513))).is_err());
        let pairs = |count: usize| -> BTreeMap<String, String> {
            (0..count).map(|n| (n.to_string(), String::new())).collect()
        };
        assert!(metadata(&pairs(16)).is_ok() && metadata(&pairs(17)).is_err());
    }

    #[test]
    fn hashes_are_hexadecimal_in_lower_case() {
        let hash = "0f".repeat(32);
        assert_eq!(sha256("h", &hash), Ok([15; 32]));
        for text in [
            "",
            "0f",
            &"0F".repeat(32),
            &"0g".repeat(32),
            &"é".repeat(32),
        ] {
            assert!(sha256("h", text).is_err(), "{text}");
        }
    }
}
