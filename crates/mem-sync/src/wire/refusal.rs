//! Reporting that a memory was not sent, because it holds a secret.

use serde::{Deserialize, Serialize};

use super::{WireError, read};
use crate::key::EntryKey;
use crate::limits::PUT_BYTES_MAX;

/// The most characters of a rule's name.
const RULE_CHARS_MAX: usize = 100;
/// A rule whose name cannot be reported.
const UNNAMED_RULE: &str = "other";

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

/// What became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalOutcome {
    /// Whether anybody asks to be told.
    #[serde(default)]
    pub told: bool,
}

impl RefusalOutcome {
    /// Reads an answer.
    ///
    /// # Errors
    /// It is too large, or of another form.
    pub fn read(bytes: &[u8]) -> Result<Self, WireError> {
        read(bytes, PUT_BYTES_MAX)
    }
}

impl RefusalReport {
    /// Of a memory, and the rule that found something in it. A rule whose name may be no name is another one.
    pub fn new(key: Option<EntryKey>, rule: &str) -> Self {
        let rule = match is_rule_name(rule) {
            true => rule,
            false => UNNAMED_RULE,
        };
        Self {
            key,
            rule: rule.to_owned(),
        }
    }

    /// Whether it names a rule, by letters, digits, `-`, `_`, `.` and `/`.
    pub fn is_valid(&self) -> bool {
        is_rule_name(&self.rule)
    }

    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

fn is_rule_name(rule: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    (1..=RULE_CHARS_MAX).contains(&rule.len()) && rule.chars().all(is_plain)
}
