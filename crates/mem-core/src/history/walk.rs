//! Changes, newest first.

use git2::{Oid, Sort};

use super::change::{Change, Version};
use super::error::HistoryError;
use super::id::NoteId;
use super::repository::History;

/// One change together with the commit that holds it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The commit, valid until the next redaction.
    pub commit: Oid,
    /// What it records.
    pub change: Change,
}

impl History {
    /// All changes, newest first, with those that an adoption brought along.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub fn entries(&self) -> Result<Vec<Entry>, HistoryError> {
        let Some(head) = self.head()? else {
            return Ok(Vec::new());
        };
        let mut walk = self.repo.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL)?;
        walk.push(head)?;
        let entries = walk.map(|commit| self.entry(commit?));
        entries.filter(is_change).collect()
    }

    /// The changes of this directory alone, newest first, lazily.
    pub fn own_entries(&self) -> impl Iterator<Item = Result<Entry, HistoryError>> + '_ {
        let mut next = self.head().transpose();
        std::iter::from_fn(move || {
            let step = next.take()?.and_then(|commit| {
                next = self.parent(commit).transpose();
                self.entry(commit)
            });
            Some(step)
        })
        .filter(is_change)
    }

    /// The versions of one note, newest first, each with its change.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub fn of_note(&self, note: &NoteId) -> Result<Vec<(Entry, Version)>, HistoryError> {
        let mut found = Vec::new();
        for entry in self.entries()? {
            let version = entry
                .change
                .versions
                .iter()
                .find(|version| version.note == *note);
            if let Some(version) = version.cloned() {
                found.push((entry, version));
            }
        }
        Ok(found)
    }

    /// The change whose id is, or unambiguously begins with, `id` (with or without `chg_`).
    ///
    /// # Errors
    /// No change or several changes are called that.
    pub fn find(&self, id: &str) -> Result<Entry, HistoryError> {
        let wanted = id.strip_prefix("chg_").unwrap_or(id);
        let matches = |entry: &Entry| {
            let own = entry.change.id.as_str();
            own.strip_prefix("chg_").unwrap_or(own).starts_with(wanted)
        };
        let mut found = self.entries()?.into_iter().filter(matches);
        match (found.next(), found.next()) {
            (Some(entry), None) if wanted.len() >= 4 => Ok(entry),
            _ => Err(HistoryError::NoSuchChange(id.to_owned())),
        }
    }

    fn entry(&self, commit: Oid) -> Result<Entry, HistoryError> {
        Ok(Entry {
            commit,
            change: self.change(commit)?,
        })
    }
}

/// Whether an entry is more than the beginning of a history.
fn is_change(entry: &Result<Entry, HistoryError>) -> bool {
    !matches!(entry, Ok(entry) if entry.change.versions.is_empty())
}
