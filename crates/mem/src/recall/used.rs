//! How often a note was recalled and then read: it counts a little when notes are ranked.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use mem_core::Now;
use mem_core::memory::ProjectMemory;
use mem_core::store::LocalStore;
use mem_recall::DocumentFacts;
use serde::{Deserialize, Serialize};

use super::{documents, record};

/// Notes that are counted; those that were not used for the longest time go.
const NOTES_MAX: usize = 4_096;
/// A retrieval is remembered this long after the last one.
const RENEWAL_SECONDS: i64 = 86_400;

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
pub(super) fn count_use(store: &LocalStore, key: &str, now: Now) -> io::Result<()> {
    record::change_record(&uses_file(store), |uses: &mut Uses| {
        let one = uses.notes.entry(key.to_owned()).or_default();
        one.times = one.times.saturating_add(1);
        one.at = now.0.as_second();
        drop_oldest(uses);
    })
}

fn drop_oldest(uses: &mut Uses) {
    while uses.notes.len() > NOTES_MAX {
        let oldest = uses.notes.iter().min_by_key(|(_, one)| one.at);
        let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
            return;
        };
        uses.notes.remove(&oldest);
    }
}

/// Remembers that notes were retrieved: what they count for fades from then on. To the day: a half-life
/// is longer, and no retrieval should wait for more.
///
/// # Errors
/// The state cannot be written.
pub(crate) fn renew_uses(memory: &ProjectMemory, keys: &[String], now: Now) -> io::Result<()> {
    let at = now.0.as_second();
    for (store, scopes) in super::kept::store_tiers(memory) {
        let is_here = |key: &&String| {
            documents::of_key(key).is_some_and(|(scope, _)| scopes.contains(&scope))
        };
        let uses: Uses = record::read(&uses_file(store));
        let is_due = |key: &&String| {
            let known = uses.notes.get(*key);
            known.is_none_or(|one| at.saturating_sub(one.at) >= RENEWAL_SECONDS)
        };
        let due: Vec<&String> = keys.iter().filter(is_here).filter(is_due).collect();
        if due.is_empty() {
            continue;
        }
        record::change_record(&uses_file(store), |uses: &mut Uses| {
            for key in due {
                let one = uses.notes.entry(key.clone()).or_default();
                one.at = one.at.max(at);
            }
            drop_oldest(uses);
        })?;
    }
    Ok(())
}

/// When the notes of a store were last used, by their keys.
pub(crate) fn add_uses(store: &LocalStore, all: &mut HashMap<String, Timestamp>) {
    let uses: Uses = record::read(&uses_file(store));
    let times = uses.notes.into_iter();
    all.extend(times.filter_map(|(key, one)| Some((key, Timestamp::from_second(one.at).ok()?))));
}

/// What is known beside the index of the notes of a store.
pub(crate) fn add_facts(store: &LocalStore, all: &mut HashMap<String, DocumentFacts>) {
    let uses: Uses = record::read(&uses_file(store));
    for (key, one) in uses.notes {
        all.entry(key).or_default().used = one.times;
    }
}

fn uses_file(store: &LocalStore) -> PathBuf {
    store.places().recalled().join("used.json")
}
