//! The texts of shared indexes that no version here has: an index is sent without the entries of memories that may not
//! leave, and with `team.push = "review"` without the lines that wait, so that the remote has another text than the file.
//!
//! One file per share, next to the state of the protocol: JSON, sealed as that state is. A text is kept as long as the
//! remote has it, both ends last agreed on it, or it was the last that was to be sent. A redaction cleans a text under the
//! checksum that it had: which lines changed since can then be seen still.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mem_core::history::Sha256;
use mem_core::sealing::{SealError, StateCipher};
use mem_core::{regular_file, state_file};
use mem_sync::EntryKey;
use mem_sync::base::SyncState;
use mem_sync::decide::KnownKey;
use serde::{Deserialize, Serialize};

use super::place::{SENT_INDEXES, SharePlace};

/// What the file is sealed for, and what errors call it.
const BELONGING: [&str; 1] = ["shared indexes"];
const WHAT: &str = "a shared index";

/// The texts of one share.
#[derive(Debug)]
pub struct SentIndexes {
    path: PathBuf,
    seal: StateCipher,
    kept: SentTexts,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct SentTexts {
    /// By key and checksum.
    texts: BTreeMap<EntryKey, BTreeMap<String, String>>,
    /// The checksums of the texts that were last to be sent.
    last: BTreeMap<EntryKey, String>,
}

impl SentIndexes {
    /// Reads the file. One that is missing, damaged or cannot be opened holds no text: an index then waits as a whole.
    pub fn load_texts(place: &SharePlace) -> Self {
        Self::load_file(place.sent_indexes(), place.seal().clone())
    }

    /// Reads one such file.
    pub(crate) fn load_file(path: PathBuf, seal: StateCipher) -> Self {
        let kept = read(&path, &seal).ok().flatten();
        let kept = kept.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let kept = kept.unwrap_or_default();
        Self { path, seal, kept }
    }

    /// A text of a key.
    pub fn text_of(&self, key: &EntryKey, sha256: Sha256) -> Option<&str> {
        let texts = self.kept.texts.get(key)?;
        texts.get(&sha256.to_string()).map(String::as_str)
    }

    /// The checksum of the text that was last to be sent.
    pub fn last_sent(&self, key: &EntryKey) -> Option<Sha256> {
        self.kept.last.get(key)?.parse().ok()
    }

    /// Keeps a text, where it is one.
    pub fn keep_text(&mut self, key: &EntryKey, bytes: &[u8]) {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let texts = self.kept.texts.entry(key.clone()).or_default();
            texts.insert(Sha256::digest(bytes).to_string(), text.to_owned());
        }
    }

    /// Cleans the texts, and keeps those of `agreed`, cleaned. Those of a key that `names` holds go. `clean` returns `None`
    /// where a text is clean.
    pub(crate) fn redact_texts(
        &mut self,
        agreed: impl IntoIterator<Item = (EntryKey, Sha256, Vec<u8>)>,
        clean: impl Fn(&EntryKey, &[u8]) -> Option<Vec<u8>>,
        names: impl Fn(&EntryKey) -> bool,
    ) {
        for (key, sha256, bytes) in agreed {
            // The history keeps a clean one under its checksum.
            if let (Some(_), Ok(text)) = (clean(&key, &bytes), String::from_utf8(bytes)) {
                let texts = self.kept.texts.entry(key).or_default();
                texts.entry(sha256.to_string()).or_insert(text);
            }
        }
        self.kept.texts.retain(|key, _| !names(key));
        self.kept.last.retain(|key, _| !names(key));
        for (key, texts) in &mut self.kept.texts {
            for text in texts.values_mut() {
                if let Some(cleaned) = clean(key, text.as_bytes()) {
                    *text = String::from_utf8_lossy(&cleaned).into_owned();
                }
            }
        }
    }

    /// Notes which text was last to be sent.
    pub fn set_last(&mut self, key: &EntryKey, sha256: Sha256) {
        self.kept.last.insert(key.clone(), sha256.to_string());
    }

    /// Forgets which text was last to be sent: it is the file's.
    pub fn remove_last(&mut self, key: &EntryKey) {
        self.kept.last.remove(key);
    }

    /// Forgets the texts that nothing refers to any more; without `is_filtered` (everything is sent) also which was the
    /// last, because no later run notes it.
    pub fn prune_texts(&mut self, state: &SyncState, is_filtered: bool) {
        if !is_filtered {
            self.kept.last.clear();
        }
        let last = &self.kept.last;
        self.kept.texts.retain(|key, texts| {
            let known = [state.base(key), state.remote_of(key)];
            let known = known.into_iter().flatten().map(|known| match known {
                KnownKey::At(sha256) | KnownKey::Gone(sha256) => sha256.to_string(),
            });
            let needed: Vec<String> = known.chain(last.get(key).cloned()).collect();
            texts.retain(|sha256, _| needed.contains(sha256));
            !texts.is_empty()
        });
    }

    /// Writes the file where it differs.
    ///
    /// # Errors
    /// It cannot be sealed or written.
    pub fn save(&self) -> Result<(), state_file::StateError> {
        let before = read(&self.path, &self.seal).ok().flatten();
        let before = before.and_then(|bytes| serde_json::from_slice::<SentTexts>(&bytes).ok());
        match before == Some(self.kept.clone())
            || !self.path.exists() && self.kept == SentTexts::default()
        {
            true => Ok(()),
            false => self.write(),
        }
    }

    fn write(&self) -> Result<(), state_file::StateError> {
        let json = serde_json::to_vec(&self.kept).unwrap_or_default();
        let sealed = self.seal.closed(json, &BELONGING)?;
        state_file::write(&self.path, &sealed)
    }
}

/// Where the texts of the share are whose state is kept at a path.
pub(crate) fn beside_state(state: &Path) -> PathBuf {
    let stem = state.file_stem().unwrap_or_default();
    state.with_file_name(format!("{}-{SENT_INDEXES}", stem.to_string_lossy()))
}

/// The opened bytes of such a file; `None` where there is none.
///
/// # Errors
/// It cannot be read or opened.
pub fn read(path: &Path, seal: &StateCipher) -> Result<Option<Vec<u8>>, SealError> {
    let Ok(bytes) = regular_file::read_whole(path) else {
        return Ok(None);
    };
    Ok(Some(seal.opened(bytes, &BELONGING, WHAT)?.into_owned()))
}

/// Writes such a file as it is to be sealed now.
///
/// # Errors
/// It cannot be opened, sealed or written.
pub fn reseal_file(path: &Path, seal: &StateCipher) -> Result<(), state_file::StateError> {
    let Some(bytes) = read(path, seal)? else {
        return Ok(());
    };
    state_file::write(path, &seal.closed(bytes, &BELONGING)?)
}
