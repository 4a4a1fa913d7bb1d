//! Turns at writing to a namespace: what a store of records changes depends on all that are there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Turns, OwnedMutexGuard};

/// Those who write or wait for it, by the ids of their stores.
#[derive(Debug, Default)]
pub(crate) struct RecordWriters(Mutex<HashMap<String, Weak<Turns<()>>>>);

impl RecordWriters {
    /// Waits for those who came before, to this store only.
    pub(super) async fn turn(&self, store: &str) -> OwnedMutexGuard<()> {
        self.of(store).lock_owned().await
    }

    fn of(&self, store: &str) -> Arc<Turns<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, turns| turns.strong_count() > 0);
        if let Some(turns) = all.get(store).and_then(Weak::upgrade) {
            return turns;
        }
        let turns = Arc::default();
        all.insert(store.to_owned(), Arc::downgrade(&turns));
        turns
    }
}
