//! When agents and unknown programs wrote to memory: what tells whether a shell command of a session did.

use std::cell::OnceCell;
use std::time::Duration;

use jiff::Timestamp;
use mem_core::history::{AuthorKind, Change, Version};
use mem_core::memory::ProjectMemory;
use mem_core::store::{LocalStore, StoreError};

/// Transcripts and histories round their times.
const ROUNDING: Duration = Duration::from_secs(1);
/// Changes that `mem` makes beside a session by itself.
const BACKGROUND_VERBS: [&str; 3] = ["extract", "dream", "prune"];
/// Calls of a session that run side by side began within this time.
const OVERLAP: Duration = Duration::from_secs(3_600);

/// The times of writes that a session may have made, read from the histories once a shell command asks.
pub struct WriteTimes<'m> {
    memory: &'m ProjectMemory,
    session: &'m str,
    sorted: OnceCell<Result<Vec<Timestamp>, StoreError>>,
}

impl<'m> WriteTimes<'m> {
    /// The times of writes to a memory by a session. Nothing is read yet.
    pub fn new(memory: &'m ProjectMemory, session: &'m str) -> Self {
        let sorted = OnceCell::new();
        Self {
            memory,
            session,
            sorted,
        }
    }

    /// Whether there was a write from `start` to `end`. The first question has to be of the oldest command.
    pub fn has(&self, start: Timestamp, end: Timestamp) -> bool {
        let (start, end) = (start - ROUNDING, end + ROUNDING);
        let sorted = self.sorted.get_or_init(|| self.read(start - OVERLAP));
        sorted.as_ref().is_ok_and(|times| {
            let next = times.partition_point(|time| *time < start);
            times.get(next).is_some_and(|time| *time <= end)
        })
    }

    /// Reports a history that could not be read, if one was asked.
    pub fn finish(self) -> Result<(), StoreError> {
        self.sorted.into_inner().transpose().map(drop)
    }

    fn read(&self, oldest: Timestamp) -> Result<Vec<Timestamp>, StoreError> {
        let mut times = Vec::new();
        for store in self.memory.stores() {
            if let Some(history) = store.open_history()? {
                for entry in history.own_entries() {
                    let change = entry?.change;
                    if change.time < oldest {
                        break;
                    }
                    if self.may_be_of_session(&change) {
                        let time = |version: &Version| version.content_time.unwrap_or(change.time);
                        times.extend(change.versions.iter().map(time));
                    }
                }
            }
            times.extend(unrecorded(store)?);
        }
        times.sort_unstable();
        Ok(times)
    }

    /// Changes of persons, colleagues, imports, other sessions, and of what runs beside a session are not its own.
    fn may_be_of_session(&self, change: &Change) -> bool {
        let session = change.author.session.as_deref();
        matches!(change.author.actor, AuthorKind::Agent | AuthorKind::Foreign)
            && session.is_none_or(|session| session == self.session)
            && !BACKGROUND_VERBS.contains(&&*change.verb)
    }
}

/// The times of files that no command has recorded yet.
fn unrecorded(store: &LocalStore) -> Result<Vec<Timestamp>, StoreError> {
    let snapshot = store.snapshot()?;
    let files = snapshot.walk().files.iter();
    let changed = files.filter(|(path, stat)| {
        let known = snapshot.catalog().get(path);
        known.is_none_or(|known| !known.stat.agrees(stat))
    });
    let times =
        changed.filter_map(|(_, stat)| Timestamp::from_nanosecond(i128::from(stat.mtime_ns)).ok());
    Ok(times.collect())
}
