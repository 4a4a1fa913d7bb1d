//! Two databases behind one set of statements.
//!
//! Statements are standard SQL with `$1`, `$2`, …; where the databases differ stands in [`dialect`].

mod class;
pub(super) mod dialect;
pub(super) mod page;
pub(super) mod postgres;
mod query;
mod row;
pub(super) mod sqlite;
mod transaction;

pub(crate) use class::{SqlErrorClass, class};
pub(super) use dialect::SqlDialect;
pub(super) use query::{SqlQuery, SqlValue, values};
pub(super) use row::SqlRow;
use sqlx::PgPool;
use transaction::DriverTransaction;
pub(super) use transaction::Transaction;

use super::StorageError;
use super::sealing::ContentCipher;

/// The open database, and what opens the contents in it.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    kind: DatabaseKind,
    seals: ContentCipher,
}

/// Which database it is.
#[derive(Clone, Debug)]
pub(super) enum DatabaseKind {
    /// One file.
    Sqlite(sqlite::Sqlite),
    /// A server of its own.
    Postgres(PgPool),
}

impl Engine {
    /// A database that was opened.
    pub(super) fn new(kind: DatabaseKind, seals: ContentCipher) -> Self {
        Self { kind, seals }
    }

    /// Which database it is.
    pub(super) fn kind(&self) -> &DatabaseKind {
        &self.kind
    }

    /// What opens the contents in it.
    pub(super) fn seals(&self) -> &ContentCipher {
        &self.seals
    }

    /// The same, with the keys of all contents in a column.
    pub(super) async fn with_keys(
        &self,
        rows: &[SqlRow],
        column: usize,
    ) -> Result<&ContentCipher, StorageError> {
        for id in self.seals.unmet(rows, column)? {
            let wrapped = self.all(ContentCipher::wrapped(id)).await?;
            self.seals.meet(id, &wrapped).await?;
        }
        Ok(&self.seals)
    }

    /// Rows with the keys of their contents in a column. Keys that were not met yet are looked up together with the
    /// rows, in one state of the database: a key that is missing then is gone, and did not end meanwhile.
    pub(super) async fn with_contents(
        &self,
        query: impl Fn() -> SqlQuery,
        column: usize,
    ) -> Result<Vec<SqlRow>, StorageError> {
        let rows = self.all(query()).await?;
        if self.seals.unmet(&rows, column)?.is_empty() {
            return Ok(rows);
        }
        let mut within = self.snapshot().await?;
        let rows = within.all(query()).await?;
        within.meet_keys(&rows, column).await?;
        within.commit().await?;
        Ok(rows)
    }

    /// Its peculiarities.
    pub(super) fn dialect(&self) -> SqlDialect {
        match &self.kind {
            DatabaseKind::Sqlite(_) => SqlDialect::Sqlite,
            DatabaseKind::Postgres(_) => SqlDialect::Postgres,
        }
    }

    /// Begins a transaction that will write.
    pub(super) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        let begun = match &self.kind {
            DatabaseKind::Sqlite(sqlite) => {
                DriverTransaction::Sqlite(sqlite.writer.begin_with("BEGIN IMMEDIATE").await?)
            }
            DatabaseKind::Postgres(pool) => DriverTransaction::Postgres(pool.begin().await?),
        };
        Ok(Transaction::new(begun, self.seals.clone()))
    }

    /// Begins a transaction whose statements all see one state.
    pub(super) async fn snapshot(&self) -> Result<Transaction, sqlx::Error> {
        let begun = match &self.kind {
            DatabaseKind::Sqlite(sqlite) => {
                DriverTransaction::Sqlite(sqlite.readers.begin().await?)
            }
            DatabaseKind::Postgres(pool) => {
                let how = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                DriverTransaction::Postgres(pool.begin_with(how).await?)
            }
        };
        Ok(Transaction::new(begun, self.seals.clone()))
    }

    /// Runs one reading statement by itself.
    pub(super) async fn all(&self, query: SqlQuery) -> Result<Vec<SqlRow>, sqlx::Error> {
        match &self.kind {
            DatabaseKind::Sqlite(sqlite) => {
                let rows = query.sqlite().fetch_all(&sqlite.readers).await?;
                Ok(rows.into_iter().map(SqlRow::Sqlite).collect())
            }
            DatabaseKind::Postgres(pool) => {
                let rows = query.postgres().fetch_all(pool).await?;
                Ok(rows.into_iter().map(SqlRow::Postgres).collect())
            }
        }
    }

    /// Closes every connection.
    pub(super) async fn close(&self) {
        match &self.kind {
            DatabaseKind::Sqlite(sqlite) => sqlite.close().await,
            DatabaseKind::Postgres(pool) => pool.close().await,
        }
    }
}
