//! Taking earlier contents of a key, and its name, out of a store.

use serde::{Deserialize, Serialize};

use super::{WireError, deserialize_label, read};
use crate::key::EntryKey;
use crate::limits::PUT_BYTES_MAX;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactBody {
    /// Whose earlier contents.
    pub key: EntryKey,
    /// Whether its name is to go as well, with the tombstone: only where nothing stands under it.
    #[serde(default, skip_serializing_if = "is_not")]
    pub name: bool,
}

/// What became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactOutcome {
    /// How many versions lost their content.
    pub redacted: u64,
    /// What that could not reach, for people; empty where it reached everything.
    #[serde(
        default,
        deserialize_with = "deserialize_label",
        skip_serializing_if = "String::is_empty"
    )]
    pub note: String,
    /// Whether the name is gone as well. An earlier server knows nothing of names, and leaves them.
    #[serde(default, skip_serializing_if = "is_not")]
    pub name: bool,
}

fn is_not(flag: &bool) -> bool {
    !flag
}

impl RedactBody {
    /// Of the contents of a key.
    pub fn for_contents(key: &EntryKey) -> Self {
        let key = key.clone();
        Self { key, name: false }
    }

    /// Of its name as well.
    pub fn for_name(key: &EntryKey) -> Self {
        let key = key.clone();
        Self { key, name: true }
    }

    /// Reads a body.
    ///
    /// # Errors
    /// It is too large, of another form, or its key is none.
    pub fn read(bytes: &[u8]) -> Result<Self, WireError> {
        read(bytes, PUT_BYTES_MAX)
    }

    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl RedactOutcome {
    /// Reads an answer.
    ///
    /// # Errors
    /// It is too large, or of another form.
    pub fn read(bytes: &[u8]) -> Result<Self, WireError> {
        read(bytes, PUT_BYTES_MAX)
    }

    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_come_back_and_bad_ones_are_refused() {
        let body = RedactBody::read(br#"{"key":"a.md"}"#).unwrap();
        assert_eq!(RedactBody::read(&body.to_json()).unwrap(), body);
        assert_eq!(body, RedactBody::for_contents(&body.key));
        let named = RedactBody::for_name(&body.key);
        assert_eq!(named.to_json(), br#"{"key":"a.md","name":true}"#);
        assert_eq!(RedactBody::read(&named.to_json()).unwrap(), named);
        for bad in [r#"{"key":"../a"}"#, "{}", "[]", ""] {
            assert!(RedactBody::read(bad.as_bytes()).is_err(), "{bad}");
        }
        let answer = RedactOutcome::read(br#"{"redacted":2,"note":"n\u001b"}"#).unwrap();
        assert_eq!((answer.redacted, answer.note.as_str()), (2, "n"));
        assert!(!answer.name, "an earlier server leaves it");
        assert_eq!(RedactOutcome::read(&answer.to_json()).unwrap(), answer);
    }
}
