//! A history that cannot be read is set aside and begun anew: it must not keep anybody from
//! saving.
//!
//! What is left of it stays beside it (`history.git.damaged-1`, ..). The new history is told again
//! from the journal where that goes back to the beginning; else it begins with the files as they
//! are, and their notes keep their ids and ages by the catalog.

use std::io;
use std::path::{Path, PathBuf};

use git2::Oid;

use super::catalog::Catalog;
use super::error::StoreError;
use super::journal::Contents;
use super::locked::Locked;
use super::places::Places;
use super::record::{FileRecord, Record};
use crate::history::{Change, History, HistoryError};
use crate::limits::DAMAGED_COPIES_MAX;

/// A history that took the place of a damaged one.
#[derive(Debug)]
pub(super) struct Mended {
    /// What happened, for people.
    pub(super) message: String,
    /// What was known of the files.
    known: Catalog,
    /// Where the damaged one is now.
    aside: PathBuf,
}

/// Opens the history, or sets it aside and begins a new one.
pub(super) fn open(places: &Places) -> Result<(History, Option<Mended>), StoreError> {
    let place = places.history();
    History::sweep(&place)?;
    // A catalog is written after the first change only.
    let opened = match !place.exists() && places.catalog().exists() {
        true => Err(HistoryError::Gone(place)),
        false => History::open_or_init(&place, &places.seal),
    };
    match opened {
        Ok(history) => Ok((history, None)),
        Err(error) if error.is_damage() => {
            let (history, mended) = begin_anew(places, &error)?;
            Ok((history, Some(mended)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Sets the history aside and begins a new one.
fn begin_anew(places: &Places, damage: &HistoryError) -> Result<(History, Mended), StoreError> {
    let aside = free_place(places);
    let kept = match rename(&places.history(), &aside)? {
        true => format!("; the old one is kept in `{}`", aside.display()),
        false => String::new(),
    };
    let message = format!("the history was begun anew: {damage}{kept}");
    let mended = Mended {
        message,
        known: Catalog::load(&places.catalog()),
        aside,
    };
    Ok((
        History::open_or_init(&places.history(), &places.seal)?,
        mended,
    ))
}

impl Locked<'_> {
    /// Whether an error is damage, and the first one of this run.
    pub(super) fn can_mend(&self, error: &HistoryError) -> bool {
        error.is_damage() && self.mended.is_none()
    }

    /// Does the same when the damage shows later on; to be settled then.
    pub(super) fn mend(&mut self, damage: &HistoryError) -> Result<(), StoreError> {
        let (history, mended) = begin_anew(&self.store.places, damage)?;
        self.history = history;
        self.mended = Some(mended);
        Ok(())
    }

    /// Tells a history that was begun anew what the journal still knows.
    pub(super) fn retell(&mut self) -> Result<(), StoreError> {
        let contents = self.journal.contents()?;
        let whole = contents.filter(Contents::is_from_the_beginning);
        let mut head: Option<Oid> = None;
        for record in whole.iter().flat_map(|contents| &contents.records) {
            let files = record.files.iter().map(FileRecord::content);
            let (files, parents) = (files.collect::<Vec<_>>(), head.as_slice());
            if let Some(change) = &record.change {
                head = Some(self.history.prepare(change, &files, parents, false)?);
            }
        }
        self.history.set_head(head)?;
        self.catalog = Catalog::default();
        match &mut self.mended {
            Some(mended) if head.is_some() => {
                let told = "; its changes were told again from the journal";
                mended.message.push_str(told);
            }
            Some(mended) => {
                let journal = self.store.places.journal();
                rename(&journal, &journal_of(&mended.aside))?;
            }
            None => {}
        }
        self.checkpoint()
    }

    /// Gives files of a new history the ids and ages that were known before.
    pub(super) fn remember(&self, change: &mut Change) {
        let Some(Mended { known, .. }) = &self.mended else {
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

impl Contents {
    /// Whether the records are all that ever happened, with all contents.
    fn is_from_the_beginning(&self) -> bool {
        let complete = |file: &FileRecord| file.bytes.is_some() || file.after.is_none();
        let complete =
            |record: &Record| record.change.is_some() && record.files.iter().all(complete);
        self.checkpoint.is_none() && self.records.iter().all(complete)
    }
}

/// Removes every history that was set aside.
pub(super) fn remove_damaged(places: &Places) -> Result<(), StoreError> {
    for place in (1..=DAMAGED_COPIES_MAX).map(|number| damaged(places, number)) {
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
pub(super) fn count_damaged(places: &Places) -> usize {
    let all = (1..=DAMAGED_COPIES_MAX).map(|number| damaged(places, number));
    let is_there = |place: &PathBuf| place.exists() || journal_of(place).exists();
    all.filter(is_there).count()
}

/// The name of the n-th damaged history.
fn damaged(places: &Places, number: u32) -> PathBuf {
    places.state.join(format!("history.git.damaged-{number}"))
}

/// A name for what is damaged: free, or the last one there may be.
fn free_place(places: &Places) -> PathBuf {
    let name = |number| damaged(places, number);
    let is_taken = |place: &Path| place.symlink_metadata().is_ok();
    (1..DAMAGED_COPIES_MAX)
        .map(name)
        .find(|place| !is_taken(place) && !is_taken(&journal_of(place)))
        .unwrap_or_else(|| name(DAMAGED_COPIES_MAX))
}

/// Where the journal of a damaged history goes.
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
    match std::fs::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreError::io("set aside", from)(error)),
    }
}
