//! How far a session was read for memories.

use mem_core::state_file::{self, StateError};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

use crate::session::place::SessionFiles;
use crate::transcript::Cursor;

/// What is remembered of a session between two runs; no word of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtractionState {
    /// Where the next run goes on.
    pub cursor: Cursor,
    /// The records whose words were kept, the last of them: read again they add nothing.
    pub kept: Vec<String>,
    /// The records that took something back of what was kept: read again they take back nothing.
    pub took_back: Vec<String>,
    /// What the person said last.
    pub last: Option<LastStatements>,
}

/// What a person said last, by digests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LastStatements {
    /// The record.
    pub record: String,
    /// Digests of the sentences that may have been kept, the last of them.
    pub said: Vec<String>,
    /// Whether something else was said after that.
    pub goes_on: bool,
    /// Whether the agent ended with a question since.
    pub is_asked: bool,
}

/// Records that are remembered.
const KEPT_MAX: usize = 1_000;

impl ExtractionState {
    /// Remembers records whose words were kept.
    pub fn add_kept(&mut self, records: impl IntoIterator<Item = String>) {
        add_records(&mut self.kept, records);
    }

    /// Remembers records that took something back.
    pub fn take_back(&mut self, records: impl IntoIterator<Item = String>) {
        add_records(&mut self.took_back, records);
    }
}

fn add_records(known: &mut Vec<String>, records: impl IntoIterator<Item = String>) {
    for record in records {
        if !record.is_empty() && !known.contains(&record) {
            known.push(record);
        }
    }
    let first = known.len().saturating_sub(KEPT_MAX);
    known.drain(..first);
}

/// The file, beside that of the session's notes.
pub fn extraction_file(place: &SessionFiles) -> PathBuf {
    place.state.with_extension("extract")
}

/// The state as it was last written; the beginning where it is lost or damaged.
pub fn read(place: &SessionFiles) -> ExtractionState {
    state_file::read::<ExtractionState>(&extraction_file(place)).0
}

/// Remembers how far a session was read.
///
/// # Errors
/// The system's.
pub fn write(place: &SessionFiles, state: &ExtractionState) -> Result<(), StateError> {
    let bytes = serde_json::to_vec(state).unwrap_or_default();
    state_file::write(&extraction_file(place), &bytes)
}
