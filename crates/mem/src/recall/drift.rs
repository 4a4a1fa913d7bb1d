//! What recall says of whether the code still fits a note.

use mem_core::memory::Note;
use mem_drift::{Drift, Verdict};

/// The verdicts of some notes; `None` where nothing is known.
pub(super) fn verdicts(notes: &[&Note]) -> Vec<Option<Drift>> {
    notes.iter().map(|_| None).collect()
}

/// How much a verdict counts against a note, 0 to 1.
pub(super) fn level(drift: Option<&Drift>) -> f32 {
    match drift.map(|drift| drift.verdict) {
        Some(Verdict::Broken) => 1.0,
        Some(Verdict::Drifted) => 0.5,
        Some(Verdict::Aging | Verdict::Fresh) | None => 0.0,
    }
}
