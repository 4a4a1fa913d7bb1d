//! What is remembered between two distillations, in `dream.json` of a store's state: which bullets are done
//! with, so that what somebody removes does not come back out of the logs, and what the last run came to.

use std::collections::BTreeSet;
use std::fs::File;

use anyhow::{Result, bail};
use jiff::Timestamp;
use mem_core::state_file;
use mem_core::store::Places;
use serde::{Deserialize, Serialize};

/// What is remembered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Remembered {
    /// The marks of bullets that are done with. They are digests: no text is kept here.
    pub handled: BTreeSet<String>,
    /// The last run.
    pub last: Option<Last>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Last {
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
}

impl Remembered {
    /// Reads it; what is damaged is nothing.
    pub(crate) fn of(places: &Places) -> Self {
        state_file::read(&places.dreams()).0
    }

    /// Adds what a run came to.
    ///
    /// # Errors
    /// The state cannot be written.
    pub(crate) fn add(places: &Places, handled: &[String], last: &Last) -> Result<()> {
        state_file::update(&places.dreams(), |remembered: &mut Self| {
            remembered.handled.extend(handled.iter().cloned());
            remembered.last = Some(last.clone());
        })?;
        Ok(())
    }
}

/// Keeps a second distillation of the same memory out, as long as it is held.
///
/// # Errors
/// Another one is at it, or the state cannot be written.
pub(crate) fn turn(places: &Places) -> Result<File> {
    match state_file::try_lock(&places.dreams().with_extension("turn"))? {
        Some(turn) => Ok(turn),
        None => bail!("this memory is being distilled already, by another `mem dream`"),
    }
}
