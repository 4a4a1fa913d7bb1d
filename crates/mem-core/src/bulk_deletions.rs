//! Files that something else took away in one go, as some hosts' clean-ups do with `team/` and
//! `logs/`: found in the history, so that they can be offered back.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::history::{ChangeId, FileOperation, History, HistoryEntry, HistoryError};
use crate::limits::{SWEEP_CHANGES_MAX, SWEEP_DAYS_MAX, SWEEP_FILES_MIN};
use crate::store::Stat;
use crate::{MemoryPath, Now};

/// One change, made by something else, that took files away which are still missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkDeletion {
    /// The change: undoing it brings the files back.
    pub change: ChangeId,
    /// When it was noticed.
    pub time: Timestamp,
    /// The folder that vanished, where they all stood in one that is empty now.
    pub folder: Option<String>,
    /// How many files of it are still missing.
    pub files: usize,
}

/// Finds the sweeps of late whose files are still missing, newest first. `files` are those that
/// stand in the directory now.
///
/// # Errors
/// The history cannot be read.
pub fn find(
    history: &History,
    files: &BTreeMap<MemoryPath, Stat>,
    now: Now,
) -> Result<Vec<BulkDeletion>, HistoryError> {
    let mut found = Vec::new();
    for entry in history.own_entries().take(SWEEP_CHANGES_MAX) {
        let entry = entry?;
        if now.days_since(entry.change.time) > SWEEP_DAYS_MAX {
            break;
        }
        if entry.change.is_foreign() {
            found.extend(deletion_of(&entry, files));
        }
    }
    Ok(found)
}

fn deletion_of(entry: &HistoryEntry, files: &BTreeMap<MemoryPath, Stat>) -> Option<BulkDeletion> {
    let versions = entry.change.versions.iter();
    let missing: Vec<&MemoryPath> = versions
        .filter(|version| version.operation == FileOperation::Deleted)
        .map(|version| &version.path)
        .filter(|path| !files.contains_key(*path))
        .collect();
    let folder = common_folder(&missing).filter(|folder| {
        let inside = format!("{folder}/");
        !files.keys().any(|path| path.as_str().starts_with(&inside))
    });
    let is_bulk = folder.is_some() || missing.len() >= SWEEP_FILES_MIN;
    is_bulk.then(|| BulkDeletion {
        change: entry.change.id.clone(),
        time: entry.change.time,
        folder: folder.map(str::to_owned),
        files: missing.len(),
    })
}

/// The folder at the top that all paths are in.
fn common_folder<'p>(paths: &[&'p MemoryPath]) -> Option<&'p str> {
    let top = |path: &&'p MemoryPath| path.as_str().split_once('/').map(|(top, _)| top);
    let first = paths.first().and_then(top)?;
    paths
        .iter()
        .all(|path| top(path) == Some(first))
        .then_some(first)
}
