//! The answer to a question for the log.

use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{WireError, deserialize_label, read};
use crate::key::EntryKey;
use crate::limits::{ANSWER_BYTES_MAX, LABEL_CHARS_MAX, LOG_PAGE_MAX, PAGE_BYTES_MAX};

/// Some changes, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LogPage {
    /// At most [`LOG_PAGE_MAX`].
    pub changes: Vec<ChangeLogEntry>,
    /// Where older ones are; opaque.
    pub next_page: Option<String>,
}

/// What one change did to one key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeLogEntry {
    /// Which key.
    pub key: EntryKey,
    /// What was done.
    pub operation: LogOperation,
    /// Of the content it got; `None` where it was deleted, and where the content was redacted.
    #[serde(default)]
    pub sha256: Option<Sha256>,
    /// Of that content, in bytes.
    #[serde(default)]
    pub size_bytes: Option<u64>,
    /// Who did it.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub actor: String,
    /// When, RFC 3339.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub at: String,
    /// The change's number; keys that changed together share it.
    pub version: u64,
    /// When the content was taken out, RFC 3339.
    #[serde(default, deserialize_with = "optional_label")]
    pub redacted_at: Option<String>,
    /// Who took it out.
    #[serde(default, deserialize_with = "optional_label")]
    pub redacted_by: Option<String>,
    /// Why it was deleted, where somebody said so.
    #[serde(default, deserialize_with = "super::optional_reason")]
    pub reason: Option<String>,
}

/// What was done to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogOperation {
    /// It was not there before.
    Created,
    /// It got other content.
    Modified,
    /// It was deleted.
    Deleted,
    /// A word of a later version.
    #[serde(other)]
    Other,
}

impl LogOperation {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Other => "other",
        }
    }
}

#[derive(Deserialize)]
struct RawLogEntry {
    changes: Vec<Value>,
    #[serde(default)]
    next_page: Option<String>,
}

impl LogPage {
    /// Reads an answer. Changes that cannot be read are left out.
    ///
    /// # Errors
    /// A body that is too large, or whose outer form is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, WireError> {
        let raw: RawLogEntry = read(bytes, ANSWER_BYTES_MAX)?;
        let good = raw
            .changes
            .into_iter()
            .filter_map(|one| serde_json::from_value(one).ok());
        let next_page = raw.next_page;
        if next_page.as_ref().is_some_and(|page| !is_page(page)) {
            return Err(WireError::Form { line: 1, column: 0 });
        }
        Ok(Self {
            changes: good.take(LOG_PAGE_MAX as usize).collect(),
            next_page,
        })
    }

    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// Whether this can be sent back in an address.
fn is_page(page: &str) -> bool {
    let fits = (1..=PAGE_BYTES_MAX).contains(&page.len());
    fits && page.bytes().all(|byte| byte.is_ascii_graphic())
}

/// As [`deserialize_label`], of what may be absent.
fn optional_label<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    Ok(text.map(|text| {
        let plain = text.chars().filter(|c| !c.is_control());
        plain.take(LABEL_CHARS_MAX).collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_cannot_be_read_are_left_out() {
        let body = br#"{"changes":[
            {"key":"a.md","operation":"created","sha256":null,"size_bytes":1,"actor":"a\u001bb","at":"t",
             "version":3,"redacted_at":"r\u0007","redacted_by":null,"reason":"o\u001bver","later":1},
            {"key":"../x","operation":"created","version":1},
            {"key":"b.md","operation":"invented","version":1},
            {"key":"c.md","operation":"deleted","version":-1}, 7],"next_page":"p-1"}"#;
        let page = LogPage::read(body).unwrap();
        let seen: Vec<(&str, LogOperation)> = page
            .changes
            .iter()
            .map(|one| (one.key.as_str(), one.operation))
            .collect();
        assert_eq!(
            seen,
            [
                ("a.md", LogOperation::Created),
                ("b.md", LogOperation::Other)
            ]
        );
        assert_eq!(page.changes[0].actor, "ab");
        assert_eq!(page.changes[0].redacted_at.as_deref(), Some("r"));
        assert_eq!(page.changes[0].reason.as_deref(), Some("over"));
        assert_eq!(page.changes[1].reason, None);
        assert_eq!(LogPage::read(&page.to_json()).unwrap(), page);
    }

    #[test]
    fn a_page_that_is_no_page_is_refused() {
        for body in [
            "{}",
            "[]",
            r#"{"changes":{}}"#,
            r#"{"changes":[],"next_page":"a b"}"#,
        ] {
            assert!(LogPage::read(body.as_bytes()).is_err(), "{body}");
        }
        let one = r#"{"key":"a","operation":"created","version":1}"#;
        let many = format!(r#"{{"changes":[{}]}}"#, vec![one; 300].join(","));
        assert_eq!(LogPage::read(many.as_bytes()).unwrap().changes.len(), 100);
    }
}
