//! The answer to a GET.

mod path_clashes;

use std::collections::{BTreeMap, BTreeSet};

use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use super::rejection::{RejectedKey, RejectionCode};
use super::{WireError, deserialize_label, read};
use crate::key::EntryKey;
use crate::limits::{ANSWER_BYTES_MAX, ENTRIES_MAX, ENTRY_BYTES_MAX};

/// What a store holds, or the part of it that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StateAnswer {
    /// The sequence number of the store's newest change.
    pub version: u64,
    /// What is there.
    pub entries: BTreeMap<EntryKey, RemoteEntry>,
    /// What was deleted on purpose, and not written since.
    pub deleted: BTreeMap<EntryKey, Tombstone>,
    /// What is there and rejected, only because it cannot stand beside what is among the entries.
    #[serde(skip)]
    pub clashing: BTreeMap<EntryKey, RemoteEntry>,
    /// Whether the state that the request knew is not among those that led to this one: the remote was put back to an
    /// older state since. `false` where that is not known.
    #[serde(skip)]
    pub is_put_back: bool,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteEntry {
    /// The text; absent in the view of hashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Of the text's bytes.
    pub sha256: Sha256,
    /// RFC 3339; for people only, nothing is decided by it.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub updated_at: String,
    /// Who wrote it.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub actor: String,
}

/// An entry that was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// Of the content that was deleted.
    pub sha256: Sha256,
    /// RFC 3339.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub updated_at: String,
    /// Who deleted it.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub actor: String,
}

#[derive(Deserialize)]
struct RawAnswer {
    version: u64,
    #[serde(default)]
    entries: Pairs<RemoteEntry>,
    #[serde(default)]
    deleted: Pairs<Tombstone>,
}

impl StateAnswer {
    /// Reads an answer, and says which keys were not taken.
    ///
    /// # Errors
    /// A body that is too large, or whose outer form is wrong.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<RejectedKey>), WireError> {
        let raw: RawAnswer = read(bytes, ANSWER_BYTES_MAX)?;
        let mut rejected = Vec::new();
        let (mut entries, mut clashing) = raw.entries.split_clashing(&mut rejected);
        let mut deleted = raw.deleted.sort_pairs(false, &mut rejected);
        let mut contradicted = BTreeSet::new();
        let mut count = 0;
        entries.retain(|key, entry| {
            let is_deleted = deleted.contains_key(key);
            let Some((code, why)) = entry_fault(entry, is_deleted, count) else {
                count += 1;
                return true;
            };
            if is_deleted {
                contradicted.insert(key.clone());
            }
            rejected.push(RejectedKey::new(key.as_str(), code, why));
            false
        });
        clashing.retain(|key, entry| entry_fault(entry, deleted.contains_key(key), 0).is_none());
        deleted.retain(|key, _| !contradicted.contains(key));
        let version = raw.version;
        let answer = Self {
            version,
            entries,
            deleted,
            clashing,
            is_put_back: false,
        };
        Ok((answer, rejected))
    }

    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// What is wrong with an entry whose key and form are right.
fn entry_fault(
    entry: &RemoteEntry,
    is_deleted: bool,
    count: usize,
) -> Option<(RejectionCode, &'static str)> {
    if is_deleted {
        return Some((
            RejectionCode::Duplicate,
            "it is said to be there and to be deleted",
        ));
    }
    if count >= ENTRIES_MAX {
        return Some((
            RejectionCode::StoreFull,
            "there are more entries than a store may hold",
        ));
    }
    let content = entry.content.as_ref()?;
    if content.len() > ENTRY_BYTES_MAX {
        return Some((
            RejectionCode::TooLarge,
            "its content is larger than 102,400 bytes",
        ));
    }
    let is_true = Sha256::digest(content.as_bytes()) == entry.sha256;
    (!is_true).then_some((
        RejectionCode::Checksum,
        "its checksum is not that of its content",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> String {
        let sha256 = Sha256::digest(text.as_bytes());
        format!(
            r#"{{"content":{text:?},"sha256":"{sha256}","updated_at":"t","actor":"a\u001b","new":1}}"#
        )
    }

    #[test]
    fn bad_keys_are_rejected_one_by_one() {
        let (a, b) = (entry("a"), entry("b"));
        let lie = a.replace("\"content\":\"a\"", "\"content\":\"z\"");
        let large = entry(&"x".repeat(ENTRY_BYTES_MAX + 1));
        let body = format!(
            r#"{{"version":3,"later":[],"entries":{{"good.md":{a},"../x":{a},"twice":{a},"twice":{b},
            "lie":{lie},"form":7,"large":{large},"dir":{a},"dir/x":{a},"Good.md":{a},"both":{a}}},
            "deleted":{{"gone":{{"sha256":"{sha}"}},"both":{{"sha256":"{sha}"}},"bad":{{}}}}}}"#,
            sha = Sha256::digest(b"g"),
        );
        let (answer, rejected) = StateAnswer::read(body.as_bytes()).unwrap();
        let keys: Vec<&str> = answer.entries.keys().map(EntryKey::as_str).collect();
        // `Good.md` comes first in byte order, so that every client keeps the same twin.
        assert_eq!(keys, ["Good.md", "dir"]);
        assert_eq!(answer.deleted.len(), 1);
        assert_eq!(answer.entries[&EntryKey::parse("dir").unwrap()].actor, "a");
        let mut codes: Vec<(&str, RejectionCode)> = rejected
            .iter()
            .map(|one| (one.name.as_str(), one.rejection.code))
            .collect();
        codes.sort_unstable();
        assert_eq!(
            codes,
            [
                ("../x", RejectionCode::InvalidKey),
                ("bad", RejectionCode::Form),
                ("both", RejectionCode::Duplicate),
                ("dir/x", RejectionCode::PathConflict),
                ("form", RejectionCode::Form),
                ("good.md", RejectionCode::Twin),
                ("large", RejectionCode::TooLarge),
                ("lie", RejectionCode::Checksum),
                ("twice", RejectionCode::Duplicate),
            ]
        );
    }

    #[test]
    fn a_body_of_the_wrong_form_is_refused_without_being_quoted() {
        for body in [
            "",
            "[]",
            "{}",
            r#"{"version":"hunter"}"#,
            r#"{"version":1,"entries":[]}"#,
            "{\"version\":1",
        ] {
            let error = StateAnswer::read(body.as_bytes()).unwrap_err().to_string();
            assert!(!error.contains("hunter"), "{error}");
        }
        let deep = format!(r#"{{"version":1,"x":{}}}"#, "[".repeat(100_000));
        assert!(StateAnswer::read(deep.as_bytes()).is_err());
    }

    #[test]
    fn more_entries_than_a_store_holds_are_cut() {
        let sha = Sha256::digest(b"x");
        let entries: Vec<String> = (0..ENTRIES_MAX + 5)
            .map(|n| format!(r#""k{n}":{{"sha256":"{sha}"}}"#))
            .collect();
        let body = format!(r#"{{"version":1,"entries":{{{}}}}}"#, entries.join(","));
        let (answer, rejected) = StateAnswer::read(body.as_bytes()).unwrap();
        assert_eq!((answer.entries.len(), rejected.len()), (ENTRIES_MAX, 5));
        let back = StateAnswer::read(&answer.to_json()).unwrap();
        assert_eq!(back, (answer, Vec::new()));
    }
}
