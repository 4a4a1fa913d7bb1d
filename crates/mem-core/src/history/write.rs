//! Recording changes.
//!
//! A change that the store is about to make is recorded as pending, in one synced transaction with its
//! contents: from then on a recovery carries it out. Once its files are in place it is marked as done,
//! without a sync: a mark that a power failure takes back costs one look at files that are there.
//!
//! | transaction | synced | why |
//! |---|---|---|
//! | `record_pending` | yes | files are exchanged next, and only these rows can finish a change that a kill cuts in half |
//! | `record_done` | no | the files are in place, and are found again by comparing |
//! | `mark_done` | no | a pending change whose files are in place is marked again |
//! | `take_back` | yes | the caller reports a failure; the change must not come back by a recovery |
//!
//! **Invariant:** at most one change is pending, since every writer recovers under the lock before it records.
//! **Cost:** one insert per file and per new content. Tests:
//! `store::crash::what_a_power_failure_takes_from_the_log_is_recorded_from_the_files`,
//! `store::crash::a_torn_end_of_the_log_is_a_change_that_never_began`.

use std::path::PathBuf;

use rusqlite::{OptionalExtension as _, Transaction, TransactionBehavior};

use super::change::Change;
use super::database::{ChangeSequence, Head, History, OWN};
use super::digest::Sha256;
use super::error::HistoryError;
use super::sealed::{FilesDigest, RowForm};
use crate::MemoryPath;
use crate::compact_sort::CompactSort as _;
use crate::parallel::map_parallel;
use crate::sealing::StateCipher;

/// The row of contents that cannot be read any more: there is none of that number.
pub(super) const LOST: i64 = 0;

/// What a change does to one file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileChange<'f> {
    /// The file.
    pub(crate) path: &'f MemoryPath,
    /// The digest of what stood there, `None` for nothing.
    pub(crate) before: Option<Sha256>,
    /// What shall stand there, `None` for nothing.
    pub(crate) bytes: Option<&'f [u8]>,
    /// The digest of that, where it is known already.
    pub(crate) after: Option<Sha256>,
    /// Whether something stood there that cannot be read any more.
    pub(crate) is_lost: bool,
}

/// A change that was recorded and not marked as done.
#[derive(Debug)]
pub(crate) struct Pending {
    /// Its place.
    pub(crate) sequence: ChangeSequence,
    /// Its files: what stood there, by its digest, and what shall stand there.
    pub(crate) files: Vec<PendingFile>,
}

/// One file of a pending change.
#[derive(Debug)]
pub(crate) struct PendingFile {
    /// The file.
    pub(crate) path: MemoryPath,
    /// The digest of what stood there, `None` for nothing.
    pub(crate) before: Option<Sha256>,
    /// What shall stand there, `None` for nothing.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// The history of another directory, which a change brings along.
#[derive(Clone, Debug)]
pub struct Brought {
    path: PathBuf,
    seal: StateCipher,
}

impl Brought {
    /// That of an open history; `None` where it is empty.
    pub(crate) fn from_history(other: &History) -> Result<Option<Self>, HistoryError> {
        Ok(other.head()?.map(|_| Self {
            path: other.path().to_owned(),
            seal: other.seal.clone(),
        }))
    }

    /// That of a folder.
    pub(crate) fn at(path: PathBuf, seal: StateCipher) -> Self {
        Self { path, seal }
    }

