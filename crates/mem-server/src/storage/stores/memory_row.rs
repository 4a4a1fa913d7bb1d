//! A memory as it stands in a row: read in place, so that who tells of a hundred copies none of their texts.

use std::borrow::Cow;

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::MemoryRecord;
use crate::storage::sealing::Seals;
use crate::storage::sql::Row;
use crate::storage::{StorageError, time};

/// Of a memory `m`.
pub(super) const COLUMNS: &str =
    "m.id, m.path, m.content_sha256, m.content_size, m.version_id, m.created_at, m.updated_at";
/// The column of the path.
pub(super) const PATH: usize = 1;
/// The column of the content, where it is asked for.
pub(super) const CONTENT: usize = 7;

/// A memory that is there, as [`MemoryRecord`] has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow<'r> {
    /// `mem_…`.
    pub id: &'r str,
    /// `memstore_…`.
    pub store_id: &'r str,
    /// Where it is.
    pub path: &'r str,
    /// Where it was asked for.
    pub content: Option<Cow<'r, str>>,
    /// Of the raw UTF-8.
    pub content_sha256: Sha256,
    /// Of the raw UTF-8, in bytes.
    pub content_size: u64,
    /// The newest version, `memver_…`.
    pub version_id: &'r str,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

impl<'r> MemoryRow<'r> {
    /// Reads the columns, and the content from the one behind them.
    pub(super) fn read(
        row: &'r Row,
        store: &'r str,
        seals: Option<&Seals>,
    ) -> Result<Self, StorageError> {
        let version_id = row.text(4)?;
        let path = row.text(PATH)?;
        let content = match seals {
            Some(seals) => seals.content(row, CONTENT, store, version_id),
            None => Ok(None),
        };
        let content = content.map_err(|error| error.at(path))?;
        Ok(Self {
            id: row.text(0)?,
            store_id: store,
            path,
            content,
            content_sha256: row.sha256(2)?,
            content_size: row.count(3)?,
            version_id,
            created_at: time::from_stored(row.int(5)?)?,
            updated_at: time::from_stored(row.int(6)?)?,
        })
    }

    /// The same without a content that cannot be opened: a line of the log names its version.
    pub(super) fn as_far_as_open(
        row: &'r Row,
        store: &'r str,
        seals: Option<&Seals>,
    ) -> Result<Self, StorageError> {
        match Self::read(row, store, seals) {
            Err(StorageError::Content { version, error, .. }) => {
                tracing::error!(version, %error, "a content cannot be opened");
                Self::read(row, store, None)
            }
            read => read,
        }
    }

    /// Of its own.
    pub(super) fn into_record(self) -> MemoryRecord {
        MemoryRecord {
            id: self.id.to_owned(),
            store_id: self.store_id.to_owned(),
            path: self.path.to_owned(),
            content: self.content.map(Cow::into_owned),
            content_sha256: self.content_sha256,
            content_size: self.content_size,
            version_id: self.version_id.to_owned(),
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

/// A memory from the columns of a row.
pub(super) fn record(
    row: &Row,
    store: &str,
    seals: Option<&Seals>,
) -> Result<MemoryRecord, StorageError> {
    MemoryRow::read(row, store, seals).map(MemoryRow::into_record)
}
