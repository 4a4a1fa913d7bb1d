//! Memories that the code has left behind, among the findings of a check.

use mem_core::check::{CheckCode, CheckFinding};
use mem_core::memory::{Inspection, MemoryError, Note, ProjectMemory};
use mem_drift::{NoteReport, Verdict};

use super::{Verdicts, is_about_here};

/// The memories of the inspected tiers that can be checked against the code; none without a repository.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn inspected_notes(
    inspections: &[Inspection],
    memory: &ProjectMemory,
    verdicts: &Verdicts,
) -> Result<Vec<Note>, MemoryError> {
    let scopes: Vec<_> = inspections.iter().map(|one| one.scope).collect();
    let mut notes = memory.list(&scopes)?.notes;
    notes.retain(|note| is_about_here(note) && verdicts.has_repository());
    Ok(notes)
}

/// Adds what drifted or broke to the findings of each tier, from the reports on these memories in their order.
pub fn add_drift(inspections: &mut [Inspection], notes: &[Note], reports: &[NoteReport]) {
    for (note, report) in notes.iter().zip(reports) {
        let inspection = inspections.iter_mut().find(|one| one.scope == note.scope);
        if let (Some(inspection), Some(code)) = (inspection, check_code(report)) {
            inspection.findings.push(CheckFinding {
                severity: code.severity_level(),
                fix: code.fix_command(&note.file),
                file: note.file.clone(),
                line: None,
                message: report.reasons.join("; "),
                code,
            });
        }
    }
}

/// What a verdict is to a check.
pub(super) fn check_code(report: &NoteReport) -> Option<CheckCode> {
    match report.verdict {
        Verdict::Broken => Some(CheckCode::Broken),
        Verdict::Drifted => Some(CheckCode::Drifted),
        Verdict::Aging | Verdict::Fresh => None,
    }
}
