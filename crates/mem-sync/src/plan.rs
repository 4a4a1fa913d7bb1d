//! What leaves, and in which portions.

use std::collections::BTreeMap;

use mem_core::history::Sha256;
use mem_core::memory_path::printable;

use crate::key::EntryKey;
use crate::limits::{ENTRY_BYTES_MAX, PUT_BYTES_MAX};
use crate::outbound_scan::{Leak, OutboundScan, OutboundScanError};
use crate::wire::PutBody;

/// A file that stays here, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockedFile {
    /// It holds a secret.
    #[error("`{shown}` holds a secret: {leak}{}", and_more(*count))]
    Secret {
        /// The key, or its folder where the key itself holds the secret.
        shown: String,
        /// The first finding.
        leak: Leak,
        /// How many there are.
        count: usize,
    },
    /// It is about a person, and goes to a team.
    #[error("`{0}` is about a person: not for the team tier")]
    AboutPerson(EntryKey),
    /// It is not UTF-8.
    #[error("`{0}` is not UTF-8")]
    NotText(EntryKey),
    /// It is larger than an entry may be.
    #[error("`{key}` has {bytes} bytes, more than {ENTRY_BYTES_MAX}")]
    TooLarge {
        /// Which file.
        key: EntryKey,
        /// Its size.
        bytes: usize,
    },
    /// Its JSON alone is larger than a PUT may be: it is made of characters that JSON escapes.
    #[error("`{0}` is larger than {PUT_BYTES_MAX} bytes as it would be sent")]
    TooLargeAsSent(EntryKey),
}

fn and_more(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        count => format!(", and {} more", count - 1),
    }
}

/// A text that may leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The text.
    pub text: String,
    /// Its checksum.
    pub sha256: Sha256,
    /// Whether it is meant although it is what was deleted for everybody.
    pub revives: bool,
}

/// Looks at one file that is to leave.
///
/// # Errors
/// The scan could not run; then nothing may leave.
pub fn inspect_outgoing(
    key: &EntryKey,
    bytes: Vec<u8>,
    screen: &impl OutboundScan,
) -> Result<Result<Outgoing, BlockedFile>, OutboundScanError> {
    if bytes.len() > ENTRY_BYTES_MAX {
        let (key, bytes) = (key.clone(), bytes.len());
        return Ok(Err(BlockedFile::TooLarge { key, bytes }));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Err(BlockedFile::NotText(key.clone())));
    };
    let leaks = screen.find_leaks(key, &text)?;
    if let Some(leak) = leaks.first() {
        let in_name = leaks.iter().any(|leak| leak.line.is_none());
        return Ok(Err(BlockedFile::Secret {
            shown: if in_name {
                redacted_folder(key)
            } else {
                printable(key.as_str())
            },
            leak: leak.clone(),
            count: leaks.len(),
        }));
    }
    // After the scan: a secret in a memory about a person is named as a secret.
    if screen.is_about_person(key, &text) {
        return Ok(Err(BlockedFile::AboutPerson(key.clone())));
    }
    // After the scan: a secret in a file that is too large as sent is named as a secret.
    if json_bytes(key, &text) + FRAME_BYTES > PUT_BYTES_MAX {
        return Ok(Err(BlockedFile::TooLargeAsSent(key.clone())));
    }
    let sha256 = Sha256::digest(text.as_bytes());
    Ok(Ok(Outgoing {
        text,
        sha256,
        revives: false,
    }))
}

/// The key without the segments that may be secret: all of them may.
fn redacted_folder(key: &EntryKey) -> String {
    format!("{}…", "*/".repeat(key.as_str().matches('/').count()))
}

/// `{"entries":{}}`.
const FRAME_BYTES: usize = 14;
/// `,"revive":[]`, once there is one.
const REVIVE_BYTES: usize = 12;

