//! The answer to a PUT.

use std::collections::BTreeMap;

use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};

use super::pairs::Pairs;
use super::rejection::KeyRejection;
use super::{WireError, read};
use crate::key::EntryKey;
use crate::limits::ANSWER_BYTES_MAX;

/// What became of the keys of a PUT. A key that was to be deleted and is not rejected is deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PutAnswer {
    /// The sequence number of the store's newest change.
    pub version: u64,
    /// What is safe with the server: checksums by key.
    pub written: BTreeMap<EntryKey, Sha256>,
    /// What was not taken, by the name it was sent under.
    pub rejected: BTreeMap<String, KeyRejection>,
}

#[derive(Deserialize)]
struct RawWrite {
    version: u64,
    #[serde(default)]
    written: Pairs<Sha256>,
    #[serde(default)]
    rejected: Pairs<KeyRejection>,
}

impl PutAnswer {
    /// Reads an answer. What cannot be read of it counts neither as written nor as rejected.
    ///
    /// # Errors
    /// A body that is too large, or whose outer form is wrong.
    pub fn read(bytes: &[u8]) -> Result<Self, WireError> {
        let raw: RawWrite = read(bytes, ANSWER_BYTES_MAX)?;
        let rejected = raw.rejected.0.into_iter();
        Ok(Self {
            version: raw.version,
            written: raw.written.sort_pairs(false, &mut Vec::new()),
            rejected: rejected
                .filter_map(|(name, why)| Some((name, why?)))
                .collect(),
        })
    }

    /// The JSON of it.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::RejectionCode;

    #[test]
    fn what_cannot_be_read_is_not_acknowledged() {
        let sha = Sha256::digest(b"x");
        let body = format!(
            r#"{{"version":2,"written":{{"a":"{sha}","b":"beef","../c":"{sha}"}},
            "rejected":{{"d":{{"code":"invented","message":"m"}},"e":1}}}}"#
        );
        let answer = PutAnswer::read(body.as_bytes()).unwrap();
        assert_eq!(answer.written.len(), 1);
        assert_eq!(answer.rejected.len(), 1);
        assert_eq!(answer.rejected["d"].code, RejectionCode::Other);
        assert_eq!(
            PutAnswer::read(&answer.to_json()).unwrap().written,
            answer.written
        );
    }
}
