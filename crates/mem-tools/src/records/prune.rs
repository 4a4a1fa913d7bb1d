//! What goes when there is too much: chosen by importance as of now, and taken out in one change.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use jiff::Timestamp;
use mem_core::history::NoteId;
use mem_core::location::ProjectContext;
use mem_core::memory::{MemoryError, Note, ProjectMemory};
use mem_core::state_file::StateError;
use mem_core::store::{ChangeMetadata, MemoryPaths, WriteGate, WriteOutcome};
use mem_core::{Config, Now, Scope, state_file};
use mem_find::use_counts;
use mem_records::files::{note_key, record_from_note};
use mem_records::prune::{PruneCandidate, PruneLimits, PruneReason, chosen};
use serde::{Deserialize, Serialize};

use super::half_life_days;

/// What an importance by now can be.
pub const MARKS: RangeInclusive<f64> = 0.0..=5.0;

/// Memories that are remembered; of more the oldest are forgotten.
const HANDLED_MAX: usize = 20_000;

/// A memory that goes, with its importance as of now, and why.
pub type PruneItem = (PruneCandidate<Note>, PruneReason);

/// The memories of a tier that go by some limits, the least important first.
///
/// # Errors
/// The directory cannot be listed.
pub fn prunable_memories(
    memory: &ProjectMemory,
    scope: Scope,
    limits: &PruneLimits,
    place: &ProjectContext,
    now: Now,
) -> Result<Vec<PruneItem>, MemoryError> {
    let pinned = memory.pinned_files(scope)?;
    let mut used_at = std::collections::HashMap::new();
    use_counts::add_uses(memory.store(scope), &mut used_at);
    let half_life_days = half_life_days(&place.config);
    let notes = memory.list(&[scope])?.notes.into_iter();
    let candidates = notes.filter_map(|note| {
        let used = used_at.get(&note_key(scope, &note.file)).copied();
        let record = record_from_note(&note, used)?;
        Some(PruneCandidate {
            effective: record.effective_importance(now, half_life_days),
            is_expired: record.is_expired(now.0),
            is_pinned: record.pinned || pinned.contains(&note.file),
            what: note,
        })
    });
    Ok(chosen(candidates.collect(), limits))
}

/// Takes them out, as one change that can be undone.
///
/// # Errors
/// A gate refuses, or the system does.
pub fn take_out(
    going: Vec<PruneItem>,
    memory: &ProjectMemory,
    scope: Scope,
    order: ChangeMetadata,
    gate: &dyn WriteGate,
) -> Result<WriteOutcome<Vec<String>>, MemoryError> {
    let reason = prune_reason(&going);
    let notes: Vec<Note> = going.into_iter().map(|(one, _)| one.what).collect();
    let order = order.because(Some(reason));
    memory.remove_all(scope, &notes, &order, gate)
}

/// What the settings have the daemon do; `None` where that is nothing. A mark that everything is below is none.
pub fn prune_limits(config: &Config) -> Option<PruneLimits> {
    let prune = &config.values.prune;
    let limits = PruneLimits {
        max_entries: Some(prune.max_entries).filter(|max| *max > 0),
        below: Some(prune.below).filter(|mark| *mark > 0.0 && MARKS.contains(mark)),
        expired: prune.expired,
    };
    (limits != PruneLimits::default()).then_some(limits)
}

/// Why each went, for the audit trail: how many by which limit.
pub fn prune_reason(going: &[PruneItem]) -> String {
    let words = [
        (PruneReason::Expired, "expired"),
        (PruneReason::Below, "below the mark"),
        (PruneReason::Surplus, "over the number of entries"),
    ];
    let parts = words.into_iter().filter_map(|(why, word)| {
        let count = going.iter().filter(|one| one.1 == why).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// What the daemon pruned, in `prune.json` of a store's state. A memory that stands although it was pruned was brought
/// back by a person, or they left it where it was proposed: it is not pruned by the daemon again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PruningState {
    /// The ids of memories that were taken out or proposed to be, the oldest first.
    handled: Vec<NoteId>,
    /// The last time that there was something to do.
    pub last: Option<LastPruning>,
}

/// What there was to do, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastPruning {
    /// When.
    pub time: Timestamp,
    /// How many memories.
    pub count: usize,
    /// How many by which limit.
    pub reason: String,
    /// The change, where they were taken out.
    pub change: Option<String>,
    /// Why they were not.
    pub trouble: Option<String>,
}

impl PruningState {
    /// Reads it; what is damaged is nothing.
    pub fn for_paths(places: &MemoryPaths) -> Self {
        state_file::read(&pruned_file(places)).0
    }

    /// Whether a person has decided on a memory that stands.
    pub fn knows_note(&self, note: &NoteId) -> bool {
        self.handled.contains(note)
    }

    /// Adds what came of it, and those that are decided on.
    ///
    /// # Errors
    /// The state cannot be written.
    pub fn add_outcome(
        places: &MemoryPaths,
        handled: Vec<NoteId>,
        last: LastPruning,
    ) -> Result<(), StateError> {
        state_file::update(&pruned_file(places), |pruned: &mut Self| {
            pruned.handled.extend(handled);
            let surplus = pruned.handled.len().saturating_sub(HANDLED_MAX);
            pruned.handled.drain(..surplus);
            pruned.last = Some(last);
        })?;
        Ok(())
    }
}

fn pruned_file(places: &MemoryPaths) -> PathBuf {
    places.state.join("prune.json")
}
