//! Changes, newest first.

use std::collections::{BTreeSet, VecDeque};

use jiff::Timestamp;
use rusqlite::Row;

use super::change::{Change, Version};
use super::database::{ChangeSequence, History, OWN};
use super::error::HistoryError;
use super::id::{ChangeId, NoteId};

/// Changes that are read at once.
const PORTION_MAX: i64 = 256;
/// Characters that an abbreviated id has at least.
const ID_CHARS_MIN: usize = 4;

/// One change together with its place in the history.
#[derive(Clone, Debug)]
pub struct HistoryEntry {
    /// Its place.
    pub sequence: ChangeSequence,
    /// What it records.
    pub change: Change,
}

/// The changes that later ones took back.
pub fn undone_changes(entries: &[HistoryEntry]) -> BTreeSet<ChangeId> {
    let undoes = entries.iter().flat_map(|entry| &entry.change.undoes);
    undoes.cloned().collect()
}

impl History {
    /// All changes, newest first, with those that an adoption brought along.
    ///
    /// # Errors
    /// The database is damaged, or a change cannot be opened.
    pub fn entries(&self) -> Result<Vec<HistoryEntry>, HistoryError> {
        self.query_entries("ORDER BY sequence DESC", ())
    }

    /// The changes of this directory alone, newest first, lazily: in portions that grow, since most who ask want a few.
    pub fn own_entries(&self) -> impl Iterator<Item = Result<HistoryEntry, HistoryError>> + '_ {
        let (mut before, mut portion) = (Some(i64::MAX), 1);
        let mut waiting = VecDeque::new();
        std::iter::from_fn(move || {
            if waiting.is_empty() {
                let rest = "WHERE lineage = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?";
                match self.query_entries(rest, (OWN, before.take()?, portion)) {
                    Ok(found) => waiting.extend(found),
                    Err(error) => return Some(Err(error)),
                }
                before = waiting.back().map(|last: &HistoryEntry| last.sequence.0);
                portion = (portion * 4).min(PORTION_MAX);
            }
            waiting.pop_front().map(Ok)
        })
    }

    /// The versions of one note, newest first, each with its change.
    ///
    /// # Errors
    /// The database is damaged, or a change cannot be opened.
    pub fn of_note(&self, note: &NoteId) -> Result<Vec<(HistoryEntry, Version)>, HistoryError> {
        let rest = "JOIN notes USING (sequence) WHERE note = ? ORDER BY sequence DESC";
        let entries = self.query_entries(rest, [note.as_str()])?.into_iter();
        let found = entries.filter_map(|entry| {
            let mut versions = entry.change.versions.iter();
            let version = versions.find(|version| version.note == *note)?.clone();
            Some((entry, version))
        });
        Ok(found.collect())
    }

    /// The changes that touched a path, newest first.
    ///
    /// # Errors
    /// The database is damaged, or a change cannot be opened.
    pub fn of_path(&self, path: &str) -> Result<Vec<HistoryEntry>, HistoryError> {
        let rest = "JOIN files USING (sequence) WHERE path = ? ORDER BY sequence DESC";
        self.query_entries(rest, [path])
    }

    /// The change whose id is, or unambiguously begins with, `id` (with or without `chg_`).
    ///
    /// # Errors
    /// No change or several changes are called that.
    pub fn find(&self, id: &str) -> Result<HistoryEntry, HistoryError> {
        let wanted = id.strip_prefix("chg_").unwrap_or(id);
        let (begin, end) = (format!("chg_{wanted}"), format!("chg_{wanted}\u{10ffff}"));
        let rest = "WHERE id >= ? AND id < ? LIMIT 2";
        let mut found = self.query_entries(rest, (begin, end))?;
        match (found.pop(), found.pop()) {
            (Some(entry), None) if wanted.len() >= ID_CHARS_MIN => Ok(entry),
            _ => Err(HistoryError::NoSuchChange(id.to_owned())),
        }
    }

    /// The change at a place.
    ///
    /// # Errors
    /// There is none, or it cannot be opened.
    pub fn change(&self, sequence: ChangeSequence) -> Result<Change, HistoryError> {
        let found = self
            .query_entries("WHERE sequence = ?", [sequence.0])?
            .pop();
        let found = found.ok_or(HistoryError::Foreign(sequence.0))?;
        Ok(found.change)
    }

    /// The change before one in its lineage.
    ///
    /// # Errors
    /// There is no such change.
    pub fn parent(&self, sequence: ChangeSequence) -> Result<Option<ChangeSequence>, HistoryError> {
        self.newest(self.lineage(sequence)?, sequence.0)
    }

    /// How many changes there are, with those that an adoption brought along.
    ///
    /// # Errors
    /// The database is damaged.
    pub fn count_changes(&self) -> Result<usize, HistoryError> {
        let query = "SELECT count(*) FROM changes";
        let count: i64 = self.db.query_row(query, (), |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// How many of the newest changes were made at or after an instant.
    ///
    /// # Errors
    /// The database is damaged, or a change cannot be opened.
    pub fn changes_since(&self, instant: Timestamp) -> Result<usize, HistoryError> {
        let entries = self.entries()?;
        let last = entries.iter().rposition(|one| one.change.time >= instant);
        Ok(last.map_or(0, |last| last + 1))
    }

    fn query_entries(
        &self,
        rest: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<HistoryEntry>, HistoryError> {
        let text = format!("SELECT sequence, id, record FROM changes {rest}");
        let mut query = self.db.prepare_cached(&text)?;
        let mut rows = query.query(parameters)?;
        let mut entries = Vec::new();
        while let Some(row) = rows.next()? {
            entries.push(self.entry(row)?);
        }
        Ok(entries)
    }

    fn entry(&self, row: &Row<'_>) -> Result<HistoryEntry, HistoryError> {
        let (id, record) = (row.get_ref(1)?, row.get_ref(2)?);
        let id = id.as_str().map_err(rusqlite::Error::from)?;
        let record = record.as_blob().map_err(rusqlite::Error::from)?;
        let sequence = ChangeSequence(row.get(0)?);
        let change = self.opened_record(sequence, id, record)?;
        Ok(HistoryEntry { sequence, change })
    }
}
