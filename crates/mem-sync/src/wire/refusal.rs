//! Reporting that a memory was not sent, because it holds a secret.

use serde::{Deserialize, Serialize};

use crate::key::EntryKey;

/// What is reported: never the secret, nor a word beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusalReport {
    /// Which memory; `None` where its name holds the secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<EntryKey>,
    /// The name of the rule that found it.
    pub rule: String,
}

impl RefusalReport {
    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}
