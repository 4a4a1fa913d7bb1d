//! Memories that speak of the repository, apart from those that do not.

use mem_core::Now;
use mem_core::memory::Note;
use mem_drift::NoteReport;

use super::{drift_input, is_about_here};

/// Some memories, as `mem-drift` takes them.
pub(super) struct DriftNotes {
    /// Those that are checked, in their order.
    pub(super) here: Vec<mem_drift::DriftInput>,
    /// For each memory: `None` where it is the next of `here`, else the memory.
    all: Vec<Option<mem_drift::DriftInput>>,
}

impl DriftNotes {
    pub(super) fn from_notes(notes: &[Note]) -> Self {
        let (mut here, mut all) = (Vec::new(), Vec::new());
        for note in notes {
            let converted = drift_input::drift_input(note);
            if is_about_here(note) {
                here.push(converted);
                all.push(None);
            } else {
                all.push(Some(converted));
            }
        }
        Self { here, all }
    }

    /// One report a memory: those of `here` in turn, by age for the others.
    pub(super) fn merge_reports(
        &self,
        mut reports: impl Iterator<Item = Option<NoteReport>>,
        now: Now,
    ) -> Vec<Option<NoteReport>> {
        let report = |other: &Option<mem_drift::DriftInput>| match other {
            None => reports.next().flatten(),
            Some(note) => Some(mem_drift::by_age(note, now)),
        };
        self.all.iter().map(report).collect()
    }
}
