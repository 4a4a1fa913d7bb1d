//! [`FileDiff`]: how a memory differs from one of its versions, and what a change did to every file.

use crate::history::{History, HistoryEntry, Sha256};
use crate::host_user::HostUser;
use crate::location::ProjectContext;
use crate::name_resolution::{MemoryInStore, NameError};
use crate::store::{LocalStore, RevisionError};
use crate::unified_diff::unified_diff;
use crate::{MemoryPath, RunContext};

/// The two sides of one file.
#[derive(Debug)]
pub struct FileDiff {
    /// The file.
    pub file: MemoryPath,
    /// Where the old side stood, if elsewhere.
    pub renamed_from: Option<MemoryPath>,
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
}

impl FileDiff {
    /// The difference of the two contents.
    pub fn unified(&self) -> String {
        unified_diff(self.file.as_str(), self.old.as_deref(), self.new.as_deref())
    }
}

/// What the last change of a store did; nothing where nothing was ever written.
///
/// # Errors
/// The history is damaged or unreadable.
pub fn diff_last(
    store: &LocalStore,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Vec<FileDiff>, NameError> {
    let Some(history) = run.open_history(place, store)? else {
        return Ok(Vec::new());
    };
    match history.own_entries().next().transpose()? {
        Some(last) => of_change(&history, &last),
        None => Ok(Vec::new()),
    }
}

/// A memory as it is against one of its versions; what a change did where no memory is called so.
///
/// # Errors
/// Nothing or several memories are called so, there is no such version, or the history is damaged.
pub fn diff_named(
    name: &str,
    revision: Option<&str>,
    user: Option<&HostUser>,
    global: bool,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Vec<FileDiff>, NameError> {
    let error = match run.resolve_memory(user, place, name, global) {
        Ok(found) => return Ok(vec![of_note(&found, revision)?]),
        Err(error) => error,
    };
    let Some(history) = run.store_of(user, place, global)?.open_history()? else {
        return Err(error);
    };
    match history.find(name) {
        Ok(entry) if revision.is_none() => of_change(&history, &entry),
        _ => Err(error),
    }
}

/// A note as it is against one of its versions.
fn of_note(found: &MemoryInStore, revision: Option<&str>) -> Result<FileDiff, NameError> {
    let MemoryInStore {
        store,
        history,
        named,
    } = found;
    let snapshot = store.snapshot()?;
    let stands = snapshot.catalog().path_of(&named.note).is_some();
    let new = match stands {
        true => snapshot.read(&named.path)?.map(|(bytes, _)| bytes),
        false => None,
    };
    let current = new.as_deref().map(Sha256::digest);
    let older = match history.revision(&named.note, revision, current) {
        Ok(older) => Some(older),
        // The first version differs from nothing.
        Err(RevisionError::NoOtherVersion(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let (old_path, old) = older.map(|older| (older.version.path, older.bytes)).unzip();
    Ok(FileDiff {
        renamed_from: old_path.filter(|old| *old != named.path),
        file: named.path.clone(),
        old,
        new,
    })
}

/// What a change did to every file.
fn of_change(history: &History, entry: &HistoryEntry) -> Result<Vec<FileDiff>, NameError> {
    let parent = history.parent(entry.sequence)?;
    let sides = entry.change.versions.iter().map(|version| {
        let home = version.renamed_from.as_ref().unwrap_or(&version.path);
        let old = parent
            .map(|parent| history.content(parent, home))
            .transpose()?;
        Ok(FileDiff {
            file: version.path.clone(),
            renamed_from: version.renamed_from.clone(),
            old: old.flatten(),
            new: history.content(entry.sequence, &version.path)?,
        })
    });
    sides.collect()
}
