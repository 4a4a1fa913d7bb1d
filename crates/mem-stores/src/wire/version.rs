//! A version of a memory.

use serde::{Deserialize, Serialize};

use super::ApiActor;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionOperation {
    /// It was made.
    Created,
    /// Content, path or both changed.
    Modified,
    /// It was deleted.
    Deleted,
}

impl VersionOperation {
    /// As it goes over the line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
        }
    }

    /// What is called by this word.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Created, Self::Modified, Self::Deleted]
            .into_iter()
            .find(|operation| operation.as_str() == text)
    }
}

/// As it is told. Never changes, but for a redaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "memory_version")]
pub struct MemoryVersion {
    /// `memver_…`.
    pub id: String,
    /// Of which memory.
    pub memory_id: String,
    /// Of which store.
    pub memory_store_id: String,
    /// What was done.
    pub operation: VersionOperation,
    /// Where it stood then; not after a redaction.
    #[serde(default)]
    pub path: Option<String>,
    /// Not in the basic view, of a deletion, and after a redaction.
    #[serde(default)]
    pub content: Option<String>,
    /// Not of a deletion, and after a redaction.
    #[serde(default)]
    pub content_sha256: Option<String>,
    /// Not of a deletion, and after a redaction.
    #[serde(default)]
    pub content_size_bytes: Option<u64>,
    /// When it was done.
    pub created_at: String,
    /// Who did it; stays after a redaction.
    #[serde(default)]
    pub created_by: Option<ApiActor>,
    /// When its content was taken out.
    #[serde(default)]
    pub redacted_at: Option<String>,
    /// Who took it out.
    #[serde(default)]
    pub redacted_by: Option<ApiActor>,
}
