//! What the daemon pruned, in `prune.json` of a store's state. A memory that stands although it was pruned was brought
//! back by a person, or they left it where it was proposed: it is not pruned by the daemon again.

use std::path::PathBuf;

use anyhow::Result;
use jiff::Timestamp;
use mem_core::history::NoteId;
use mem_core::state_file;
use mem_core::store::Places;
use serde::{Deserialize, Serialize};

/// Memories that are remembered; of more the oldest are forgotten.
const HANDLED_MAX: usize = 20_000;

/// What is remembered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Pruned {
    /// The ids of memories that were taken out or proposed to be, the oldest first.
    handled: Vec<NoteId>,
    /// The last time that there was something to do.
    pub(crate) last: Option<Last>,
}

/// What there was to do, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Last {
    /// When.
    pub(crate) time: Timestamp,
    /// How many memories.
    pub(crate) count: usize,
    /// How many by which limit.
    pub(crate) reason: String,
    /// The change, where they were taken out.
    pub(crate) change: Option<String>,
    /// Why they were not.
    pub(crate) trouble: Option<String>,
}

impl Pruned {
    /// Reads it; what is damaged is nothing.
    pub(crate) fn of(places: &Places) -> Self {
        state_file::read(&file(places)).0
    }

    /// Whether a person has decided on a memory that stands.
    pub(crate) fn knows(&self, note: &NoteId) -> bool {
        self.handled.contains(note)
    }

    /// Adds what came of it, and those that are decided on.
    ///
    /// # Errors
    /// The state cannot be written.
    pub(crate) fn add(places: &Places, handled: Vec<NoteId>, last: Last) -> Result<()> {
        state_file::update(&file(places), |pruned: &mut Self| {
            pruned.handled.extend(handled);
            let surplus = pruned.handled.len().saturating_sub(HANDLED_MAX);
            pruned.handled.drain(..surplus);
            pruned.last = Some(last);
        })?;
        Ok(())
    }
}

fn file(places: &Places) -> PathBuf {
    places.state.join("prune.json")
}
