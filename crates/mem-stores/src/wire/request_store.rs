//! What a store is made or changed with.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::rules::{self, Invalid};
use crate::strict::ObjectFields;

/// A new store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CreateStore {
    /// For people.
    pub name: String,
    /// What an agent is told.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// For programs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

/// Changes of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UpdateStore {
    /// Another name; `None` keeps the one it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another description, an empty one for none; `None` keeps the one it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Pairs that are set, and keys that go; all others stay.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, Option<String>>,
}

impl CreateStore {
    /// Reads a body.
    ///
    /// # Errors
    /// What the contract does not allow.
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut fields = ObjectFields::read(bytes)?;
        let missing = Invalid::field("name", "has to be there");
        let name = fields.text("name")?.value().ok_or(missing)?;
        let description = fields.text("description")?.value().unwrap_or_default();
        let pairs = fields.texts("metadata")?.value().unwrap_or_default();
        let metadata = pairs.into_iter().map(|(key, value)| match value {
            Some(value) => Ok((key, value)),
            None => Err(Invalid::field("metadata", "has to have strings as values")),
        });
        let new = Self {
            name,
            description,
            metadata: metadata.collect::<Result<_, _>>()?,
        };
        new.check()?;
        Ok(new)
    }

    /// Holds it to the rules.
    ///
    /// # Errors
    /// What the contract does not allow.
    pub fn check(&self) -> Result<(), Invalid> {
        rules::name(&self.name)?;
        rules::description(&self.description)?;
        rules::metadata(&self.metadata)
    }
}

impl UpdateStore {
    /// Reads a body. `null` for a name, a description or all metadata keeps what is there.
    ///
    /// # Errors
    /// What the contract does not allow.
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut fields = ObjectFields::read_optional(bytes)?;
        let change = Self {
            name: fields.text("name")?.value(),
            description: fields.text("description")?.value(),
            metadata: fields
                .texts("metadata")?
                .value()
                .unwrap_or_default()
                .into_iter()
                .collect(),
        };
        change.check()?;
        Ok(change)
    }

    /// Holds it to the rules. Whether too many pairs come of it is known where those are that stay.
    ///
    /// # Errors
    /// What the contract does not allow.
    pub fn check(&self) -> Result<(), Invalid> {
        self.name.as_deref().map_or(Ok(()), rules::name)?;
        let description = self.description.as_deref();
        description.map_or(Ok(()), rules::description)?;
        let mut pairs = self.metadata.iter();
        pairs.try_for_each(|(key, value)| rules::metadata_pair(key, value.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_read_as_they_are_sent() {
        let new = CreateStore {
            name: "n".to_owned(),
            metadata: [("k".to_owned(), "v".to_owned())].into(),
            ..CreateStore::default()
        };
        let sent = serde_json::to_vec(&new).unwrap();
        assert_eq!(CreateStore::read(&sent), Ok(new));
        let body = br#"{"name":null,"description":"","metadata":{"k":null,"m":"1"}}"#;
        let change = UpdateStore::read(body).unwrap();
        assert_eq!(
            (change.name.as_deref(), change.description.as_deref()),
            (None, Some(""))
        );
        assert_eq!(change.metadata.len(), 2);
        let sent = serde_json::to_vec(&change).unwrap();
        assert_eq!(UpdateStore::read(&sent), Ok(change));
        assert_eq!(UpdateStore::read(b""), Ok(UpdateStore::default()));
    }

    #[test]
    fn what_is_wrong_is_refused() {
        for body in [
            "{}",
            r#"{"name":null}"#,
            r#"{"name":1}"#,
            r#"{"name":"n","metadata":{"k":null}}"#,
            r#"{"name":"n","metadata":{"k":1}}"#,
            r#"{"name":"n","metadata":[]}"#,
            r#"{"name":"n","description":[]}"#,
        ] {
            assert!(CreateStore::read(body.as_bytes()).is_err(), "{body}");
        }
    }
}