/// Portions of at most `max` bytes of JSON as sent, in the order of the keys; the same texts always make
/// the same portions. A text that is larger by itself makes a portion of its own.
pub fn split_batches(outgoing: &BTreeMap<EntryKey, Outgoing>, max: usize) -> Vec<PutBody> {
    let mut batches = Vec::new();
    let mut batch = PutBody::default();
    let mut size = FRAME_BYTES;
    for (key, one) in outgoing {
        if size + added_size(key, one, &batch) > max && !batch.entries.is_empty() {
            batches.push(std::mem::take(&mut batch));
            size = FRAME_BYTES;
        }
        size += added_size(key, one, &batch);
        batch.entries.insert(key.clone(), one.text.clone());
        if one.revives {
            batch.revive.insert(key.clone());
        }
    }
    if !batch.entries.is_empty() {
        batches.push(batch);
    }
    batches
}

/// By how much a text makes a portion longer.
fn added_size(key: &EntryKey, one: &Outgoing, batch: &PutBody) -> usize {
    let revives = match (one.revives, batch.revive.is_empty()) {
        (false, _) => 0,
        (true, true) => REVIVE_BYTES + json_string(key.as_str()),
        (true, false) => 1 + json_string(key.as_str()),
    };
    json_bytes(key, &one.text) + usize::from(!batch.entries.is_empty()) + revives
}

/// `"KEY":"TEXT"` as JSON, in bytes.
fn json_bytes(key: &EntryKey, text: &str) -> usize {
    json_string(key.as_str()) + 1 + json_string(text)
}

fn json_string(text: &str) -> usize {
    serde_json::to_string(text).map_or(usize::MAX / 4, |json| json.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Word(&'static str);

    impl OutboundScan for Word {
        fn find_leaks(&self, _: &EntryKey, text: &str) -> Result<Vec<Leak>, OutboundScanError> {
            if text.contains("fail") {
                return Err(OutboundScanError("the rules cannot be read".to_owned()));
            }
            let leak = || Leak {
                rule: "word".to_owned(),
                line: Some(1),
            };
            Ok(text.matches(self.0).map(|_| leak()).collect())
        }
    }

    #[test]
    fn what_may_not_leave_is_named() {
        let key = EntryKey::parse("a/b.md").unwrap();
        let see = |bytes: &[u8]| inspect_outgoing(&key, bytes.to_vec(), &Word("no"));
        assert!(see(b"fail").is_err());
        assert!(see(b"fine").unwrap().is_ok());
        let said = |bytes: &[u8]| see(bytes).unwrap().unwrap_err().to_string();
        assert_eq!(
            said(b"no no"),
            "`a/b.md` holds a secret: word in line 1, and 1 more"
        );
        assert_eq!(said(&[0xff]), "`a/b.md` is not UTF-8");
        assert!(said(&vec![b'x'; ENTRY_BYTES_MAX + 1]).contains("more than 102400"));
        assert!(said(&vec![1; ENTRY_BYTES_MAX]).contains("as it would be sent"));
        assert!(see(&vec![b'x'; ENTRY_BYTES_MAX]).unwrap().is_ok());
    }

    proptest! {
        #[test]
        fn portions_keep_the_limit_and_everything_in_order(
            texts in proptest::collection::btree_map("[a-z]{1,8}", "(\\PC|\n|\"){0,80}", 0..30),
            max in 60..400_usize,
        ) {
            let outgoing: BTreeMap<EntryKey, Outgoing> = texts
                .into_iter()
                .filter_map(|(name, text)| {
                    let sha256 = Sha256::digest(text.as_bytes());
                    let revives = name.len() % 2 == 0;
                    let one = Outgoing { text, sha256, revives };
                    Some((EntryKey::parse(&name).ok()?, one))
                })
                .collect();
            let batches = split_batches(&outgoing, max);
            for batch in &batches {
                prop_assert!(batch.to_json().len() <= max || batch.entries.len() == 1);
            }
            for pair in batches.windows(2) {
                let next = pair[1].entries.iter().next().unwrap();
                let mut fuller = pair[0].clone();
                fuller.entries.insert(next.0.clone(), next.1.clone());
                fuller.revive.extend(pair[1].revive.get(next.0).cloned());
                prop_assert!(fuller.to_json().len() > max, "a portion could have been fuller");
            }
            let sent: Vec<(EntryKey, String)> = batches.into_iter().flat_map(|b| b.entries).collect();
            let all: Vec<(EntryKey, String)> = outgoing.into_iter().map(|(k, o)| (k, o.text)).collect();
            prop_assert_eq!(sent, all);
        }
    }
}
