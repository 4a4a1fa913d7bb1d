//! Memories that the code has left behind, among the findings of a check.

use mem_core::check::{CheckCode, CheckFinding};
use mem_core::location::ProjectContext;
use mem_core::memory::{Inspection, ProjectMemory};
use mem_drift::{NoteReport, Verdict};

use super::is_about_here;
use crate::context::Context;
use crate::progress::Progress;

/// Adds what drifted or broke to the findings of each tier. Where that cannot be told it is a
/// warning: the rest of the check stands.
pub(crate) fn add_drift(
    inspections: &mut [Inspection],
    memory: &ProjectMemory,
    place: &ProjectContext,
    context: &Context,
) {
    if let Err(error) = try_add(inspections, memory, place, context) {
        let text = format_args!("memories were not checked against the code: {error:#}");
        context.printer.print_warning(text);
    }
}

fn try_add(
    inspections: &mut [Inspection],
    memory: &ProjectMemory,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<()> {
    let verdicts = context.open_verdicts(place)?;
    let scopes: Vec<_> = inspections.iter().map(|one| one.scope).collect();
    let mut notes = memory.list(&scopes)?.notes;
    notes.retain(is_about_here);
    if !verdicts.has_repository() || notes.is_empty() {
        return Ok(());
    }
    let progress = Progress::saying(&context.printer, "checking memories against the code");
    let reports = verdicts.check_notes(&notes)?;
    drop(progress);
    for (note, report) in notes.iter().zip(&reports) {
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
    Ok(())
}

/// What a verdict is to a check.
pub(crate) fn check_code(report: &NoteReport) -> Option<CheckCode> {
    match report.verdict {
        Verdict::Broken => Some(CheckCode::Broken),
        Verdict::Drifted => Some(CheckCode::Drifted),
        Verdict::Aging | Verdict::Fresh => None,
    }
}
