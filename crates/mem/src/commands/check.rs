//! `mem check`: everything that is wrong with the memories here, and mending it.

use anyhow::Result;
use mem_core::Scope;
use mem_core::inbox::ConsentGate;
use mem_core::location::ProjectContext;
use mem_core::memory::{Inspection, ProjectMemory};

use crate::context::Context;
use crate::exit::Exit;
use crate::findings;
use mem_core::plural::format_count;
use mem_core::run::require_enabled;
use mem_find::near_duplicates;

/// Check the memories of this repository
///
/// Looks at every tier: dangling and missing pointers, the size of the index, notes without type
/// or description, empty and duplicate ones, frontmatter that other readers would lose, and what the
/// code has left behind (`mem verify` says more), and what is not shared as it should be. Each
/// finding has a code and the command that mends it. Exits with 1 where there is something to
/// mend. --fix mends what needs no decision: it finishes what a crash interrupted, removes what a
/// killed write left behind, brings the indexes in step with the files, and moves the stalest
/// pointers of an index that is not loaded whole to its archive.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Mend what needs no decision, then check
    #[arg(long)]
    fix: bool,
    /// Only one tier: private, team or global
    #[arg(long)]
    scope: Option<Scope>,
}

/// Checks, after mending where that was asked for.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let mut scopes = args.scope.map_or(Scope::ALL.to_vec(), |scope| vec![scope]);
    if args.scope.is_none() && memory.is_one() {
        scopes.retain(|scope| *scope != Scope::Global);
    }
    if args.fix {
        require_enabled(&place)?;
        repair_memory(&memory, &scopes, &place, context)?;
    }
    let mut inspections: Vec<Inspection> = scopes
        .into_iter()
        .map(|scope| memory.inspect(scope))
        .collect::<Result<_, _>>()?;
    if memory.stores().iter().any(|store| store.is_applying()) {
        context.printer.print_warning(
            "a change is being put into place, or was interrupted and cannot be finished here: what is found may be of \
             half of it; `mem doctor` says more",
        );
    }
    inspections
        .iter_mut()
        .for_each(|one| one.allow_for_log(&place));
    crate::freshness::findings::add_to_check(&mut inspections, &memory, &place, context);
    near_duplicates::add_duplicates(&mut inspections, &memory, &place, context);
    crate::team::inspection::add_findings(&mut inspections, &place, context);
    findings::print_inspections(&inspections, context)
}

/// Mends what a crash left, the pointers, and indexes whose end is not loaded.
fn repair_memory(
    memory: &ProjectMemory,
    scopes: &[Scope],
    place: &ProjectContext,
    context: &Context,
) -> Result<()> {
    let mut is_wrong = false;
    for scope in scopes {
        // Under the lock, what a crash left is recovered and swept.
        context.record_external(memory.store(*scope))?;
        let findings = memory.inspect(*scope)?.findings;
        is_wrong |= findings.iter().any(|one| one.code.is_about_index());
    }
    if !is_wrong {
        return Ok(());
    }
    let (order, gate) = (
        context.change_metadata("repair"),
        ConsentGate::for_config(&place.config),
    );
    for mended in memory.mend_indexes(scopes, &order, &gate)? {
        let (added, removed) = (mended.repair.added.len(), mended.repair.removed.len());
        let added = format_count(added, "pointer", "pointers");
        let single = match mended.repair.repeated.len() {
            0 => String::new(),
            files => format!(
                ", one entry kept for {}",
                format_count(files, "file", "files")
            ),
        };
        let archived = match mended.archived.len() {
            0 => String::new(),
            moved => format!(", {moved} moved to MEMORY.archive.md"),
        };
        context.printer.say(format_args!(
            "{}: {added} added, {removed} removed from MEMORY.md{single}{archived}",
            mended.scope
        ));
    }
    Ok(())
}
