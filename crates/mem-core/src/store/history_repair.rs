//! A history that cannot be read is set aside and begun anew: it must not keep anybody from
//! saving.
//!
//! What is left of it stays beside it (`history.damaged-1`, ..). The new history has every change that can
//! still be read; then come the files as they are, and their notes keep their ids and ages by the catalog.

use std::path::{Path, PathBuf};

use super::catalog::Catalog;
use super::error::StoreError;
use super::locked_store::LockedStore;
use super::memory_paths::MemoryPaths;
use crate::history::{Brought, Change, History, HistoryError, remove_earlier, remove_odd};
use crate::limits::DAMAGED_COPIES_MAX;
use crate::regular_file::if_there;

/// A history that took the place of a damaged one.
#[derive(Debug)]
pub(super) struct HistoryRepair {
    /// What happened, for people.
    reason: String,
    /// Where the damaged history is.
    aside: Option<PathBuf>,
    /// What was known of the files.
    known: Catalog,
}

impl HistoryRepair {
    /// What happened, and where the damaged history is.
    pub(super) fn message(&self) -> String {
        match &self.aside {
            Some(aside) => format!(
                "{}; what was there is kept in `{}`",
                self.reason,
                aside.display()
            ),
            None => self.reason.clone(),
        }
    }
}

