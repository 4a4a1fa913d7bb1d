//! Memories that the code has left behind, as findings of `mem check` and `mem audit`.

use mem_core::audit::Audit;
use mem_core::location::ProjectContext;
use mem_core::memory::{Inspection, ProjectMemory};
use mem_find::verdicts::Verdicts;
use mem_find::verdicts::{audit, check};

use crate::context::Context;
use crate::progress::Progress;
use mem_core::plural::format_count;

/// What is going on, for whoever waits.
const CHECKING: &str = "checking memories against the code";

/// Adds what drifted or broke to the findings of each tier. Where that cannot be told it is a
/// warning: the rest of the check stands.
pub(crate) fn add_to_check(
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
    let verdicts = Verdicts::for_place(place, context)?;
    let notes = check::inspected_notes(inspections, memory, &verdicts)?;
    if notes.is_empty() {
        return Ok(());
    }
    let progress = Progress::saying(&context.printer, CHECKING);
    let reports = verdicts.check_notes(&notes)?;
    drop(progress);
    check::add_drift(inspections, &notes, &reports);
    Ok(())
}

/// Adds what drifted or broke to the findings of every project of an audit, and says how many could not be checked.
pub(crate) fn add_to_audit(audit: &mut Audit, context: &Context) -> anyhow::Result<()> {
    let dirs = context.dirs()?;
    let progress = Progress::saying(&context.printer, CHECKING);
    let unchecked = audit::add_drift(audit, dirs, context.now);
    drop(progress);
    if unchecked > 0 {
        let projects = format_count(unchecked, "project", "projects");
        let text = format_args!(
            "the memories of {projects} were not checked against the code: `mem -C FOLDER verify` does"
        );
        context.printer.print_warning(text);
    }
    Ok(())
}
