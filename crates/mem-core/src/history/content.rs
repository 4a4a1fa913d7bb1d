//! The files as of one change.

use rusqlite::OptionalExtension as _;

use super::database::{ChangeSequence, History};
use super::digest::Sha256;
use super::error::HistoryError;
use crate::MemoryPath;

/// One change, of whose files many are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommitTree<'h> {
    history: &'h History,
    sequence: ChangeSequence,
    lineage: i64,
    is_sealed: bool,
}

impl History {
    /// The files as of a change.
    ///
    /// # Errors
    /// There is no such change.
    pub(crate) fn at(&self, sequence: ChangeSequence) -> Result<CommitTree<'_>, HistoryError> {
        Ok(CommitTree {
            history: self,
            sequence,
            lineage: self.lineage(sequence)?,
            is_sealed: self.is_sealed()?,
        })
    }

    pub(super) fn lineage(&self, sequence: ChangeSequence) -> Result<i64, HistoryError> {
        let mut query = self
            .db
            .prepare_cached("SELECT lineage FROM changes WHERE sequence = ?")?;
        let found = query.query_row([sequence.0], |row| row.get(0)).optional()?;
        found.ok_or(HistoryError::Foreign(sequence.0))
    }

    /// The bytes of a file as of a change, `None` where it did not exist then.
    ///
    /// # Errors
    /// The database is damaged, or the content cannot be opened.
    pub fn content(
        &self,
        sequence: ChangeSequence,
        path: &MemoryPath,
    ) -> Result<Option<Vec<u8>>, HistoryError> {
        self.at(sequence)?.content(path)
    }
}

impl CommitTree<'_> {
    /// The bytes of a file, `None` where it did not exist then.
    pub(crate) fn content(&self, path: &MemoryPath) -> Result<Option<Vec<u8>>, HistoryError> {
        let Some(content) = self.row(path)? else {
            return Ok(None);
        };
        let mut query = self
            .history
            .db
            .prepare_cached("SELECT bytes, digest FROM contents WHERE id = ?")?;
        let stored = query.query_row([content], |row| Ok((row.get(0)?, row.get(1)?)));
        let stored: Option<(Vec<u8>, Vec<u8>)> = stored.optional()?;
        let is_it = |(bytes, digest): &(Vec<u8>, Vec<u8>)| {
            Sha256::from_slice(digest) == Some(Sha256::digest(bytes))
        };
        let stored = stored.filter(is_it);
        let (stored, _) = stored.ok_or_else(|| HistoryError::Missing(path.as_str().to_owned()))?;
        Ok(Some(self.history.opened_content(stored, self.is_sealed)?))
    }

    /// The digest of what is stored of a file: as it is, or sealed.
    pub(crate) fn stored_digest(&self, path: &MemoryPath) -> Result<Option<Sha256>, HistoryError> {
        let Some(content) = self.row(path)? else {
            return Ok(None);
        };
        let mut query = self
            .history
            .db
            .prepare_cached("SELECT digest FROM contents WHERE id = ?")?;
        let digest = query.query_row([content], |row| row.get::<_, Vec<u8>>(0));
        Ok(digest.optional()?.as_deref().and_then(Sha256::from_slice))
    }

    /// The content of a path: that of its newest row.
    fn row(&self, path: &MemoryPath) -> Result<Option<i64>, HistoryError> {
        let mut query = self.history.db.prepare_cached(
            "SELECT files.content FROM files JOIN changes USING (sequence)
             WHERE path = ? AND sequence <= ? AND lineage = ?
             ORDER BY sequence DESC LIMIT 1",
        )?;
        let found = query.query_row((path.as_str(), self.sequence.0, self.lineage), |row| {
            row.get(0)
        });
        Ok(found.optional()?.flatten())
    }
}
