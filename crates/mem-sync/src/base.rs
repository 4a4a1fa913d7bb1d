//! What one machine remembers of a remote between two runs. One JSON file for each repository, in the
//! state place, never among the notes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use mem_core::history::Sha256;
use mem_core::state_file::{self, StateError};
use serde::{Deserialize, Serialize};

use crate::decide::Known;
use crate::key::Key;
use crate::wire::{Code, ETag};

/// All that is remembered. What is lost of it costs merges and copies, never a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The repository it is about, as `host/owner/repo`.
    pub repository: String,
    /// What the remote was last seen to be.
    pub view: View,
    /// Of each file, what it last had in common with the remote. Moves when the remote has acknowledged
    /// a push, and when a file has been written from the remote.
    pub base: BTreeMap<Key, Known>,
    /// What is being written from the remote right now. Noted before the first file is touched: after a
    /// crash, such content is known not to be anybody's change.
    pub taking: BTreeMap<Key, Sha256>,
    /// Local texts that gave way, until a person has looked.
    pub conflicts: Vec<Conflict>,
    /// What is not sent again as it is.
    pub held: BTreeMap<Key, Held>,
    /// What is to be deleted for everybody, with the checksum of the content that is meant.
    pub deleting: BTreeMap<Key, Sha256>,
    /// Why, of some of these.
    pub reasons: BTreeMap<Key, String>,
}

/// A remote at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The name of that moment; `None` before the first answer.
    pub etag: Option<ETag>,
    /// Its sequence number.
    pub version: u64,
    /// What it held, bad keys left out.
    pub keys: BTreeMap<Key, Seen>,
}

/// One key of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// There or deleted.
    pub known: Known,
    /// Who wrote or deleted it.
    pub actor: String,
    /// When, RFC 3339.
    pub updated_at: String,
}

/// A local text that gave way to the remote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// Where it stood.
    pub key: Key,
    /// The text.
    pub local: Kept,
    /// What both came from, if that is known.
    pub base: Option<Known>,
    /// What the remote had.
    pub remote: Known,
}

/// A file's bytes, as text where they are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Kept {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

/// Why a key waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The content that was refused; other content is tried.
    pub sha256: Sha256,
    /// The server's word.
    pub code: Code,
    /// The server's sentence.
    pub message: String,
    /// Set where the refusal has to do with what else the store holds: another state of it is tried.
    pub etag: Option<ETag>,
}

impl Kept {
    /// Keeps some bytes.
    pub fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Bytes(error.into_bytes()),
        }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl State {
    /// What a file with this checksum last had in common with the remote.
    pub fn base_of(&self, key: &Key, local: Option<Sha256>) -> Option<Known> {
        match (self.taking.get(key), local) {
            (Some(&taking), Some(local)) if taking == local => Some(Known::At(local)),
            _ => self.base.get(key).copied(),
        }
    }

    /// What the remote is known to be.
    pub fn remote_of(&self, key: &Key) -> Option<Known> {
        self.view.keys.get(key).map(|seen| seen.known)
    }

    /// Every key that anything is known of.
    pub fn keys(&self) -> BTreeSet<Key> {
        self.view
            .keys
            .keys()
            .chain(self.base.keys())
            .cloned()
            .collect()
    }

    /// Keeps a copy, unless the same one is there already.
    pub fn keep(&mut self, conflict: Conflict) {
        let same = |one: &Conflict| one.key == conflict.key && one.local == conflict.local;
        if !self.conflicts.iter().any(same) {
            self.conflicts.push(conflict);
        }
    }

    /// Whether this content is held back for now.
    pub fn is_held(&self, key: &Key, sha256: Sha256) -> Option<&Held> {
        self.held.get(key).filter(|held| {
            let unchanged = held.etag.is_none() || held.etag == self.view.etag;
            held.sha256 == sha256 && unchanged
        })
    }
}

/// Where a state is kept.
pub trait Keep {
    /// Makes a state survive a crash from here on.
    ///
    /// # Errors
    /// It could not be written; the old one is still there.
    fn save(&mut self, state: &State) -> Result<(), StateError>;
}

/// A state in a file of its own.
#[derive(Clone, Debug)]
pub struct StateFile(pub PathBuf);

impl StateFile {
    /// What was saved, and a warning where that is damaged; nothing where nothing was.
    pub fn load(&self) -> (State, Option<String>) {
        state_file::read(&self.0)
    }
}

impl Keep for StateFile {
    /// Under the file's lock, atomically; a damaged file is set aside first.
    fn save(&mut self, state: &State) -> Result<(), StateError> {
        state_file::put(&self.0, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_and_a_damaged_one_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = StateFile(folder.path().join("team").join("state.json"));
        assert_eq!(file.load(), (State::default(), None));
        let key = Key::parse("a.md").unwrap();
        let sha = Sha256::of(b"x");
        let mut state = State::default();
        state.view.etag = Some(ETag::of_version(3));
        state.base.insert(key.clone(), Known::Gone(sha));
        for bytes in [b"text".to_vec(), vec![0xff, 0]] {
            let local = Kept::new(bytes);
            let (base, remote) = (None, Known::At(sha));
            state.keep(Conflict {
                key: key.clone(),
                local,
                base,
                remote,
            });
        }
        state.keep(state.conflicts[0].clone());
        assert_eq!(state.conflicts.len(), 2);
        file.save(&state).unwrap();
        assert_eq!(file.load(), (state.clone(), None));
        mem_core::atomic::replace(&file.0, b"{\"view\":").unwrap();
        assert!(file.load().1.is_some());
        file.save(&state).unwrap();
        assert!(file.0.with_extension("damaged-1").exists());
        assert_eq!(file.load(), (state, None));
    }
}
