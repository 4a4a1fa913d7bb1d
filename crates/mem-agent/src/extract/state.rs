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
