//! Why one key of a body was not taken.

use std::fmt;

use mem_core::memory_path::printable;
use serde::{Deserialize, Serialize};

use super::deserialize_label;
use crate::key::{Clash, EntryKey};

/// The stable words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectionCode {
    /// The key is none.
    InvalidKey,
    /// It stands in the body twice.
    Duplicate,
    /// Its value has the wrong form.
    Form,
    /// Its checksum is not that of its content.
    Checksum,
    /// Its content is larger than an entry may be.
    TooLarge,
    /// Another key differs in case only.
    Twin,
    /// It is another key's folder, or the other way round.
    PathConflict,
    /// The store holds as many entries as it may.
    StoreFull,
    /// This very content was deleted on purpose.
    Deleted,
    /// There is nothing to delete.
    NotFound,
    /// It holds a secret.
    Secret,
    /// A word of a later version.
    #[serde(other)]
    Other,
}

impl RejectionCode {
    /// What a clash of keys is called.
    pub fn from_clash(clash: &Clash) -> Self {
        match clash {
            Clash::Twin(_) => Self::Twin,
            Clash::Below(_) | Clash::Folder => Self::PathConflict,
        }
    }

    /// Whether the answer may be another one once the store holds something else.
    pub fn depends_on_the_store(self) -> bool {
        matches!(
            self,
            Self::Twin | Self::PathConflict | Self::StoreFull | Self::Deleted
        )
    }
}

/// What the server says of one key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRejection {
    /// For programs.
    pub code: RejectionCode,
    /// For people.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub message: String,
}

impl KeyRejection {
    /// What a key is not taken for.
    pub fn new(code: RejectionCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message }
    }
}

/// A key that was not taken, under the name it came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedKey {
    /// Its name as it came: not to be shown but through `Display`.
    pub name: String,
    /// Why.
    pub rejection: KeyRejection,
}

impl RejectedKey {
    /// A key that is not taken.
    pub fn new(name: &str, code: RejectionCode, message: &str) -> Self {
        Self {
            name: name.to_owned(),
            rejection: KeyRejection::new(code, message),
        }
    }

    /// One that cannot stand beside another.
    pub(crate) fn from_clash(key: &EntryKey, clash: &Clash) -> Self {
        Self::new(
            key.as_str(),
            RejectionCode::from_clash(clash),
            &clash.to_string(),
        )
    }
}

impl fmt::Display for RejectedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", printable(&self.name), self.rejection.message)
    }
}
