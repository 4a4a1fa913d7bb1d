//! What was deleted, by whom and why: the audit trail of a memory.

use jiff::Timestamp;

use super::ProjectMemory;
use crate::RunContext;
use crate::compact_sort::CompactSort as _;
use crate::history::{Change, FileOperation, Version, undone_changes};
use crate::store::{LocalStore, StoreError};

/// One thing that was deleted.
#[derive(Debug)]
pub struct DeletionEntry {
    /// The change that deleted it.
    pub change: Change,
    /// What the change did to the file.
    pub version: Version,
    /// Where it stood.
    pub file: String,
    /// Whether a later change took that back.
    pub is_undone: bool,
}

impl DeletionEntry {
    /// What became of it, in a word.
    pub fn action(&self) -> &str {
        match self.version.superseded_by {
            Some(_) => "supersede",
            None => &self.change.verb,
        }
    }
}

impl ProjectMemory {
    /// What was deleted since an instant, the newest first. Where memory is on, what somebody removed by other means is
    /// part of it.
    ///
    /// # Errors
    /// A history is damaged or unreadable.
    pub fn deletions(
        &self,
        since: Option<Timestamp>,
        is_enabled: bool,
        run: &RunContext,
    ) -> Result<Vec<DeletionEntry>, StoreError> {
        let mut entries = Vec::new();
        for store in self.distinct_stores() {
            if is_enabled && store.places().root.exists() {
                drop(run.record_external(store)?);
            }
            entries.extend(deletions_of(store, since)?);
        }
        entries.compact_sort_by_key(|one| std::cmp::Reverse(one.change.time));
        Ok(entries)
    }
}

fn deletions_of(
    store: &LocalStore,
    since: Option<Timestamp>,
) -> Result<Vec<DeletionEntry>, StoreError> {
    let Some(history) = store.open_history()? else {
        return Ok(Vec::new());
    };
    let entries = history.entries()?;
    let undone = undone_changes(&entries);
    let is_new = |change: &Change| since.is_none_or(|since| change.time >= since);
    let mut found = Vec::new();
    for entry in entries {
        let change = entry.change;
        // An undo reverts what is in the trail already.
        if !is_new(&change) || !change.undoes.is_empty() {
            continue;
        }
        let is_undone = undone.contains(&change.id);
        let gone = change.versions.iter();
        let gone = gone.filter(|one| one.operation == FileOperation::Deleted);
        let gone = gone.map(|version| DeletionEntry {
            file: store.tiers().label(&version.path),
            version: version.clone(),
            change: change.clone(),
            is_undone,
        });
        found.extend(gone);
    }
    Ok(found)
}
