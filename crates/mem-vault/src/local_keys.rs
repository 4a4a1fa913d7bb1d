//! The data keys of a person's machine: one place for all that belongs to no one memory directory, and one for the
//! state of each. Each place has a file of wrapped keys ([`crate::key_ring`]), read anew for everything that is
//! sealed, so that whoever runs for long follows when another process appoints a new key.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mem_core::sealing::{EncryptionTarget, Keys, SealError, StateKey};
use mem_core::state_file;

use crate::encryption_evidence;
use crate::key_ring::KeyRing;
use crate::{AssociatedData, DataKey, KeyId, MasterKeys, VaultError, key_of};

/// A source that does not have a key is not asked for it more often: it may be a program that asks a person.
const EVERY: Duration = Duration::from_secs(1);
/// Nor one that failed: it may hang, and much of what one run does asks for a key.
const AFTER_FAILURE: Duration = Duration::from_secs(20);
/// Held while keys are written.
const LOCK: &str = "keys.lock";
/// What errors call a wrapped key, and what it seals.
const WRAPPED: &str = "a data key";

type Ask = dyn Fn() -> Result<MasterKeys, VaultError> + Send + Sync;

/// The keys below a folder of state, and where the master key comes from.
pub struct LocalKeys {
    home: PathBuf,
    ask: Box<Ask>,
    given: Mutex<SourceKeys>,
    met: Mutex<HashMap<KeyId, Arc<DataKey>>>,
}

/// What the source gave last, a key that it did not have, and how it failed.
#[derive(Default)]
struct SourceKeys {
    masters: MasterKeys,
    missing: Option<(KeyId, Instant)>,
    failed: Option<(VaultError, Instant)>,
}

impl LocalKeys {
    /// Those of a person whose state is in `home`. The source is asked once a process, when a key is first needed.
    pub fn from_home(
        home: &Path,
        ask: impl Fn() -> Result<MasterKeys, VaultError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            home: home.to_owned(),
            ask: Box::new(ask),
            given: Mutex::default(),
            met: Mutex::default(),
        }
    }

    /// The names of the master keys that keys of a place are wrapped by.
    ///
    /// # Errors
    /// The file of the place cannot be read.
    pub fn masters_of(place: &Path) -> Result<Vec<KeyId>, VaultError> {
        Ok(KeyRing::read(place)?.map_or_else(Vec::new, |ring| ring.master_ids()))
    }

    /// What a place's keys are wrapped for.
    fn associated_data(&self, place: &Path) -> AssociatedData {
        // Relative to the state: a file of keys that is copied to another place opens nothing, one that moves with the
        // whole state does.
        let name = place.strip_prefix(&self.home).unwrap_or(place);
        AssociatedData::from_words(&["local data key", &name.to_string_lossy()])
    }

    fn lock_keys(&self) -> Result<File, VaultError> {
        let path = self.home.join(LOCK);
        state_file::lock(&path).map_err(|error| VaultError::File {
            step: "lock",
            path,
            source: std::io::Error::other(error.to_string()).into(),
        })
    }

    /// The master keys, with the one of this name where the source has it.
    fn masters_for(&self, wanted: KeyId) -> Result<MasterKeys, VaultError> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = |masters: &MasterKeys| masters.key_ids().contains(&wanted);
        let was_missing = given
            .missing
            .is_some_and(|(name, asked)| name == wanted && asked.elapsed() < EVERY);
        if is_there(&given.masters) || was_missing {
            return Ok(given.masters.clone());
        }
        if let Some((error, at)) = &given.failed
            && at.elapsed() < AFTER_FAILURE
        {
            return Err(error.clone());
        }
        given.masters = match (self.ask)() {
            Ok(masters) => masters,
            Err(error) => {
                // What a person mends at once, a file above all, is asked for again.
                given.failed = matches!(error, VaultError::Source { .. })
                    .then(|| (error.clone(), Instant::now()));
                return Err(error);
            }
        };
        if !is_there(&given.masters) {
            given.missing = Some((wanted, Instant::now()));
        }
        Ok(given.masters.clone())
    }

    /// The master keys as the source gives them now.
    fn load_master_keys(&self) -> Result<MasterKeys, VaultError> {
        let masters = (self.ask)()?;
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.masters = masters.clone();
        Ok(masters)
    }

    fn lock_known_keys(&self) -> MutexGuard<'_, HashMap<KeyId, Arc<DataKey>>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unwrap_key(
        &self,
        place: &Path,
        ring: &KeyRing,
        id: KeyId,
    ) -> Result<Arc<DataKey>, VaultError> {
        if let Some(key) = self.lock_known_keys().get(&id) {
            return Ok(Arc::clone(key));
        }
        let wrapped = ring.wrapped_key(id)?;
        let masters = self.masters_for(key_of(&wrapped, WRAPPED)?)?;
        let key = masters.unwrap_key(&wrapped, &self.associated_data(place))?;
        let key = Arc::new(key);
        self.lock_known_keys().insert(id, Arc::clone(&key));
        Ok(key)
    }

    /// The keys of a place. Where the person's are gone with their mark, nobody takes that for off as long as
    /// something is there that they sealed.
    fn load_ring(&self, place: &Path) -> Result<Option<KeyRing>, VaultError> {
        let ring = KeyRing::read(place)?;
        match &ring {
            None if place == self.home => match encryption_evidence::of_sealing(place) {
                Some(sealed) => Err(KeyRing::lost_keys_error(place, sealed)),
                None => Ok(ring),
            },
            _ => Ok(ring),
        }
    }

    fn current_key(&self, place: &Path) -> Result<Option<Arc<DataKey>>, VaultError> {
        let Some(ring) = self.load_ring(place)? else {
            return Ok(None);
        };
        let id = ring.current_key()?;
        id.map(|id| self.unwrap_key(place, &ring, id)).transpose()
    }

    fn key_of_sealed(
        &self,
        place: &Path,
        sealed: &[u8],
        what: &'static str,
    ) -> Result<Arc<DataKey>, VaultError> {
        let id = key_of(sealed, what)?;
        if let Some(key) = self.lock_known_keys().get(&id) {
            return Ok(Arc::clone(key));
        }
        let ring = KeyRing::read(place)?.ok_or(VaultError::LostKey(id))?;
        self.unwrap_key(place, &ring, id)
    }

    fn begin_place(&self, place: &Path) -> Result<(), VaultError> {
        let is_wanted = || -> Result<bool, VaultError> {
            let of_all = self.load_ring(&self.home)?.map(|ring| ring.current_key());
            let is_on = of_all.transpose()?.flatten().is_some();
            Ok(is_on && KeyRing::read(place)?.is_none())
        };
        if !is_wanted()? {
            return Ok(());
        }
        // Asked again under the lock: of several that begin a place at once, the first makes its key.
        let _lock = self.lock_keys()?;
        match is_wanted()? {
            true => self.change_target(place, EncryptionTarget::Sealed),
            false => Ok(()),
        }
    }

    /// Under the lock.
    fn change_target(&self, place: &Path, appointed: EncryptionTarget) -> Result<(), VaultError> {
        let before = match appointed {
            // Whoever lost the keys goes on without them in this way.
            EncryptionTarget::Plain => KeyRing::read(place)?,
            EncryptionTarget::Sealed | EncryptionTarget::Rotated => self.load_ring(place)?,
        };
        if before.is_none() && appointed == EncryptionTarget::Plain {
            return match self.load_ring(place) {
                Err(VaultError::RingLost { .. }) => KeyRing::default().write_off(place),
                other => other.map(|_| ()),
            };
        }
        let mut ring = before.unwrap_or_default();
        let (masters, belonging) = (self.load_master_keys()?, self.associated_data(place));
        // First, in memory: it unwraps every key of the place. A key that cannot be had is found before anything new is
        // sealed beside what it sealed.
        ring.rewrap_keys(&masters, &belonging)?;
        let current = match appointed {
            EncryptionTarget::Plain => None,
            EncryptionTarget::Sealed if ring.current_key()?.is_some() => ring.current_key()?,
            EncryptionTarget::Sealed | EncryptionTarget::Rotated => {
                let key = DataKey::generate()?;
                ring.put_key(&key, masters.first_key()?, &belonging)?;
                Some(key.id())
            }
        };
        ring.set_current_key(current);
        ring.write(place)
    }
}

