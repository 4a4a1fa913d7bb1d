//! What is remembered between two distillations, in `dream.json` of a store's state: which bullets are done
//! with, so that what somebody removes does not come back out of the logs, and what the last run came to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

use jiff::Timestamp;
use jiff::civil::Date;
use mem_core::state_file::{self, StateError};
use mem_core::store::{LocalStore, MemoryPaths};
use serde::{Deserialize, Serialize};

use super::error::DistillationError;
use super::sources;

/// What is remembered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DistillState {
    /// The marks of bullets that are done with. They are digests: no text is kept here.
    pub handled: BTreeSet<String>,
    /// The last run.
    pub last: Option<LastRun>,
    /// The last one that changed something.
    pub made: Option<ChangingRun>,
    /// A run that wrote, or was about to, and has not said what it came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<StartedRun>,
    /// Files that could not be read as logs and were told of, each with the state that it had.
    #[serde(rename = "told")]
    pub reported_files: BTreeMap<String, String>,
}

/// A run that is about to write: one that is killed before it is through is known by its change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartedRun {
    /// The verb of its change.
    pub verb: String,
    /// The marks of the bullets that it is done with then.
    pub handled: Vec<String>,
    /// What it comes to; its time is that of the change.
    pub last: LastRun,
    /// What is to be known of it if it is taken back.
    pub made: Option<ChangingRun>,
    /// The entries of the inbox that it takes in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<String>,
}

/// Changes that were made after a run that was killed, as far as they are looked at.
const CHANGES_MAX: usize = 1_000;

impl StartedRun {
    /// The change, where it was made and is not the one that is known. A history that cannot be read says nothing of
    /// it.
    fn find_change(&self, store: &LocalStore, known: Option<&ChangingRun>) -> Option<String> {
        let history = store.open_history().ok()??;
        let mut changes = history
            .own_entries()
            .take(CHANGES_MAX)
            .map_while(Result::ok);
        let change = changes
            .find(|one| one.change.verb == self.verb && one.change.time == self.last.time)?
            .change;
        let change = change.id.to_string();
        (known.map(|made| &made.change) != Some(&change)).then_some(change)
    }
}

/// A run that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangingRun {
    /// Its change.
    pub change: String,
    /// The day of the oldest entry that it took in.
    pub since: Date,
    /// Whether some of it had waited in the inbox.
    #[serde(default)]
    pub had_inbox: bool,
}

impl ChangingRun {
    /// What a person does who wants it after all.
    pub fn rerun_hint(&self) -> String {
        let inbox = match self.had_inbox {
            true => "; what had waited in the inbox is in `mem inbox list --rejected`",
            false => "",
        };
        format!("`mem dream --since {}` reads it again{inbox}", self.since)
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastRun {
    /// When.
    pub time: Timestamp,
    /// What it came to, in one line.
    pub summary: String,
    /// Its change, where it made one.
    pub change: Option<String>,
    /// Why it did nothing, where something was in the way.
    #[serde(default)]
    pub trouble: Option<String>,
    /// How many entries wait for another night.
    #[serde(default)]
    pub waiting: usize,
    /// What nobody was there to be warned of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl DistillState {
    /// Reads it; what is damaged is nothing.
    pub fn for_paths(places: &MemoryPaths) -> Self {
        Self::read(places).0
    }

    /// Reads it, with what is to be told where it is damaged.
    pub fn read(places: &MemoryPaths) -> (Self, Option<String>) {
        let (read, damage) = state_file::read(&places.dreams());
        let warning = damage.map(|damage| {
            format!(
                "{damage}: what was distilled and removed before is not known, and may come again"
            )
        });
        (read, warning)
    }

    /// Adds what a run came to.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn add_run(
        places: &MemoryPaths,
        handled: &[String],
        last: &LastRun,
        made: Option<ChangingRun>,
    ) -> Result<(), StateError> {
        state_file::update(&places.dreams(), |remembered: &mut Self| {
            remembered.handled.extend(handled.iter().cloned());
            remembered.last = Some(last.clone());
            remembered.made = made.or_else(|| remembered.made.take());
            remembered.begun = None;
        })?;
        Ok(())
    }

    /// Keeps what a run will have come to, before it writes.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn begin_run(places: &MemoryPaths, begun: StartedRun) -> Result<(), StateError> {
        state_file::update(&places.dreams(), |remembered: &mut Self| {
            remembered.begun = Some(begun);
        })?;
        Ok(())
    }

    /// Remembers what a run came to that was killed once it had written, and takes out of the inbox what became
    /// memories by it. Returns that run. To be called with the turn in hand.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn settle_run(store: &LocalStore) -> Result<Option<LastRun>, DistillationError> {
        let (remembered, damage) = Self::read(store.places());
        let (None, Some(begun)) = (damage, remembered.begun) else {
            return Ok(None);
        };
        // One that was killed while it wrote has made its change once that is finished, and not before.
        store.finish_interrupted()?;
        let change = begun.find_change(store, remembered.made.as_ref());
        if change.is_some() {
            sources::move_to_rejected(store.places(), &begun.taken)?;
        }
        state_file::update(&store.places().dreams(), |kept: &mut Self| {
            *kept = std::mem::take(kept).with_settled_run(store);
        })?;
        Ok(change.map(|change| LastRun {
            change: Some(change),
            ..begun.last
        }))
    }

    /// The same where no run is at it now and one was killed: for what lists or decides on the inbox.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn settle_if_killed(store: &LocalStore) -> Result<(), DistillationError> {
        let has_begun = Self::for_paths(store.places()).begun.is_some();
        if has_begun && let Ok(_turn) = lock_distillation(store.places()) {
            Self::settle_run(store)?;
        }
        Ok(())
    }

    /// The same with what a run came to that was killed.
    pub fn with_settled_run(mut self, store: &LocalStore) -> Self {
        let Some(begun) = self.begun.take() else {
            return self;
        };
        if let Some(change) = begun.find_change(store, self.made.as_ref()) {
            self.handled.extend(begun.handled);
            let made = begun.made.map(|made| ChangingRun {
                change: change.clone(),
                ..made
            });
            self.made = made.or(self.made);
            self.last = Some(LastRun {
                change: Some(change),
                ..begun.last
            });
        }
        self
    }

    /// Keeps which files a person was told of, so that they are told once.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn save_reported_files(
        places: &MemoryPaths,
        reported_files: BTreeMap<String, String>,
    ) -> Result<(), StateError> {
        if Self::for_paths(places).reported_files != reported_files {
            state_file::update(&places.dreams(), |remembered: &mut Self| {
                remembered.reported_files = reported_files;
            })?;
        }
        Ok(())
    }

    /// The last run that changed something, where that was taken back. A history that cannot be read says
    /// nothing of it.
    pub fn undone_run(&self, store: &LocalStore) -> Option<&ChangingRun> {
        let is_undone = |made: &&ChangingRun| store.is_taken_back(&made.change).unwrap_or(false);
        self.made.as_ref().filter(is_undone)
    }
}

/// Keeps a second distillation of the same memory out, as long as it is held.
///
/// # Errors
/// Another one is at it, or the state cannot be written.
pub fn lock_distillation(places: &MemoryPaths) -> Result<File, DistillationError> {
    match state_file::try_lock(&places.dreams().with_extension("turn"))? {
        Some(turn) => Ok(turn),
        None => Err(DistillationError::AlreadyRunning),
    }
}
