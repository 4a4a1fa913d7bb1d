//! How far a session was read for memories.

use mem_core::state_file::{self, StateError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use crate::session::place::Place;
use crate::transcript::Cursor;

/// What is remembered of a session between two runs; no word of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Where the next run goes on.
    pub cursor: Cursor,
    /// The records whose words were kept, the last of them: read again they add nothing.
    pub kept: Vec<String>,
}

/// Records that are remembered.
const KEPT_MAX: usize = 1_000;

impl State {
    /// Remembers records whose words were kept.
    pub fn keep(&mut self, records: impl IntoIterator<Item = String>) {
        for record in records {
            if !record.is_empty() && !self.kept.contains(&record) {
                self.kept.push(record);
            }
        }
        let first = self.kept.len().saturating_sub(KEPT_MAX);
        self.kept.drain(..first);
    }
}

/// The file, beside that of the session's notes.
pub fn file(place: &Place) -> PathBuf {
    place.state.with_extension("extract")
}

/// The state as it was last written; the beginning where it is lost or damaged.
pub fn read(place: &Place) -> State {
    state_file::read::<State>(&file(place)).0
}

/// Remembers how far a session was read.
///
/// # Errors
/// The system's.
pub fn write(place: &Place, state: &State) -> Result<(), StateError> {
    let bytes = serde_json::to_vec(state).unwrap_or_default();
    state_file::write(&file(place), &bytes)
}