impl Keys for LocalKeys {
    fn current(&self, place: &Path) -> Result<Option<Arc<dyn StateKey>>, SealError> {
        let key = self.current_key(place).map_err(SealError::from)?;
        Ok(key.map(|key| key as Arc<dyn StateKey>))
    }

    fn current_name(&self, place: &Path) -> Result<Option<String>, SealError> {
        let current = self.load_ring(place).and_then(|ring| match ring {
            Some(ring) => ring.current_key(),
            None => Ok(None),
        });
        Ok(current.map_err(SealError::from)?.map(|id| id.to_string()))
    }

    fn of(
        &self,
        place: &Path,
        sealed: &[u8],
        what: &'static str,
    ) -> Result<Arc<dyn StateKey>, SealError> {
        Ok(self.key_of_sealed(place, sealed, what)?)
    }

    fn name_of(&self, sealed: &[u8]) -> Option<String> {
        key_of(sealed, WRAPPED).ok().map(|id| id.to_string())
    }

    fn begin(&self, place: &Path) -> Result<(), SealError> {
        self.begin_place(place).map_err(SealError::from)
    }

    fn appoint(&self, place: &Path, appointed: EncryptionTarget) -> Result<(), SealError> {
        let _lock = self.lock_keys().map_err(SealError::from)?;
        self.change_target(place, appointed)
            .map_err(SealError::from)
    }

    fn end_others(&self, place: &Path) -> Result<usize, SealError> {
        let end = || -> Result<usize, VaultError> {
            let _lock = self.lock_keys()?;
            let Some(mut ring) = KeyRing::read(place)? else {
                return Ok(0);
            };
            let ended = ring.end_others();
            if ended > 0 {
                ring.write(place)?;
            }
            Ok(ended)
        };
        end().map_err(SealError::from)
    }
}

impl fmt::Debug for LocalKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKeys")
            .field("home", &self.home)
            .finish_non_exhaustive()
    }
}
