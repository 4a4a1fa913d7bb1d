//! The wrapped data keys of one place on this machine, in a file beside what they seal: `keys.json`.
//!
//! `{"current": id or null, "keys": {id: wrapped key in base64}}`. Whoever has the file and no master key has
//! nothing; whoever destroys it destroys what its keys sealed.
//!
//! | `keys.json` | mark | it means |
//! |---|---|---|
//! | - | - | off |
//! | current key | mark | on |
//! | current key | - | on: a crash came before the mark was made |
//! | keys, none current | - | off; what is still sealed opens |
//! | - | mark | the keys were lost: an error, never off |
//!
//! **Invariant:** no order of writes of our own leaves the last row. So the mark is made after the keys and removed before
//! them. Test: `encrypt_lost_keys::data_keys_that_are_gone_are_not_taken_for_encryption_that_is_off`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mem_core::{atomic, regular_file};
use serde::{Deserialize, Serialize};

use crate::{AssociatedData, DataKey, KeyId, MasterKey, MasterKeys, VaultError, key_of};

/// The name of the file.
const FILE: &str = "keys.json";
/// Says beside it that new contents are sealed: without the keys nobody takes that for off.
const MARK: &str = "encrypted";
/// What stands in it, for people.
const MARK_TEXT: &[u8] = b"What is new here is encrypted, by a key of keys.json.\n";
/// A file of keys is smaller.
const BYTES_MAX: u64 = 1024 * 1024;
/// What errors call one of them.
const WRAPPED: &str = "a data key";

/// What stands in the file.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyRing {
    current: Option<String>,
    keys: BTreeMap<String, String>,
}

impl KeyRing {
    /// Reads it; `None` where there is none, and there is to be none.
    ///
    /// # Errors
    /// It cannot be read, is something else, or is gone from where it was.
    pub(crate) fn read(place: &Path) -> Result<Option<Self>, VaultError> {
        let path = ring_path(place);
        let bytes = match regular_file::read(&path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mark = place.join(MARK);
                return match mark.exists() {
                    true => Err(VaultError::RingGone { ring: path, mark }),
                    false => Ok(None),
                };
            }
            Err(source) => {
                let step = "read";
                return Err(VaultError::File {
                    step,
                    path,
                    source: source.into(),
                });
            }
        };
        let ring = serde_json::from_slice(&bytes).map_err(|_| VaultError::Ring(path))?;
        Ok(Some(ring))
    }

    /// Writes it, or removes it where no key is left. The mark is there only while the keys are: it is made after
    /// them, and goes before them.
    ///
    /// # Errors
    /// The system's; the file is as it was.
    pub(crate) fn write(&self, place: &Path) -> Result<(), VaultError> {
        let mark = place.join(MARK);
        if self.current.is_none() {
            remove_file(mark)?;
            return self.write_keys(place);
        }
        self.write_keys(place)?;
        match mark.exists() {
            true => Ok(()),
            false => replace_file(mark, MARK_TEXT),
        }
    }

    /// Says that nothing is sealed any more, also while something is there that no key opens.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn write_off(&self, place: &Path) -> Result<(), VaultError> {
        replace_file(ring_path(place), &self.to_bytes())
    }

    /// The error about keys that are gone, with something that they sealed.
    pub(crate) fn lost_keys_error(place: &Path, sealed: PathBuf) -> VaultError {
        let ring = ring_path(place);
        VaultError::RingLost { ring, sealed }
    }

    /// Whether new contents of a place are sealed, as far as the mark tells.
    pub(crate) fn is_marked(place: &Path) -> bool {
        place.join(MARK).exists()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    fn write_keys(&self, place: &Path) -> Result<(), VaultError> {
        if self.keys.is_empty() {
            return remove_file(ring_path(place));
        }
        replace_file(ring_path(place), &self.to_bytes())
    }

    /// The name of the key that seals what is new.
    pub(crate) fn current_key(&self) -> Result<Option<KeyId>, VaultError> {
        let parse = |text: &String| KeyId::parse(text).ok_or(VaultError::Form(WRAPPED));
        self.current.as_ref().map(parse).transpose()
    }

    /// Says which one that is.
    pub(crate) fn set_current_key(&mut self, id: Option<KeyId>) {
        self.current = id.map(|id| id.to_string());
    }

    /// A key as it is wrapped.
    pub(crate) fn wrapped_key(&self, id: KeyId) -> Result<Vec<u8>, VaultError> {
        let text = self.keys.get(&id.to_string());
        let text = text.ok_or(VaultError::LostKey(id))?;
        STANDARD.decode(text).map_err(|_| VaultError::Form(WRAPPED))
    }

    /// Adds a key, or wraps it anew.
    pub(crate) fn put_key(
        &mut self,
        key: &DataKey,
        master: &MasterKey,
        belonging: &AssociatedData,
    ) -> Result<(), VaultError> {
        let wrapped = master.wrap_key(key, belonging)?;
        self.keys
            .insert(key.id().to_string(), STANDARD.encode(&wrapped));
        Ok(())
    }

    /// Wraps every key by the first of the master keys, and so finds that each can be had.
    pub(crate) fn rewrap_keys(
        &mut self,
        masters: &MasterKeys,
        belonging: &AssociatedData,
    ) -> Result<(), VaultError> {
        let names: Vec<String> = self.keys.keys().cloned().collect();
        for name in names {
            let id = KeyId::parse(&name).ok_or(VaultError::Form(WRAPPED))?;
            let wrapped = self.wrapped_key(id)?;
            let key = masters.unwrap_key(&wrapped, belonging)?;
            let first = masters.first_key()?;
            if key_of(&wrapped, WRAPPED)? != first.id() {
                self.put_key(&key, first, belonging)?;
            }
        }
        Ok(())
    }

    /// Forgets all keys but the one that seals, and tells how many those were.
    pub(crate) fn end_others(&mut self) -> usize {
        let before = self.keys.len();
        let current = self.current.clone();
        self.keys.retain(|name, _| Some(name) == current.as_ref());
        before - self.keys.len()
    }

    /// The names of the master keys that wrapped its keys.
    pub(crate) fn master_ids(&self) -> Vec<KeyId> {
        let wrapped = self
            .keys
            .values()
            .filter_map(|text| STANDARD.decode(text).ok());
        let mut masters: Vec<KeyId> = wrapped
            .filter_map(|wrapped| key_of(&wrapped, WRAPPED).ok())
            .collect();
        masters.sort_unstable();
        masters.dedup();
        masters
    }
}

fn replace_file(path: PathBuf, bytes: &[u8]) -> Result<(), VaultError> {
    atomic::replace_file(&path, bytes).map_err(|error| VaultError::File {
        step: "write",
        path,
        source: io::Error::other(error.to_string()).into(),
    })
}

fn remove_file(path: PathBuf) -> Result<(), VaultError> {
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            let step = "remove";
            Err(VaultError::File {
                step,
                path,
                source: source.into(),
            })
        }
        _ => Ok(()),
    }
}

fn ring_path(place: &Path) -> PathBuf {
    place.join(FILE)
}
