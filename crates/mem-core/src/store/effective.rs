//! Which changes still count: neither taken back, nor taking back.

use std::collections::BTreeSet;

use crate::history::{Entry, History, HistoryError};

/// The changes of this directory that an undo is about, newest first. A redaction is one of them,
/// although nothing takes it back: what came before it must not be taken for the last change.
pub(super) fn undoable(
    history: &History,
    foreign_too: bool,
) -> impl Iterator<Item = Result<Entry, HistoryError>> {
    let mut cancelled = BTreeSet::new();
    history.own_entries().filter(move |entry| {
        let Ok(entry) = entry else { return true };
        let change = &entry.change;
        if cancelled.contains(&change.id) {
            return false;
        }
        if !change.undoes.is_empty() {
            cancelled.extend(change.undoes.iter().cloned());
            return false;
        }
        !change.is_base && (foreign_too || !change.is_foreign())
    })
}
