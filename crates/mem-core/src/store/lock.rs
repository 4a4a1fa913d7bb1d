//! One writer at a time.
//!
//! The lock is the system's own on an open file (`flock`, `LockFileEx`), not a file that exists: the system releases it
//! when a process is killed, so there is no stale lock to recognise by a process id that may be reused.
//! **Invariant:** both locks are taken in one order, the state's before the directory's, and so cannot deadlock.
//!
//! Tests: `store::adversity::sixteen_threads_lose_nothing`,
//! `durability::sixty_four_processes_save_at_once_and_nothing_is_lost`,
//! `hostile_state::two_homes_on_one_directory_lose_nothing`.

use std::fs::{File, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::regular_file;

use super::error::StoreError;
use super::places::MemoryPaths;

/// How long a writer waits for another one.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// The longest pause between two tries.
const PAUSE_MAX: Duration = Duration::from_millis(20);

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
        let file = open(places)?;
        wait(&file, places)?;
        let root = regular_file::open_directory(&places.root).ok();
        if let Some(root) = &root {
            wait_if_supported(root, places)?;
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

/// Tries until the lock is free or the wait is over.
fn wait(file: &File, places: &MemoryPaths) -> Result<(), StoreError> {
    let start = Instant::now();
    // Polled, because a blocking lock has no time limit, and a hook must not hang behind a stopped process. A save
    // holds the lock for milliseconds, so the first pauses are short; the cap keeps a waiter from sleeping past many
    // moments in which the lock is free.
    let mut pause = Duration::from_micros(200);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if start.elapsed() < WAIT_MAX => thread::sleep(pause),
            Err(TryLockError::WouldBlock) => {
                let seconds = start.elapsed().as_secs();
                return Err(StoreError::Locked {
                    root: places.root.clone(),
                    seconds,
                });
            }
            Err(TryLockError::Error(source)) => {
                return Err(StoreError::io("lock", &places.lock())(source));
            }
        }
        pause = (pause * 2).min(PAUSE_MAX);
    }
}

/// The same for the directory: network file systems may not lock directories, which is fine.
fn wait_if_supported(root: &File, places: &MemoryPaths) -> Result<(), StoreError> {
    match wait(root, places) {
        Err(StoreError::Io { .. }) => Ok(()),
        other => other,
    }
}
