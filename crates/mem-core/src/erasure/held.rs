//! Holding sessions while they are erased. Whoever brings the notes of one up to date, or takes memories from it, has
//! its lock for as long as that takes, a model's answer included: without it they would write down once more, after
//! the erasure, what was said before it.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::ErasureError;
use crate::dirs::Dirs;
use crate::state_file;

/// The locks of one session, in the order in which a run takes them: for taking memories, and for what is remembered.
const LOCKS: [&str; 2] = ["extracting", "lock"];
/// How long somebody may go on with what they began. A model that is asked takes longer: then it is told.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Sessions that nobody reads on while this is kept.
#[derive(Debug, Default)]
pub(super) struct Held {
    ids: BTreeSet<String>,
    locks: Vec<File>,
}

impl Held {
    /// Waits for all of these.
    ///
    /// # Errors
    /// Somebody goes on for too long: nothing was erased.
    pub(super) fn of(dirs: &Dirs, ids: &BTreeSet<String>) -> Result<Self, ErasureError> {
        let mut held = Self::default();
        held.add(dirs, ids)?;
        Ok(held)
    }

    /// Waits for those among these that it does not have yet.
    ///
    /// # Errors
    /// As before.
    pub(super) fn add(&mut self, dirs: &Dirs, ids: &BTreeSet<String>) -> Result<(), ErasureError> {
        for id in ids {
            if self.ids.insert(id.clone()) {
                let file = super::sessions::file(dirs, id);
                for end in LOCKS {
                    self.locks.push(wait(&file.with_extension(end))?);
                }
            }
        }
        Ok(())
    }
}

/// Opened once, so that a look at this process tells at any time what it waits for.
fn wait(path: &Path) -> Result<File, ErasureError> {
    let since = Instant::now();
    let lock = state_file::open_lock(path)?;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if since.elapsed() < WAIT_MAX => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(ErasureError::Busy {
                    lock: PathBuf::from(path),
                    seconds: since.elapsed().as_secs(),
                });
            }
            Err(TryLockError::Error(source)) => {
                return Err(state_file::refused("lock", path)(source).into());
            }
        }
    }
}
