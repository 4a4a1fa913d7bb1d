//! The body of a PUT.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use super::rejection::{RejectedKey, RejectionCode};
use super::{WireError, read};
use crate::key::EntryKey;
use crate::limits::{BODY_KEYS_MAX, ENTRY_BYTES_MAX, PUT_BYTES_MAX};

/// What is to be written and deleted; keys that are not named stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PutBody {
    /// New texts by key.
    pub entries: BTreeMap<EntryKey, String>,
    /// What is to be deleted for everybody.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub delete: BTreeSet<EntryKey>,
    /// Why, of some of these. An end that does not know the field passes over it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<EntryKey, String>,
    /// Which of the new texts are meant although they are the very ones that were deleted: somebody who
    /// had seen the deletion took it back. An end that does not know the field rejects those.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub revive: BTreeSet<EntryKey>,
}

#[derive(Deserialize)]
struct RawBody {
    #[serde(default)]
    entries: Pairs<String>,
    #[serde(default)]
    delete: Vec<String>,
    #[serde(default)]
    reasons: Pairs<String>,
    #[serde(default)]
    revive: Vec<String>,
}

impl PutBody {
    /// Reads a body as a server has to, and says which keys were not taken. Whether keys fit what is
    /// stored is the store's business.
    ///
    /// # Errors
    /// A body that is too large, or whose outer form is wrong.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<RejectedKey>), WireError> {
        Self::read_up_to(bytes, PUT_BYTES_MAX)
    }

    /// The same, where more than a PUT may come at once: at most `max` bytes.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn read_up_to(bytes: &[u8], max: usize) -> Result<(Self, Vec<RejectedKey>), WireError> {
        let raw: RawBody = read(bytes, max)?;
        let mut rejected = Vec::new();
        let mut entries = raw.entries.sort_pairs(true, &mut rejected);
        entries.retain(|key, text| {
            let fits = text.len() <= ENTRY_BYTES_MAX;
            if !fits {
                let why = "its content is larger than 102,400 bytes";
                rejected.push(RejectedKey::new(key.as_str(), RejectionCode::TooLarge, why));
            }
            fits
        });
        let mut delete = BTreeSet::new();
        for name in raw.delete.iter().take(BODY_KEYS_MAX) {
            match EntryKey::parse(name) {
                Ok(key) => drop(delete.insert(key)),
                Err(error) => {
                    rejected.push(RejectedKey::new(
                        name,
                        RejectionCode::InvalidKey,
                        &error.to_string(),
                    ));
                }
            }
        }
        let both: Vec<EntryKey> = delete
            .iter()
            .filter(|key| entries.contains_key(*key))
            .cloned()
            .collect();
        for key in both {
            entries.remove(&key);
            delete.remove(&key);
            let why = "it is to be written and to be deleted";
            rejected.push(RejectedKey::new(
                key.as_str(),
                RejectionCode::Duplicate,
                why,
            ));
        }
        // What is wrong with a reason costs the reason: nobody waits for it.
        let mut reasons = raw.reasons.sort_pairs(false, &mut Vec::new());
        reasons.retain(|key, _| delete.contains(key));
        reasons
            .values_mut()
            .for_each(|text| *text = super::clean_reason(text));
        let names = raw.revive.iter().take(BODY_KEYS_MAX);
        let mut revive: BTreeSet<EntryKey> = names
            .filter_map(|name| EntryKey::parse(name).ok())
            .collect();
        revive.retain(|key| entries.contains_key(key));
        let body = Self {
            entries,
            delete,
            reasons,
            revive,
        };
        Ok((body, rejected))
    }

    /// The JSON of it, as it is sent.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_kept_of_what_is_deleted_cut_and_on_one_line() {
        let long = "x".repeat(600);
        let body = serde_json::json!({
            "delete": ["a.md", "b.md", "c.md"],
            "reasons": { "a.md": "over\n\u{1b}now", "b.md": long, "c.md": 7, "other.md": "no" },
        });
        let (body, rejected) = PutBody::read(body.to_string().as_bytes()).unwrap();
        assert!(rejected.is_empty() && body.delete.len() == 3);
        let of = |name: &str| body.reasons.get(&EntryKey::parse(name).unwrap());
        assert_eq!(of("a.md").unwrap(), "over now");
        assert_eq!(of("b.md").unwrap().len(), 500);
        assert!(of("c.md").is_none() && of("other.md").is_none());
        assert_eq!(PutBody::read(&body.to_json()).unwrap().0, body);
    }

    #[test]
    fn only_what_is_written_can_be_revived() {
        let body = br#"{"entries":{"a.md":"x"},"revive":["a.md","other.md","../b"]}"#;
        let (body, rejected) = PutBody::read(body).unwrap();
        assert!(rejected.is_empty());
        assert_eq!(
            body.revive,
            BTreeSet::from([EntryKey::parse("a.md").unwrap()])
        );
        assert_eq!(PutBody::read(&body.to_json()).unwrap().0, body);
    }

    #[test]
    fn a_hostile_body_costs_its_bad_keys_only() {
        let body = br#"{"entries":{"a.md":"x","a.md":"y","b.md":"z","../c":"","n":null,"d":"1"},
            "delete":["e.md","/f","d"],"x":{}}"#;
        let (body, rejected) = PutBody::read(body).unwrap();
        assert_eq!(
            body.to_json(),
            br#"{"entries":{"b.md":"z"},"delete":["e.md"]}"#
        );
        let names: BTreeSet<&str> = rejected.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, BTreeSet::from(["../c", "/f", "a.md", "d", "n"]));
        let long = format!("{}\u{1b}", "a".repeat(300));
        let long = serde_json::json!({ "delete": [long] }).to_string();
        let (_, rejected) = PutBody::read(long.as_bytes()).unwrap();
        assert_eq!(
            rejected[0].name.len(),
            301,
            "the sender would not know its key again"
        );
        assert!(!rejected[0].to_string().contains('\u{1b}'));
        assert!(PutBody::read(&[b'x', 0xff]).is_err());
        assert!(
            PutBody::read(b" [{\"a.md\":\"x\"}]").is_err(),
            "a list is no object"
        );
        let large = vec![b' '; PUT_BYTES_MAX + 1];
        assert!(matches!(PutBody::read(&large), Err(WireError::Size { .. })));
    }
}
