//! How often a note was recalled and then read, or named by the model, and how often in vain since: both count a little
//! when notes are ranked.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::PathBuf;

use jiff::Timestamp;
use mem_core::Now;
use mem_core::memory::ProjectMemory;
use mem_core::store::LocalStore;
use mem_recall::DocumentFacts;
use serde::{Deserialize, Serialize};

use crate::{documents, record};

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
    /// Sessions since then whose model was given it and made no use of it.
    #[serde(default)]
    unused: u32,
}

/// What became of a note that a session was given, told once for each session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteOutcome {
    /// The model named it.
    Used,
    /// It did not, and would have.
    Unused,
}

/// Counts a use of a note, by its key in the index.
///
/// # Errors
/// The state cannot be written.
pub(super) fn count_use(store: &LocalStore, key: &str, now: Now) -> io::Result<()> {
    record::change_record(&uses_file(store), |uses: &mut Uses| {
        add_outcome(uses, key, NoteOutcome::Used, now.0.as_second());
        drop_oldest(uses);
    })
}

/// Counts what became of notes, by their keys in the index.
///
/// # Errors
/// The state cannot be written.
pub fn count_outcomes(
    memory: &ProjectMemory,
    outcomes: &[(String, NoteOutcome)],
    at: i64,
) -> io::Result<()> {
    for (store, scopes) in crate::current_index::store_tiers(memory) {
        let is_here =
            |key: &str| documents::of_key(key).is_some_and(|(scope, _)| scopes.contains(&scope));
        let here: Vec<_> = outcomes.iter().filter(|(key, _)| is_here(key)).collect();
        if here.is_empty() {
            continue;
        }
        record::change_record(&uses_file(store), |uses: &mut Uses| {
            for (key, outcome) in here {
                add_outcome(uses, key, *outcome, at);
            }
            drop_oldest(uses);
        })?;
    }
    Ok(())
}

fn add_outcome(uses: &mut Uses, key: &str, outcome: NoteOutcome, at: i64) {
    let one = uses.notes.entry(key.to_owned()).or_default();
    match outcome {
        NoteOutcome::Used => {
            one.times = one.times.saturating_add(1);
            one.unused = 0;
            one.at = at;
        }
        NoteOutcome::Unused => one.unused = one.unused.saturating_add(1),
    }
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
pub fn renew_uses(memory: &ProjectMemory, keys: &[String], now: Now) -> io::Result<()> {
    let at = now.0.as_second();
    for (store, scopes) in crate::current_index::store_tiers(memory) {
        let is_here = |key: &&String| {
            documents::of_key(key).is_some_and(|(scope, _)| scopes.contains(&scope))
        };
        let uses: Uses = record::read_record(&uses_file(store));
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
pub fn add_uses(store: &LocalStore, all: &mut HashMap<String, Timestamp>) {
    let uses: Uses = record::read_record(&uses_file(store));
    // One that was never used has no time.
    let times = uses.notes.into_iter().filter(|(_, one)| one.at > 0);
    all.extend(times.filter_map(|(key, one)| Some((key, Timestamp::from_second(one.at).ok()?))));
}

/// What is known beside the index of the notes of a store.
pub fn add_facts(store: &LocalStore, all: &mut HashMap<String, DocumentFacts>) {
    let uses: Uses = record::read_record(&uses_file(store));
    for (key, one) in uses.notes {
        let facts = all.entry(key).or_default();
        (facts.used, facts.unused) = (one.times, one.unused);
    }
}

fn uses_file(store: &LocalStore) -> PathBuf {
    store.places().recalled().join("used.json")
}
