//! A row of either database.

use mem_core::history::Sha256;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;
use sqlx::{Decode, Postgres, Row as _, Sqlite, Type};

use crate::storage::StorageError;

/// What a reading statement gives.
#[derive(Debug)]
pub(in crate::storage) enum SqlRow {
    /// Of SQLite.
    Sqlite(SqliteRow),
    /// Of PostgreSQL.
    Postgres(PgRow),
}

impl SqlRow {
    /// A column, from 0.
    pub(in crate::storage) fn get<T>(&self, column: usize) -> Result<T, sqlx::Error>
    where
        T: for<'r> Decode<'r, Sqlite> + Type<Sqlite>,
        T: for<'r> Decode<'r, Postgres> + Type<Postgres>,
    {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }

    /// A column that is `TEXT`, where it is.
    pub(in crate::storage) fn text(&self, column: usize) -> Result<&str, sqlx::Error> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            // To compare its type with those that are text, in each row anew, takes longer than to read it.
            Self::Postgres(row) => row.try_get_unchecked(column),
        }
    }

    /// A column that is `BYTEA`, where it is.
    pub(in crate::storage) fn bytes(&self, column: usize) -> Result<Option<&[u8]>, sqlx::Error> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get_unchecked(column),
        }
    }

    /// A count or a sequence number.
    pub(in crate::storage) fn count(&self, column: usize) -> Result<u64, StorageError> {
        u64::try_from(self.get::<i64>(column)?)
            .map_err(|_| StorageError::Corrupt("a negative count"))
    }

    /// A checksum.
    pub(in crate::storage) fn sha256(&self, column: usize) -> Result<Sha256, StorageError> {
        let bytes = self.bytes(column)?.unwrap_or_default().try_into();
        let bytes = bytes.map_err(|_| StorageError::Corrupt("a checksum of another length"))?;
        Ok(Sha256::from_bytes(bytes))
    }
}
