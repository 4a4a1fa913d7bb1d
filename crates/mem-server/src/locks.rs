//! Locks that a panic elsewhere does not close: what they guard is whole between any two statements.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for a lock.
pub(crate) fn lock<T>(guarded: &Mutex<T>) -> MutexGuard<'_, T> {
    guarded.lock().unwrap_or_else(PoisonError::into_inner)
}
