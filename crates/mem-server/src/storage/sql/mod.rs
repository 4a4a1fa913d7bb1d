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
pub(super) use query::{Query, Value, keyed, values};
pub(super) use row::Row;
use sqlx::PgPool;
pub(super) use transaction::Transaction;

/// The open database.
#[derive(Clone, Debug)]
pub(super) enum Engine {
    /// One file.
    Sqlite(sqlite::Sqlite),
    /// A server of its own.
    Postgres(PgPool),
}

impl Engine {
    /// Its peculiarities.
    pub(super) fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Begins a transaction that will write.
    pub(super) async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        match self {
            Self::Sqlite(sqlite) => {
                let begun = sqlite.writer.begin_with("BEGIN IMMEDIATE").await?;
                Ok(Transaction::Sqlite(begun))
            }
            Self::Postgres(pool) => Ok(Transaction::Postgres(pool.begin().await?)),
        }
    }

    /// Begins a transaction whose statements all see one state.
    pub(super) async fn snapshot(&self) -> Result<Transaction, sqlx::Error> {
        match self {
            Self::Sqlite(sqlite) => Ok(Transaction::Sqlite(sqlite.readers.begin().await?)),
            Self::Postgres(pool) => {
                let how = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Ok(Transaction::Postgres(pool.begin_with(how).await?))
            }
        }
    }

    /// Runs one reading statement by itself.
    pub(super) async fn all(&self, query: Query) -> Result<Vec<Row>, sqlx::Error> {
        match self {
            Self::Sqlite(sqlite) => {
                let rows = query.sqlite().fetch_all(&sqlite.readers).await?;
                Ok(rows.into_iter().map(Row::Sqlite).collect())
            }
            Self::Postgres(pool) => {
                let rows = query.postgres().fetch_all(pool).await?;
                Ok(rows.into_iter().map(Row::Postgres).collect())
            }
        }
    }

    /// Closes every connection.
    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}
