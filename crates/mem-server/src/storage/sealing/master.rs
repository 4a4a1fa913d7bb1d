//! Where the master key comes from: a file, a keyring or a program, as whoever starts the server says.
//!
//! It is asked when a key is first needed, and again when something is wrapped by one that is not known: so a
//! master key is replaced while servers run.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mem_core::RunContext;
use mem_vault::master_key::{KeySource, KeySourceError};
use mem_vault::{KeyId, MasterKeys, VaultError};

use crate::locks::lock;
use crate::storage::StorageError;

/// A source that does not have a key is not asked for it more often: it may be a program that asks a service.
const EVERY: Duration = Duration::from_secs(1);

type Ask = dyn Fn() -> Result<MasterKeys, VaultError> + Send + Sync;

/// What a source gave last, and a key that it did not have.
#[derive(Default)]
struct MasterCache {
    keys: Option<MasterKeys>,
    missing: Option<(String, Instant)>,
}

/// A source of master keys. Clones share what it gave.
#[derive(Clone)]
pub struct MasterSource {
    ask: Arc<Ask>,
    given: Arc<Mutex<MasterCache>>,
}

impl From<KeySource> for MasterSource {
    fn from(origin: KeySource) -> Self {
        Self::new(move || origin.ask())
    }
}

impl MasterSource {
    /// A source.
    pub fn new(ask: impl Fn() -> Result<MasterKeys, VaultError> + Send + Sync + 'static) -> Self {
        Self {
            ask: Arc::new(ask),
            given: Arc::default(),
        }
    }

    /// Where the settings of a run say that it is; one that has none where nothing is said.
    ///
    /// # Errors
    /// The settings cannot be read, or say something else.
    pub fn for_run(run: &RunContext) -> Result<Self, KeySourceError> {
        Ok(KeySource::for_run(run)?.map_or_else(Self::none, Self::from))
    }

    /// One that has none.
    pub fn none() -> Self {
        Self::new(|| Ok(MasterKeys::default()))
    }

    /// The keys, with the one of this name where the source has it.
    pub(crate) async fn keys_for(&self, wanted: &str) -> Result<MasterKeys, StorageError> {
        if let Some(keys) = self.known_for(wanted) {
            return Ok(keys);
        }
        let keys = self.fresh().await?;
        if !has(&keys, wanted) {
            lock(&self.given).missing = Some((wanted.to_owned(), Instant::now()));
        }
        Ok(keys)
    }

    /// The keys as the source gives them now.
    pub(crate) async fn fresh(&self) -> Result<MasterKeys, StorageError> {
        let ask = Arc::clone(&self.ask);
        let keys = tokio::task::spawn_blocking(move || ask()).await;
        let keys = keys.map_err(|_| StorageError::Corrupt("a source of keys that panicked"))??;
        lock(&self.given).keys = Some(keys.clone());
        Ok(keys)
    }

    fn known_for(&self, wanted: &str) -> Option<MasterKeys> {
        let given = lock(&self.given);
        let keys = given.keys.as_ref()?;
        let missing = given.missing.as_ref();
        let was_missing =
            missing.is_some_and(|(name, asked)| name == wanted && asked.elapsed() < EVERY);
        (has(keys, wanted) || was_missing).then(|| keys.clone())
    }
}

fn has(keys: &MasterKeys, wanted: &str) -> bool {
    keys.key_ids()
        .iter()
        .any(|id: &KeyId| id.to_string() == wanted)
}

impl fmt::Debug for MasterSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterSource").finish_non_exhaustive()
    }
}
