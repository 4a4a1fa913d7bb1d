//! [`SearchIndexes`]: the indexes that are in memory.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use mem_recall::RecallIndex;
use tokio::sync::Semaphore;

use super::step::{self, Built};
use crate::locks::lock;
use crate::storage::stores::{AccessScope, StoreRecord, StoresError};
use crate::storage::{Database, StorageError};

/// All indexes together; the one that was used last stays, whatever it takes.
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// The indexes, and turns at the processors for those who work with them.
#[derive(Debug)]
pub(crate) struct SearchIndexes {
    kept: Arc<Mutex<CachedSearchIndex>>,
    pub(super) permits: Arc<Semaphore>,
}

/// Of one store; held while it is made or brought up to date.
type Slot = Arc<tokio::sync::Mutex<Option<Built>>>;

#[derive(Debug, Default)]
struct CachedSearchIndex {
    slots: HashMap<String, Used>,
    /// Counts uses.
    uses: u64,
}

#[derive(Debug)]
struct Used {
    slot: Slot,
    last: u64,
    bytes: usize,
}

impl SearchIndexes {
    /// None yet.
    pub(crate) fn new() -> Self {
        let processors = std::thread::available_parallelism();
        Self {
            kept: Arc::default(),
            permits: Arc::new(Semaphore::new(processors.map_or(1, NonZeroUsize::get))),
        }
    }

    /// The index of a store, as it is at the moment that `store` was looked up or later.
    ///
    /// # Errors
    /// See [`StoresError`].
    pub(super) async fn index(
        &self,
        database: &Database,
        scope: &AccessScope,
        store: &StoreRecord,
    ) -> Result<Arc<RecallIndex>, StoresError> {
        let slot = lock(&self.kept).slot(&store.id);
        let mut held = slot.lock_owned().await;
        if let Some(built) = held.as_ref().filter(|built| built.is_of(store)) {
            return Ok(Arc::clone(&built.index));
        }
        let (kept, permits) = (Arc::clone(&self.kept), Arc::clone(&self.permits));
        let (database, scope, store) = (database.clone(), scope.clone(), store.clone());
        // Whoever asked may go away; those who wait get what was begun for them.
        let work = tokio::spawn(async move {
            // What fails is made again next time.
            let before = held.take();
            let built = step::renewed(before, &database, &scope, &store, &permits).await;
            let bytes = built.as_ref().ok().map(|built| built.index.memory_bytes());
            lock(&kept).weigh(&store.id, bytes);
            built.map(|built| Arc::clone(&held.insert(built).index))
        });
        work.await
            .map_err(|_| StorageError::Corrupt("an index that could not be made"))?
    }
}

/// Does work on a thread that may be kept busy, when it has its turn.
pub(super) async fn run_blocking<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoresError> {
    let failed = |_| StorageError::Corrupt("work on an index that ended early");
    let permit = Arc::clone(permits).acquire_owned().await;
    let permit = permit.map_err(|_| failed(()))?;
    let done = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(permit);
        done
    });
    Ok(done.await.map_err(|_| failed(()))?)
}

impl CachedSearchIndex {
    fn slot(&mut self, store: &str) -> Slot {
        self.uses += 1;
        let used = self.slots.entry(store.to_owned()).or_insert_with(|| Used {
            slot: Slot::default(),
            last: 0,
            bytes: 0,
        });
        used.last = self.uses;
        Arc::clone(&used.slot)
    }

    /// Takes note of what an index takes, or that there is none, and lets go of others where all of them
    /// take too much.
    fn weigh(&mut self, store: &str, bytes: Option<usize>) {
        match (self.slots.get_mut(store), bytes) {
            (Some(used), Some(bytes)) => used.bytes = bytes,
            (_, None) => drop(self.slots.remove(store)),
            (None, _) => {}
        }
        while self.slots.values().map(|used| used.bytes).sum::<usize>() > BYTES_MAX {
            let others = self.slots.iter().filter(|(id, _)| *id != store);
            let Some((oldest, _)) = others.min_by_key(|(_, used)| used.last) else {
                return;
            };
            let oldest = oldest.clone();
            self.slots.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::storage::stores::{CreateStore, Writing};
    use crate::storage::{
        ActorKind, DEFAULT_WORKSPACE, DatabaseAddress, OpenOptions, StorageActor,
    };

    #[tokio::test]
    async fn an_index_is_built_once_for_all_who_wait_and_again_for_what_changed() {
        let folder = tempfile::tempdir().unwrap();
        let place = DatabaseAddress::Directory(folder.path().to_owned());
        let database = Database::open(&place, &OpenOptions::default())
            .await
            .unwrap();
        let scope = AccessScope::everything(DEFAULT_WORKSPACE);
        let now = Timestamp::UNIX_EPOCH;
        let actor = StorageActor::new(ActorKind::User, "user_1", "one");
        let new = CreateStore::default();
        let id = database
            .create_store(&scope, &new, &actor, now)
            .await
            .unwrap()
            .id;
        let write = async |path: &str| {
            let (path, text) = (path.to_owned(), "apples".to_owned());
            let made = database.create_memory(Writing::new(&scope, &id, &actor, now), path, text);
            made.await.unwrap();
            database.store(&scope, &id).await.unwrap()
        };
        write("/a.md").await;
        let store = write("/b.md").await;
        let searches = SearchIndexes::new();
        let asked = (0..32).map(|_| searches.index(&database, &scope, &store));
        let indexes = futures_util::future::join_all(asked).await;
        let first = indexes[0].as_ref().unwrap();
        let is_first = |index: &Arc<RecallIndex>| Arc::ptr_eq(index, first);
        assert!(indexes.iter().flatten().all(is_first));
        assert_eq!(first.len(), 2);
        let later = write("/c.md").await;
        let second = searches.index(&database, &scope, &later).await.unwrap();
        assert_eq!((first.len(), second.len()), (2, 3));
        // Who looked the store up before that gets what is known by now.
        let third = searches.index(&database, &scope, &store).await.unwrap();
        assert!(Arc::ptr_eq(&second, &third));
        database
            .delete_store(&scope, &id, &actor, now)
            .await
            .unwrap();
        let gone = database
            .memories_by_id(&scope, &id, &["mem_1".to_owned()], None)
            .await;
        assert_eq!(gone.unwrap(), []);
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let mut kept = CachedSearchIndex::default();
        for store in ["a", "b", "c"] {
            kept.slot(store);
            kept.weigh(store, Some(BYTES_MAX / 3));
        }
        kept.slot("a");
        kept.slot("d");
        kept.weigh("d", Some(BYTES_MAX / 3));
        let names = |kept: &CachedSearchIndex| {
            let mut names: Vec<String> = kept.slots.keys().cloned().collect();
            names.sort_unstable();
            names.concat()
        };
        assert_eq!(names(&kept), "acd");
        kept.slot("e");
        kept.weigh("e", Some(2 * BYTES_MAX));
        assert_eq!(names(&kept), "e");
        kept.weigh("e", None);
        assert_eq!(names(&kept), "");
    }
}
