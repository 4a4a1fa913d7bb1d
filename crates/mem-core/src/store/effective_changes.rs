//! Which changes still count: neither taken back, nor taking back.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::error::StoreError;
use super::local_store::LocalStore;
use crate::history::{History, HistoryEntry, HistoryError};

/// So many changes are looked through for the one that took another back.
const TAKEN_BACK_CHANGES_MAX: usize = 2_000;

impl LocalStore {
    /// When the newest change was made that an undo would take back; `None` where there is none. It may still be
    /// impossible to take that change back.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn last_undoable(&self, with_external: bool) -> Result<Option<Timestamp>, StoreError> {
        let Some(history) = self.open_history()? else {
            return Ok(None);
        };
        let newest = undoable(&history, with_external).next().transpose()?;
        Ok(newest.map(|entry| entry.change.time))
    }

    /// Whether a change was taken back, and is so still. One that is long ago counts as one that stands.
    ///
    /// # Errors
    /// The history cannot be read.
    pub fn is_taken_back(&self, change: &str) -> Result<bool, StoreError> {
        let Some(history) = self.open_history()? else {
            return Ok(false);
        };
        let mut cancelled: BTreeSet<String> = BTreeSet::new();
        for entry in history.own_entries().take(TAKEN_BACK_CHANGES_MAX) {
            let one = entry?.change;
            let id = one.id.to_string();
            if id == change {
                break;
            }
            if !cancelled.contains(&id) {
                cancelled.extend(one.undoes.iter().map(ToString::to_string));
            }
        }
        Ok(cancelled.contains(change))
    }
}

/// The changes of this directory that an undo is about, newest first. A redaction is one of them,
/// although nothing takes it back: what came before it must not be taken for the last change. What a sync wrote is not:
/// the next sync would carry its undo to everybody.
pub(crate) fn undoable(
    history: &History,
    with_external: bool,
) -> impl Iterator<Item = Result<HistoryEntry, HistoryError>> {
    // Newest first, in one pass: an undo is always newer than the change it undoes, so by the time a change is met
    // all that may cancel it has been seen. A cancelled undo cancels nothing:
    //
    //   c1   c2   u3 (undoes c2)   u4 (undoes u3)
    //   stands    cancelled        is an undo          the last change is c2 again
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
        !change.is_base && !change.is_from_sync() && (with_external || !change.is_foreign())
    })
}
