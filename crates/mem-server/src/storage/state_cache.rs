//! What names the state of each store, remembered where nobody else can change it.
//!
//! ```text
//!  reader   generation() = 7   look up: E1 ........................ learn(E1, 7): refused, it is 8
//!  writer                                   commit, set(E2): 8
//! ```
//!
//! Without the generation the slow reader would put E1 over E2, and every conditional GET would get a 304 for a state that
//! is over. One number for all stores is enough: a refused reader only looks up again the next time.
//! Test: `storage::state_cache::tests::what_was_looked_up_before_a_change_is_not_remembered_after_it`.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use mem_sync::wire::ETag;

use super::RepositoryName;

/// Stores that are remembered; the others are looked up.
const STORES_MAX: usize = 100_000;

/// True only while this process alone writes.
#[derive(Debug, Default)]
pub(super) struct StateCache(RwLock<CachedState>);

#[derive(Debug, Default)]
struct CachedState {
    /// Grows with every change, so that what was looked up before one is not remembered after it.
    generation: u64,
    states: HashMap<RepositoryName, ETag>,
}

impl StateCache {
    /// What is remembered.
    pub(super) fn get(&self, repo: &RepositoryName) -> Option<ETag> {
        self.read().states.get(repo).cloned()
    }

    /// To be asked before a state is looked up.
    pub(super) fn generation(&self) -> u64 {
        self.read().generation
    }

    /// Remembers what was looked up, unless something changed since.
    pub(super) fn learn(&self, repo: &RepositoryName, etag: &ETag, generation: u64) {
        let mut known = self.write();
        if known.generation == generation && known.states.len() < STORES_MAX {
            known.states.insert(repo.clone(), etag.clone());
        }
    }

    /// A change was committed.
    pub(super) fn set(&self, repo: &RepositoryName, etag: &ETag) {
        let mut known = self.write();
        known.generation += 1;
        known.states.insert(repo.clone(), etag.clone());
    }

    /// A change may have been committed.
    pub(super) fn forget(&self, repo: &RepositoryName) {
        let mut known = self.write();
        known.generation += 1;
        known.states.remove(repo);
    }

    /// Every state has another name now.
    pub(super) fn clear(&self) {
        let mut known = self.write();
        known.generation += 1;
        known.states.clear();
    }

    fn read(&self) -> RwLockReadGuard<'_, CachedState> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, CachedState> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_up_before_a_change_is_not_remembered_after_it() {
        let cache = StateCache::default();
        let repo = RepositoryName::parse("acme/app").unwrap();
        let (old, new) = (ETag::of_version(1), ETag::of_version(2));
        let before = cache.generation();
        cache.forget(&repo);
        cache.learn(&repo, &old, before);
        assert_eq!(cache.get(&repo), None);
        let before = cache.generation();
        cache.set(&repo, &new);
        cache.learn(&repo, &old, before);
        assert_eq!(cache.get(&repo), Some(new));
    }
}
