//! Where the master key comes from: a file, a keyring or a program, as whoever starts the server says.
//!
//! It is asked when a key is first needed, and again when something is wrapped by one that is not known: so a
//! master key is replaced while servers run.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mem_vault::{KeyId, MasterKeys, VaultError};

use crate::storage::StorageError;

/// The source is not asked more often: it may be a program that asks a service.
const EVERY: Duration = Duration::from_secs(1);

type Ask = dyn Fn() -> Result<MasterKeys, VaultError> + Send + Sync;

/// A source of master keys. Clones share what it gave.
#[derive(Clone)]
pub struct MasterSource {
    ask: Arc<Ask>,
    given: Arc<Mutex<Option<(Instant, MasterKeys)>>>,
}

impl MasterSource {
    /// A source.
    pub fn new(ask: impl Fn() -> Result<MasterKeys, VaultError> + Send + Sync + 'static) -> Self {
        Self {
            ask: Arc::new(ask),
            given: Arc::default(),
        }
    }

    /// One that has none.
    pub fn none() -> Self {
        Self::new(|| Ok(MasterKeys::default()))
    }

    /// The keys, with the one of this name where the source has it.
    pub(super) async fn keys_for(&self, wanted: &str) -> Result<MasterKeys, StorageError> {
        if let Some((asked, keys)) = self.given() {
            let has_it = |id: &KeyId| id.to_string() == wanted;
            if keys.ids().iter().any(has_it) || asked.elapsed() < EVERY {
                return Ok(keys);
            }
        }
        self.fresh().await
    }

    /// The keys as the source gives them now.
    pub(super) async fn fresh(&self) -> Result<MasterKeys, StorageError> {
        let ask = Arc::clone(&self.ask);
        let keys = tokio::task::spawn_blocking(move || ask()).await;
        let keys = keys.map_err(|_| StorageError::Corrupt("a source of keys that panicked"))??;
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        *given = Some((Instant::now(), keys.clone()));
        Ok(keys)
    }

    fn given(&self) -> Option<(Instant, MasterKeys)> {
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.clone()
    }
}

impl Default for MasterSource {
    fn default() -> Self {
        Self::none()
    }
}

impl fmt::Debug for MasterSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterSource").finish_non_exhaustive()
    }
}
