//! One writer at a time.
//!
//! The lock is the system's own on an open file (`flock`, `LockFileEx`), not a file that exists: the system releases it
//! when a process is killed, so there is no stale lock to recognise by a process id that may be reused. Waiting for it has
//! an end, because a hook must not hang behind a stopped process.
//! **Invariant:** both locks are taken in one order, the state's before the directory's, and so cannot deadlock.
//!
//! Tests: `store::hostile_file_system::sixteen_threads_lose_nothing`,
//! `durability::sixty_four_processes_save_at_once_and_nothing_is_lost`,
//! `hostile_state::two_homes_on_one_directory_lose_nothing`.

use std::fs::{File, TryLockError};
use std::time::Duration;

use crate::regular_file;

use super::error::StoreError;
use super::memory_paths::MemoryPaths;

/// How long a writer waits for another one.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// Held while writing; released when dropped, also by a crash.
///
/// Two locks: the file in the state place is the one that counts; the lock on the directory
/// itself keeps out a `mem` that keeps its state elsewhere (another home on the same files).
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    _root: Option<File>,
}

impl Lock {
    /// Waits for the lock.
    pub(crate) fn acquire(places: &MemoryPaths) -> Result<Self, StoreError> {
        Self::acquire_within(places, WAIT_MAX)
    }

    /// Waits for the lock, for so long at most for each of its files.
    pub(super) fn acquire_within(places: &MemoryPaths, time: Duration) -> Result<Self, StoreError> {
        let file = open(places)?;
        wait(&file, places, time)?;
        let root = regular_file::open_directory(&places.root).ok();
        if let Some(root) = &root {
            wait_if_supported(root, places, time)?;
        }
        Ok(Self {
            _file: file,
            _root: root,
        })
    }
}

impl Lock {
    /// Takes the lock, if nobody has it.
    pub(super) fn acquire_if_free(places: &MemoryPaths) -> Result<Option<Self>, StoreError> {
        let file = open(places)?;
        if file.try_lock().is_err() {
            return Ok(None);
        }
        let root = regular_file::open_directory(&places.root).ok();
        if let Some(root) = &root
            && matches!(root.try_lock(), Err(TryLockError::WouldBlock))
        {
            return Ok(None);
        }
        Ok(Some(Self {
            _file: file,
            _root: root,
        }))
    }
}

fn open(places: &MemoryPaths) -> Result<File, StoreError> {
    let path = places.lock();
    regular_file::open_lock(&path).map_err(StoreError::io("open", &path))
}

/// Waits until the lock is free.
fn wait(file: &File, places: &MemoryPaths, time: Duration) -> Result<(), StoreError> {
    regular_file::lock_within(file, time).map_err(|error| match error {
        TryLockError::WouldBlock => StoreError::Locked {
            root: places.root.clone(),
            seconds: time.as_secs(),
        },
        TryLockError::Error(source) => StoreError::io("lock", &places.lock())(source),
    })
}

/// The same for the directory: network file systems may not lock directories, which is fine.
fn wait_if_supported(root: &File, places: &MemoryPaths, time: Duration) -> Result<(), StoreError> {
    match wait(root, places, time) {
        Err(StoreError::Io { .. }) => Ok(()),
        other => other,
    }
}
