//! The answer to a GET, written piece by piece: whoever has one entry after the other need not have all of them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Entry, Tombstone};
use crate::key::Key;
use crate::wire::WireError;

/// An answer on its way out. Told in the order of the keys it is what [`super::Answer::to_json`] says.
#[derive(Debug)]
pub struct Telling {
    is_first: bool,
}

impl Telling {
    /// Writes what stands in front of the entries.
    pub fn begin(version: u64, text: &mut Vec<u8>) -> Self {
        text.extend_from_slice(format!(r#"{{"version":{version},"entries":{{"#).as_bytes());
        Self { is_first: true }
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// It cannot be said in JSON.
    pub fn entry(&mut self, key: &Key, entry: &Entry, text: &mut Vec<u8>) -> Result<(), WireError> {
        if !std::mem::take(&mut self.is_first) {
            text.push(b',');
        }
        write(key, text)?;
        text.push(b':');
        write(entry, text)
    }

    /// Writes what was deleted, and the end.
    ///
    /// # Errors
    /// It cannot be said in JSON.
    pub fn end(
        &mut self,
        deleted: &BTreeMap<Key, Tombstone>,
        text: &mut Vec<u8>,
    ) -> Result<(), WireError> {
        text.extend_from_slice(br#"},"deleted":"#);
        write(deleted, text)?;
        text.push(b'}');
        Ok(())
    }
}

fn write(value: &impl Serialize, text: &mut Vec<u8>) -> Result<(), WireError> {
    let written = serde_json::to_writer(text, value);
    written.map_err(|error| WireError::Form {
        line: error.line(),
        column: error.column(),
    })
}

#[cfg(test)]
mod tests {
    use mem_core::history::Sha256;

    use super::*;
    use crate::wire::Answer;

    #[test]
    fn what_is_told_piece_by_piece_is_what_is_told_at_once() {
        let key = |name: &str| Key::parse(name).unwrap();
        let sha256 = Sha256::of(b"x");
        let label = |text: &str| text.to_owned();
        let entry = |content: &str| Entry {
            content: Some(label(content)),
            sha256,
            updated_at: label("t"),
            actor: label("a \"quoted\" name"),
        };
        let tombstone = Tombstone {
            sha256,
            updated_at: label("t"),
            actor: label("ann"),
        };
        let mut answer = Answer::default();
        for version in 0..3 {
            answer.version = version;
            let mut text = Vec::new();
            let mut telling = Telling::begin(version, &mut text);
            for (key, entry) in &answer.entries {
                telling.entry(key, entry, &mut text).unwrap();
            }
            telling.end(&answer.deleted, &mut text).unwrap();
            assert_eq!(text, answer.to_json());
            answer
                .entries
                .insert(key(&format!("{version}/é.md")), entry("\"\\\n\u{1}é"));
            answer
                .deleted
                .insert(key(&format!("gone{version}")), tombstone.clone());
        }
    }
}
