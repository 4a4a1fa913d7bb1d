//! How often a note was recalled and then read: it counts a little when notes are ranked.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::PathBuf;

use mem_core::Now;
use mem_core::store::Store;
use mem_recall::Beside;
use serde::{Deserialize, Serialize};

use super::record;

/// Notes that are counted; those that were not used for the longest time go.
const NOTES_MAX: usize = 4_096;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Uses {
    notes: BTreeMap<String, Use>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Use {
    times: u32,
    /// The last time, seconds since 1970.
    at: i64,
}

/// Counts a use of a note, by its key in the index.
///
/// # Errors
/// The state cannot be written.
pub(super) fn count(store: &Store, key: &str, now: Now) -> io::Result<()> {
    record::change(&file(store), |uses: &mut Uses| {
        let one = uses.notes.entry(key.to_owned()).or_default();
        one.times = one.times.saturating_add(1);
        one.at = now.0.as_second();
        while uses.notes.len() > NOTES_MAX {
            let oldest = uses.notes.iter().min_by_key(|(_, one)| one.at);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            uses.notes.remove(&oldest);
        }
    })
}

/// What is known beside the index of the notes of a store.
pub(super) fn beside(store: &Store, all: &mut HashMap<String, Beside>) {
    let uses: Uses = record::read(&file(store));
    for (key, one) in uses.notes {
        all.entry(key).or_default().used = one.times;
    }
}

fn file(store: &Store) -> PathBuf {
    store.places().recalled().join("used.json")
}
