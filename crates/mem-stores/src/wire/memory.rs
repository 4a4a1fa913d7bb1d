//! A memory, and the item of a list that stands for all below a folder.

use serde::{Deserialize, Serialize};

/// As it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "memory")]
pub struct StoreMemory {
    /// `mem_…`; stays when it is renamed.
    pub id: String,
    /// Of which store.
    pub memory_store_id: String,
    /// Where it stands. Whoever reads this from a server parses it as a [`crate::StorePath`].
    pub path: String,
    /// Not in the basic view.
    #[serde(default)]
    pub content: Option<String>,
    /// Of the UTF-8, 64 hexadecimal digits in lower case.
    pub content_sha256: String,
    /// Of the UTF-8.
    #[serde(default)]
    pub content_size_bytes: u64,
    /// The same, as the research preview calls it in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// The version that it is at.
    #[serde(default)]
    pub memory_version_id: String,
    /// When it was made.
    pub created_at: String,
    /// When its content or path changed.
    pub updated_at: String,
}

/// All memories below a folder, in a list with a depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryPrefix {
    #[serde(rename = "type")]
    kind: PrefixKind,
    /// The folder, with a slash at its end.
    pub path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum PrefixKind {
    #[serde(rename = "memory_prefix")]
    MemoryPrefix,
}

impl MemoryPrefix {
    /// What stands for all below this folder.
    pub fn new(path: String) -> Self {
        Self {
            kind: PrefixKind::MemoryPrefix,
            path,
        }
    }
}

/// An item of a list of memories.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MemoryItem {
    /// All below a folder.
    Prefix(MemoryPrefix),
    /// One memory.
    Memory(Box<StoreMemory>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_a_list_are_told_apart() {
        let prefix = MemoryItem::Prefix(MemoryPrefix::new("/a/".to_owned()));
        let text = serde_json::to_string(&prefix).unwrap();
        assert_eq!(text, r#"{"type":"memory_prefix","path":"/a/"}"#);
        assert_eq!(serde_json::from_str::<MemoryItem>(&text).unwrap(), prefix);
        let text = r#"{"type":"memory","id":"mem_1","memory_store_id":"memstore_1","path":"/a",
            "content":null,"content_sha256":"00","content_size_bytes":1,"memory_version_id":"memver_1",
            "created_at":"c","updated_at":"u"}"#;
        let item: MemoryItem = serde_json::from_str(text).unwrap();
        let value = serde_json::to_value(&item).unwrap();
        assert_eq!(
            value,
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
        assert!(serde_json::from_str::<MemoryItem>(r#"{"type":"memory","path":"/a"}"#).is_err());
    }
}
