//! How records and contents stand in the database: as they are, or sealed.
//!
//! A history is sealed or opened as a whole ([`History::reseal`]), and what comes later follows the newest change
//! before it. A content is sealed so that the same one gives the same bytes, as its digest wants it. A record is
//! bound to its place and to its files. Paths, sizes, times and ids stay readable.
//!
//! ```text
//!  contents.bytes   seal_alike(text,   "file")                              equal texts are one row
//!  changes.record   seal_alike(record, "change", id, sequence, files)       cannot be moved or swapped
//!  files            digest of: path 0x00 digest-of-stored-content '\n' ...  in path order
//! ```
//!
//! A content is bound to no place, or equal texts would not be one row. The record makes up for it: who exchanges two
//! contents changes the digest of the files, and the record does not open. **Invariant:** a plain row in a sealed history
//! is an error, not a text. Otherwise whoever can write the file could plant one. **Cost:** one keyed hash and one pass
//! of the cipher per content, on all cores.
//!
//! Tests: `encrypt_local::no_file_of_state_and_caches_holds_what_was_said`,
//! `encrypt_local::without_the_key_nothing_is_written_and_notes_are_still_read`.

use std::borrow::Cow;
use std::sync::Arc;

use rusqlite::OptionalExtension as _;

use super::change::Change;
use super::database::{ChangeSequence, History, OWN};
use super::digest::Sha256;
use super::error::HistoryError;
use super::rewrite::{HistoryRewrite, Proof};
use crate::sealing::{self, SealError, StateKey};

/// What errors call the two.
const RECORD: &str = "a change of the history";
const CONTENT: &str = "a file of the history";

/// How new rows are written: sealed by a key, or plain.
#[derive(Clone, Debug)]
pub(super) struct RowForm(pub(super) Option<Arc<dyn StateKey>>);

impl RowForm {
    pub(super) fn is_plain(&self) -> bool {
        self.0.is_none()
    }

    /// A content as it is stored.
    pub(super) fn content<'b>(&self, plain: &'b [u8]) -> Result<Cow<'b, [u8]>, SealError> {
        Ok(match &self.0 {
            Some(key) => Cow::Owned(key.seal_alike(plain, &["file"])?),
            None => Cow::Borrowed(plain),
        })
    }

    /// A change as it is stored. `files` is the digest of its files.
    pub(super) fn record(
        &self,
        change: &Change,
        sequence: ChangeSequence,
        files: &Sha256,
    ) -> Result<Vec<u8>, HistoryError> {
        let plain = serde_json::to_vec(change)?;
        let Some(key) = &self.0 else {
            return Ok(plain);
        };
        let (sequence, files) = (sequence.0.to_string(), files.to_string());
        let belonging = ["change", change.id.as_str(), &sequence, &files];
        Ok(key.seal_alike(&plain, &belonging)?)
    }
}

/// The digest of a change's files: their paths and the digests of what is stored of them, in path order.
#[derive(Default)]
pub(super) struct FilesDigest(Vec<u8>);

impl FilesDigest {
    pub(super) fn add(&mut self, path: &str, digest: Option<&[u8]>) {
        self.0.extend_from_slice(path.as_bytes());
        self.0.push(0);
        self.0.extend_from_slice(digest.unwrap_or_default());
        self.0.push(b'\n');
    }

    pub(super) fn finish(&self) -> Sha256 {
        Sha256::digest(&self.0)
    }
}

impl History {
    /// How what follows the newest change is written: as that is, by the key of today; without one as the place of the
    /// history wants it.
    pub(super) fn form(&self) -> Result<RowForm, HistoryError> {
        if self.head()?.is_none() {
            return Ok(RowForm(self.seal.key()?));
        }
        match self.newest_sealed_record()? {
            None => Ok(RowForm(None)),
            Some(record) => {
                // Nothing is put on top of what cannot be opened: the key that is gone may come back.
                let before = self.seal.key_of(&record, RECORD)?;
                Ok(RowForm(Some(self.seal.key()?.unwrap_or(before))))
            }
        }
    }

