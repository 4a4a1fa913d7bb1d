//! Stores that broke off while they were told, because of a content that cannot be opened.
//!
//! An answer that is sent while it is made cannot say why it ends early. Whoever asks again is answered only once all of
//! it has been read, and so hears which key it is. What was mended is told as ever, after one such answer.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::storage::{RepositoryName, StorageError};

/// The repositories whose stores they are. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Brittle(Arc<Mutex<HashSet<RepositoryName>>>);

impl Brittle {
    /// Whether a store is to be read to its end first.
    pub(super) fn has(&self, repo: &RepositoryName) -> bool {
        self.all().contains(repo)
    }

    /// Takes note of how a store could be told.
    pub(super) fn note<T>(&self, repo: &RepositoryName, told: &Result<T, StorageError>) {
        match told {
            Ok(_) => drop(self.all().remove(repo)),
            Err(error) if error.is_of_one_content() => drop(self.all().insert(repo.clone())),
            Err(_) => {}
        }
    }

    fn all(&self) -> MutexGuard<'_, HashSet<RepositoryName>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