/// Opens the history, or sets it aside and begins a new one. One of an earlier format is taken over first.
pub(super) fn open(places: &MemoryPaths) -> Result<(History, Option<HistoryRepair>), StoreError> {
    let place = places.history();
    History::sweep(&place)?;
    // One of an earlier format may hold what was taken out.
    History::sweep(&places.git_history())?;
    let opened = match take_over(places) {
        Err(error) => Err(error),
        // A catalog is written after the first change only.
        Ok(_) if !place.exists() && places.catalog().exists() => Err(HistoryError::Gone(place)),
        Ok(told) => History::open_or_init(&place, &places.seal).map(|history| (history, told)),
    };
    match opened {
        Ok((history, None)) => Ok((history, None)),
        Ok((history, Some((reason, aside)))) => {
            let repair = HistoryRepair {
                reason,
                aside: Some(aside),
                known: Catalog::load(&places.catalog()),
            };
            Ok((history, Some(repair)))
        }
        Err(error) if error.is_damage() => {
            let (history, mended) = replace_history(places, &error)?;
            Ok((history, Some(mended)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Takes over a history of an earlier format. Says what could not be read, where something could not, and where it
/// is kept then.
fn take_over(places: &MemoryPaths) -> Result<Option<(String, PathBuf)>, HistoryError> {
    let (git, journal, place) = (places.git_history(), places.git_journal(), places.history());
    let taken = match (git.exists(), History::open(&place, &places.seal)?) {
        (false, _) => return Ok(None),
        (true, None) => History::take_over(&git, &journal, &place, &places.seal)?,
        // Killed behind that, or a process of an earlier version went on.
        (true, Some(history)) => history.take_later(&git, &journal)?,
    };
    if taken.lost == 0 {
        return remove_earlier(&git, &journal).map(|()| None);
    }
    let aside = free_place(places);
    let set_aside = rename(&git, &aside).and_then(|_| rename(&journal, &journal_of(&aside)));
    set_aside.map_err(|_| HistoryError::Gone(git))?;
    let reason = format!(
        "the history was taken over from an earlier version: {} changes, and {} parts that cannot be read",
        taken.changes, taken.lost
    );
    Ok(Some((reason, aside)))
}

/// Sets the history aside and begins a new one with what can be read of it.
fn replace_history(
    places: &MemoryPaths,
    damage: &HistoryError,
) -> Result<(History, HistoryRepair), StoreError> {
    let aside = free_place(places);
    let mut is_kept = rename(&places.history(), &aside)?;
    if !is_kept {
        is_kept = rename(&places.git_history(), &aside)?;
        rename(&places.git_journal(), &journal_of(&aside))?;
    }
    remove_odd(&aside);
    let damaged = Brought::at(aside.clone(), places.seal.clone());
    let (history, changes) = History::salvaged(&places.history(), &places.seal, &damaged)?;
    let salvaged = match changes {
        0 => String::new(),
        changes => format!("; {changes} of its changes could be read and are in the new one"),
    };
    let repair = HistoryRepair {
        reason: format!("the history was begun anew: {damage}{salvaged}"),
        aside: is_kept.then_some(aside),
        known: Catalog::load(&places.catalog()),
    };
    Ok((history, repair))
}

impl LockedStore<'_> {
    /// Where the catalog knows of later changes of this very history, its log was damaged or cut: what is left of that
    /// is copied aside before the next change overwrites it, and files keep their ids and ages by the catalog.
    pub(super) fn note_lost_log(&mut self) -> Result<(), StoreError> {
        if self.mended.is_some() || !self.history.is_behind(self.catalog.head)? {
            return Ok(());
        }
        let places = &self.store.places;
        let aside = free_place(places);
        copy_folder(&places.history(), &aside)?;
        self.mended = Some(HistoryRepair {
            reason: "the newest changes of the history are gone with its log".to_owned(),
            aside: Some(aside),
            known: std::mem::take(&mut self.catalog),
        });
        Ok(())
    }

    /// Whether an error is damage, and the first one of this run.
    pub(super) fn can_repair(&self, error: &HistoryError) -> bool {
        error.is_damage() && self.mended.is_none()
    }

    /// Does the same when the damage shows later on; to be settled then.
    pub(super) fn repair(&mut self, damage: &HistoryError) -> Result<(), StoreError> {
        let (history, mended) = replace_history(&self.store.places, damage)?;
        self.history = history;
        self.mended = Some(mended);
        Ok(())
    }

    /// Gives files of a new history the ids and ages that were known before.
    pub(super) fn remember(&self, change: &mut Change) {
        let Some(HistoryRepair { known, .. }) = &self.mended else {
            return;
        };
        for version in &mut change.versions {
            if let Some(entry) = known.get(&version.path) {
                version.note = entry.note.clone();
                if version.sha256 == Some(entry.sha256) {
                    version.content_time = Some(entry.content_time);
                    version.cited = entry.cited();
                }
            }
        }
    }
}

/// Removes every history that was set aside.
pub(super) fn remove_damaged(places: &MemoryPaths) -> Result<(), StoreError> {
    for place in all_damaged(places) {
        for path in [journal_of(&place), place] {
            let removed = match path.symlink_metadata() {
                Err(_) => Ok(()),
                Ok(meta) if meta.is_dir() => std::fs::remove_dir_all(&path),
                Ok(_) => std::fs::remove_file(&path),
            };
            removed.map_err(StoreError::io("remove", &path))?;
        }
    }
    Ok(())
}

/// How many are there.
pub(super) fn count_damaged(places: &MemoryPaths) -> usize {
    let all = all_damaged(places);
    let is_there = |place: &PathBuf| place.exists() || journal_of(place).exists();
    all.filter(is_there).count()
}

/// The name of the n-th damaged history.
fn damaged(places: &MemoryPaths, number: u32) -> PathBuf {
    places.state.join(format!("history.damaged-{number}"))
}

/// Every place where a damaged history may be, those of an earlier format too.
fn all_damaged(places: &MemoryPaths) -> impl Iterator<Item = PathBuf> {
    (1..=DAMAGED_COPIES_MAX).flat_map(|number| {
        let earlier = places.state.join(format!("history.git.damaged-{number}"));
        [damaged(places, number), earlier]
    })
}

/// A name for what is damaged: free, or the last one there may be.
fn free_place(places: &MemoryPaths) -> PathBuf {
    let name = |number| damaged(places, number);
    let is_taken = |place: &Path| place.symlink_metadata().is_ok();
    (1..DAMAGED_COPIES_MAX)
        .map(name)
        .find(|place| !is_taken(place) && !is_taken(&journal_of(place)))
        .unwrap_or_else(|| name(DAMAGED_COPIES_MAX))
}

/// Where the journal of a damaged history of an earlier format goes.
fn journal_of(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

/// Moves something to another name and tells whether it was there.
#[expect(
    clippy::disallowed_methods,
    reason = "what is damaged moves aside and replaces nothing but older damage"
)]
fn rename(from: &Path, to: &Path) -> Result<bool, StoreError> {
    let _ = std::fs::remove_dir_all(to);
    let moved = if_there(std::fs::rename(from, to)).map_err(StoreError::io("set aside", from))?;
    Ok(moved.is_some())
}

/// Copies the files of a folder.
fn copy_folder(from: &Path, to: &Path) -> Result<(), StoreError> {
    let _ = std::fs::remove_dir_all(to);
    crate::atomic::create_dirs(to).map_err(StoreError::io("create", to))?;
    let fail = || StoreError::io("copy", from);
    for entry in std::fs::read_dir(from).map_err(fail())? {
        let path = entry.map_err(fail())?.path();
        if let Some(name) = path.file_name() {
            let bytes = crate::regular_file::read_whole(&path).map_err(fail())?;
            crate::atomic::replace_file(&to.join(name), &bytes)?;
        }
    }
    Ok(())
}
