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

pub(crate) use class::{Class, class};
pub(super) use dialect::Dialect;
pub(super) use query::{Query, Value, values};
pub(super) use row::Row;
use sqlx::PgPool;
use transaction::Begun;
pub(super) use transaction::Transaction;

use super::StorageError;
use super::sealing::ContentCipher;

/// The open database, and what opens the contents in it.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    kind: Kind,
    seals: ContentCipher,
}

/// Which database it is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// One file.
    Sqlite(sqlite::Sqlite),
    /// A server of its own.
    Postgres(PgPool),
}

impl Engine {
    /// A database that was opened.
    pub(super) fn new(kind: Kind, seals: ContentCipher) -> Self {
        Self { kind, seals }
    }

    /// Which database it is.
    pub(super) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// What opens the contents in it.
    pub(super) fn seals(&self) -> &ContentCipher {
        &self.seals
    }

    /// The same, with the keys of all contents in a column.
    pub(super) async fn with_keys(
        &self,
        rows: &[Row],
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
        query: impl Fn() -> Query,
        column: usize,
    ) -> Result<Vec<Row>, StorageError> {
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
    pub(super) fn dialect(&self) -> Dialect {
        match &self.kind {
            Kind::Sqlite(_) => Dialect::Sqlite,
            Kind::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Begins a transaction that will write.
    pub(super) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        let begun = match &self.kind {
            Kind::Sqlite(sqlite) => {
                Begun::Sqlite(sqlite.writer.begin_with("BEGIN IMMEDIATE").await?)
            }
            Kind::Postgres(pool) => Begun::Postgres(pool.begin().await?),
        };
        Ok(Transaction::new(begun, self.seals.clone()))
    }

    /// Begins a transaction whose statements all see one state.
    pub(super) async fn snapshot(&self) -> Result<Transaction, sqlx::Error> {
        let begun = match &self.kind {
            Kind::Sqlite(sqlite) => Begun::Sqlite(sqlite.readers.begin().await?),
            Kind::Postgres(pool) => {
                let how = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Begun::Postgres(pool.begin_with(how).await?)
            }
        };
        Ok(Transaction::new(begun, self.seals.clone()))
    }

    /// Runs one reading statement by itself.
    pub(super) async fn all(&self, query: Query) -> Result<Vec<Row>, sqlx::Error> {
        match &self.kind {
            Kind::Sqlite(sqlite) => {
                let rows = query.sqlite().fetch_all(&sqlite.readers).await?;
                Ok(rows.into_iter().map(Row::Sqlite).collect())
            }
            Kind::Postgres(pool) => {
                let rows = query.postgres().fetch_all(pool).await?;
                Ok(rows.into_iter().map(Row::Postgres).collect())
            }
        }
    }

    /// Closes every connection.
    pub(super) async fn close(&self) {
        match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.close().await,
            Kind::Postgres(pool) => pool.close().await,
        }
    }
}
