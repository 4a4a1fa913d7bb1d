//! Carrying an import out: one change in each store, and only when every gate agrees on both.

use super::placement::place;
use super::{ImportBatch, ImportError, Imported, SourceContents};
use crate::history::Change;
use crate::memory::ProjectMemory;
use crate::store::{ChangeMetadata, LocalStore, Planned, WriteGate};

/// What an import did, or would do.
#[derive(Debug, Default)]
pub struct Import {
    /// Every item and what became of it.
    pub items: Vec<Imported>,
    /// The changes, at most one for each store; none for a preview, or where all was known.
    pub changes: Vec<Change>,
    /// What was or would be written, by store: the project's own first.
    pub planned: [Vec<Planned>; 2],
    /// What the gates had to say.
    pub warnings: Vec<String>,
}

/// Tells what [`import`] would do; gates are asked.
///
/// # Errors
/// As [`import`].
pub fn preview(
    memory: &ProjectMemory,
    gathered: &SourceContents,
    order: &ChangeMetadata,
    gate: &dyn WriteGate,
    with_index: bool,
) -> Result<Import, ImportError> {
    let mut report = Import::default();
    for (store, planned) in memory.stores().into_iter().zip(0..) {
        let batches = batches_of(gathered, memory, store);
        if batches.is_empty() {
            continue;
        }
        let (items, plans) = store.preview(order.now, |draft| {
            place_all(draft, &batches, with_index, order)
        })?;
        report.warnings.extend(store.ask(&plans, order, gate)?);
        report.items.extend(items);
        report.planned[planned] = plans;
    }
    Ok(report)
}

/// Places what was gathered, as one change in each store it goes to. Gates are asked about both
/// stores before either is written.
///
/// # Errors
/// A file cannot be read or written, or a gate refuses; nothing is written then. Only where the
/// second store fails after all (a full disk) does the first one's change stand.
pub fn import(
    memory: &ProjectMemory,
    gathered: &SourceContents,
    order: &ChangeMetadata,
    gate: &dyn WriteGate,
    with_index: bool,
) -> Result<Import, ImportError> {
    let mut report = preview(memory, gathered, order, gate, with_index)?;
    report.items.clear();
    report.warnings.clear();
    for store in memory.stores() {
        let batches = batches_of(gathered, memory, store);
        if batches.is_empty() {
            continue;
        }
        let written = store.write(order, gate, |draft| {
            place_all(draft, &batches, with_index, order)
        })?;
        report.items.extend(written.value);
        report.changes.extend(written.change);
        report.warnings.extend(written.warnings);
    }
    Ok(report)
}

/// The batches that go into a store.
fn batches_of<'g>(
    gathered: &'g SourceContents,
    memory: &ProjectMemory,
    store: &LocalStore,
) -> Vec<&'g ImportBatch> {
    let root = &store.places().root;
    let goes_here = |batch: &&ImportBatch| memory.store(batch.scope).places().root == *root;
    gathered.batches.iter().filter(goes_here).collect()
}

fn place_all(
    draft: &mut crate::store::WriteTransaction<'_>,
    batches: &[&ImportBatch],
    with_index: bool,
    order: &ChangeMetadata,
) -> Result<Vec<Imported>, ImportError> {
    let mut items = Vec::new();
    for batch in batches {
        items.extend(place(draft, batch, with_index, order.now)?);
    }
    Ok(items)
}
