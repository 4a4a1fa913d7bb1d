//! What recall says of whether the code still fits a note: where the checkout is small, what a look
//! finds now, else what was found before. A large one is looked at when nobody waits.

use mem_core::memory::Note;
use mem_drift::{Drift, NoteReport, OpenRepository, Verdict};

use crate::verdicts::Verdicts;

/// The verdicts of some notes; `None` where nothing is known yet. The repository may have been opened before.
pub(super) fn note_verdicts(
    notes: &[Note],
    verdicts: Option<&Verdicts>,
    opened: Option<&OpenRepository>,
) -> Vec<Option<Drift>> {
    let drift = |report: &NoteReport| report.drift_summary();
    let Some(verdicts) = verdicts.filter(|_| !notes.is_empty()) else {
        return vec![None; notes.len()];
    };
    // What is remembered does not see an edit that is not committed.
    if (verdicts.is_small() || !verdicts.has_repository())
        && let Ok(reports) = verdicts.checked_in(opened, notes)
    {
        return reports.iter().map(drift).map(Some).collect();
    }
    let known = verdicts.remembered_reports(notes);
    known
        .iter()
        .map(|report| report.as_ref().map(drift))
        .collect()
}

/// How much a verdict counts against a note, 0 to 1.
pub(super) fn drift_level(drift: Option<&Drift>) -> f32 {
    match drift.map(|drift| drift.verdict) {
        Some(Verdict::Broken) => 1.0,
        Some(Verdict::Drifted) => 0.5,
        Some(Verdict::Aging | Verdict::Fresh) | None => 0.0,
    }
}