    pub(super) fn open(&self) -> Result<Option<History>, HistoryError> {
        History::open(&self.path, &self.seal)
    }
}

impl History {
    /// Records a change that is about to be made, synced, and before it what it brings along.
    pub(crate) fn record_pending(
        &self,
        change: &Change,
        files: &[FileChange<'_>],
        brought: Option<&Brought>,
    ) -> Result<Head, HistoryError> {
        let form = self.form()?;
        let write = self.begin("FULL")?;
        if let Some(brought) = brought {
            let other = brought.open()?;
            let other = other.ok_or_else(|| HistoryError::Gone(brought.path.clone()))?;
            self.copy_lineages(&other, &form)?;
        }
        let sequence = self.insert(OWN, change, files, &form, true)?;
        write.commit()?;
        Ok(self.head_at(sequence))
    }

    /// Records a change whose files are in place already. It is not synced: the files are the truth, and the
    /// next synced change syncs this one with it.
    pub(crate) fn record_done(
        &self,
        change: &Change,
        files: &[FileChange<'_>],
    ) -> Result<Head, HistoryError> {
        let form = self.form()?;
        let write = self.begin("NORMAL")?;
        let sequence = self.insert(OWN, change, files, &form, false)?;
        write.commit()?;
        self.shorten_log();
        Ok(self.head_at(sequence))
    }

    /// Marks a pending change as done.
    pub(crate) fn mark_done(&self, sequence: ChangeSequence) -> Result<(), HistoryError> {
        self.db.execute_batch("PRAGMA synchronous = NORMAL")?;
        let mut update = self
            .db
            .prepare_cached("UPDATE changes SET is_pending = 0 WHERE sequence = ?")?;
        update.execute([sequence.0])?;
        self.shorten_log();
        Ok(())
    }

    /// Takes a pending change out again, after it was called off.
    pub(crate) fn take_back(&self, sequence: ChangeSequence) -> Result<(), HistoryError> {
        let write = self.begin("FULL")?;
        for table in ["files", "notes", "changes"] {
            let delete = format!("DELETE FROM {table} WHERE sequence = ?");
            self.db.execute(&delete, [sequence.0])?;
        }
        // It was the newest change, and so were the contents that it brought.
        self.db.execute(
            "DELETE FROM contents WHERE id > (SELECT coalesce(max(content), 0) FROM files)",
            (),
        )?;
        Ok(write.commit()?)
    }

    /// The change that was recorded and not marked as done, if there is one.
    pub(crate) fn pending(&self) -> Result<Option<Pending>, HistoryError> {
        let query = "SELECT sequence FROM changes WHERE is_pending ORDER BY sequence DESC LIMIT 1";
        let found = self.db.query_row(query, (), |row| row.get(0)).optional()?;
        let Some(sequence) = found else {
            return Ok(None);
        };
        let is_sealed = self.is_sealed()?;
        let mut query = self.db.prepare(
            "SELECT path, before, bytes FROM files LEFT JOIN contents ON contents.id = content
             WHERE sequence = ?",
        )?;
        let mut rows = query.query([sequence])?;
        let mut files = Vec::new();
        while let Some(row) = rows.next()? {
            let path: String = row.get(0)?;
            let damaged = || HistoryError::Missing(path.clone());
            let before: Option<Vec<u8>> = row.get(1)?;
            let stored: Option<Vec<u8>> = row.get(2)?;
            let opened = stored.map(|stored| self.opened_content(stored, is_sealed));
            files.push(PendingFile {
                before: before
                    .map(|bytes| Sha256::from_slice(&bytes).ok_or_else(damaged))
                    .transpose()?,
                bytes: opened.transpose()?,
                path: MemoryPath::parse(&path).map_err(|_| damaged())?,
            });
        }
        let sequence = ChangeSequence(sequence);
        Ok(Some(Pending { sequence, files }))
    }

    /// Begins a transaction whose end is synced as `synchronous` says.
    pub(super) fn begin(&self, synchronous: &str) -> Result<Transaction<'_>, HistoryError> {
        self.db
            .execute_batch(&format!("PRAGMA synchronous = {synchronous}"))?;
        Ok(Transaction::new_unchecked(
            &self.db,
            TransactionBehavior::Immediate,
        )?)
    }

    /// Adds a change at the end. Inside of a transaction.
    pub(super) fn insert(
        &self,
        lineage: i64,
        change: &Change,
        files: &[FileChange<'_>],
        form: &RowForm,
        is_pending: bool,
    ) -> Result<ChangeSequence, HistoryError> {
        let newest: i64 = self.db.query_row(
            "SELECT coalesce(max(sequence), 0) FROM changes",
            (),
            |row| row.get(0),
        )?;
        // Over all lineages, so that the numbers of an adopted past do not collide with the directory's own.
        let sequence = ChangeSequence(newest + 1);
        // Sealing and hashing take longer than all the rest.
        let mut stored = map_parallel(files, |file| {
            let stored = file.bytes.map(|bytes| form.content(bytes)).transpose()?;
            // The caller knows the digest of the plain text; a sealed row is found by the digest of what is stored.
            let known = file.after.filter(|_| form.is_plain());
            let digest = known.or_else(|| stored.as_deref().map(Sha256::digest));
            Ok::<_, HistoryError>((file.path, *file, stored, digest))
        })?;
        // The digest of the files is checked by a query in path order (`opened_record`).
        stored.compact_sort_by_key(|(path, ..)| *path);
        let mut digest = FilesDigest::default();
        let mut insert = self.db.prepare_cached(
            "INSERT INTO files (path, sequence, before, content) VALUES (?, ?, ?, ?)",
        )?;
        for (path, file, bytes, of_bytes) in &stored {
            let content = match (bytes, of_bytes) {
                (Some(bytes), Some(of_bytes)) => Some(self.content_id(of_bytes, bytes)?),
                _ => file.is_lost.then_some(LOST),
            };
            digest.add(
                path.as_str(),
                of_bytes.as_ref().map(|one| &one.as_bytes()[..]),
            );
            let before = file.before.as_ref().map(Sha256::as_bytes);
            insert.execute((path.as_str(), sequence.0, before, content))?;
        }
        let record = form.record(change, sequence, &digest.finish())?;
        self.insert_change(lineage, sequence, change, &record, is_pending)?;
        Ok(sequence)
    }

    fn insert_change(
        &self,
        lineage: i64,
        sequence: ChangeSequence,
        change: &Change,
        record: &[u8],
        is_pending: bool,
    ) -> Result<(), HistoryError> {
        let mut insert = self.db.prepare_cached(
            "INSERT INTO changes (sequence, lineage, id, is_pending, record) VALUES (?, ?, ?, ?, ?)",
        )?;
        insert.execute((sequence.0, lineage, change.id.as_str(), is_pending, record))?;
        let mut insert = self
            .db
            .prepare_cached("INSERT OR IGNORE INTO notes (note, sequence) VALUES (?, ?)")?;
        for version in &change.versions {
            insert.execute((version.note.as_str(), sequence.0))?;
        }
        Ok(())
    }

    /// The row of a content, which is made where there is none.
    fn content_id(&self, digest: &Sha256, bytes: &[u8]) -> Result<i64, HistoryError> {
        let mut query = self
            .db
            .prepare_cached("SELECT id FROM contents WHERE digest = ?")?;
        let found = query.query_row([digest.as_bytes()], |row| row.get(0));
        if let Some(id) = found.optional()? {
            return Ok(id);
        }
        let mut insert = self
            .db
            .prepare_cached("INSERT INTO contents (digest, bytes) VALUES (?, ?)")?;
        insert.execute((digest.as_bytes(), bytes))?;
        Ok(self.db.last_insert_rowid())
    }
}