    /// The record of the newest change, where that is sealed.
    fn newest_sealed_record(&self) -> Result<Option<Vec<u8>>, HistoryError> {
        if !self.is_sealed()? {
            return Ok(None);
        }
        let mut query = self.db.prepare_cached(
            "SELECT record FROM changes WHERE lineage = ? ORDER BY sequence DESC LIMIT 1",
        )?;
        Ok(query.query_row([OWN], |row| row.get(0)).optional()?)
    }

    /// A stored record, opened.
    pub(super) fn opened_record(
        &self,
        sequence: ChangeSequence,
        id: &str,
        record: &[u8],
    ) -> Result<Change, HistoryError> {
        let damaged = || HistoryError::Foreign(sequence.0);
        let change: Change = match sealing::is_sealed(record) {
            false => serde_json::from_slice(record).map_err(|_| damaged())?,
            true => {
                let key = self.seal.key_of(record, RECORD)?;
                let (place, files) = (sequence.0.to_string(), self.files_digest(sequence)?);
                let belonging = ["change", id, &place, &files.to_string()];
                let plain = key.open(record, &belonging, RECORD)?;
                serde_json::from_slice(&plain).map_err(|_| damaged())?
            }
        };
        match change.id.as_str() == id {
            true => Ok(change),
            false => Err(damaged()),
        }
    }

    fn files_digest(&self, sequence: ChangeSequence) -> Result<Sha256, HistoryError> {
        let mut query = self.db.prepare_cached(
            "SELECT path, digest FROM files LEFT JOIN contents ON contents.id = files.content
             WHERE sequence = ? ORDER BY path",
        )?;
        let mut rows = query.query([sequence.0])?;
        let mut digest = FilesDigest::default();
        while let Some(row) = rows.next()? {
            let (path, content) = (row.get_ref(0)?, row.get_ref(1)?);
            let content = content.as_blob_or_null().map_err(rusqlite::Error::from)?;
            digest.add(path.as_str().map_err(rusqlite::Error::from)?, content);
        }
        Ok(digest.finish())
    }

    /// A stored content, opened. In a sealed history one that is plain was put in its place by somebody.
    pub(super) fn opened_content(
        &self,
        stored: Vec<u8>,
        is_sealed: bool,
    ) -> Result<Vec<u8>, SealError> {
        if !is_sealed {
            return Ok(stored);
        }
        let key = self.seal.key_of(&stored, CONTENT)?;
        key.open(&stored, &["file"], CONTENT)
    }

    /// Whether it is sealed: its newest change is.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn is_sealed(&self) -> Result<bool, HistoryError> {
        // Of a change of many files the record has megabytes.
        let mut query = self.db.prepare_cached(
            "SELECT substr(record, 1, 8) FROM changes WHERE lineage = ?
             ORDER BY sequence DESC LIMIT 1",
        )?;
        let begin = query.query_row([OWN], |row| row.get::<_, Vec<u8>>(0));
        Ok(begin
            .optional()?
            .is_some_and(|begin| sealing::is_sealed(&begin)))
    }

    /// Refuses a sealed one whose key cannot be had.
    ///
    /// # Errors
    /// It is sealed, and the key of its newest change is gone; or it cannot be read.
    pub(crate) fn require_key(&self) -> Result<(), HistoryError> {
        if let Some(record) = self.newest_sealed_record()? {
            self.seal.key_of(&record, RECORD)?;
        }
        Ok(())
    }

    /// The names of the keys that changes are sealed with, `None` among them where one is plain. No key is needed
    /// for that.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn key_names(&self) -> Result<Vec<Option<String>>, HistoryError> {
        let mut names = Vec::new();
        let mut query = self.db.prepare("SELECT record FROM changes")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let record = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let name = sealing::is_sealed(record).then(|| self.seal.name_of(record));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Writes it anew as its place wants it by now: sealed by the key of today, or plain.
    ///
    /// # Errors
    /// Something cannot be opened or written, which is named; the old history is then untouched.
    pub(crate) fn reseal(self) -> Result<(Self, Proof), HistoryError> {
        let form = RowForm(self.seal.key()?);
        self.rewrite_as(&AsItIs, &form)
    }
}

/// Leaves everything as it is.
struct AsItIs;

impl HistoryRewrite for AsItIs {
    fn content(&self, _: &str, _: &Sha256, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn record(&self, _: &mut Change, _: &dyn Fn(&str) -> bool) {}
}
