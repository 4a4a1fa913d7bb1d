//! A store of memories.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// As it is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "memory_store")]
pub struct MemoryStore {
    /// `memstore_…`.
    pub id: String,
    /// For people; not unique.
    pub name: String,
    /// What an agent is told; empty where there is none.
    #[serde(default, deserialize_with = "or_default")]
    pub description: String,
    /// For programs.
    #[serde(default, deserialize_with = "or_default")]
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    pub created_at: String,
    /// When its name, description or metadata changed, or it was archived.
    pub updated_at: String,
    /// When it was archived.
    #[serde(default)]
    pub archived_at: Option<String>,
}

/// Older servers say `null` where there is nothing.
fn or_default<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_of_older_and_later_servers_are_read() {
        let text = r#"{"type":"memory_store","id":"memstore_1","name":"n","description":null,
            "metadata":null,"created_at":"c","updated_at":"u","archived_at":null,"later":1}"#;
        let store: MemoryStore = serde_json::from_str(text).unwrap();
        assert_eq!((store.description.as_str(), store.metadata.len()), ("", 0));
        let value = serde_json::to_value(&store).unwrap();
        assert_eq!(value["type"], "memory_store");
        assert_eq!(value["archived_at"], serde_json::Value::Null);
    }
}
