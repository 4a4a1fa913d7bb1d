//! Statements that happen together or not at all.

use sqlx::{AssertSqlSafe, Executor as _};

use super::{Query, Row};

/// Rolled back when dropped.
#[derive(Debug)]
pub(in crate::storage) enum Transaction {
    /// Of SQLite.
    Sqlite(sqlx::SqliteTransaction<'static>),
    /// Of PostgreSQL.
    Postgres(sqlx::PgTransaction<'static>),
}

impl Transaction {
    /// Every row that a statement gives.
    pub(in crate::storage) async fn all(&mut self, query: Query) -> Result<Vec<Row>, sqlx::Error> {
        match self {
            Self::Sqlite(within) => {
                let rows = query.sqlite().fetch_all(&mut **within).await?;
                Ok(rows.into_iter().map(Row::Sqlite).collect())
            }
            Self::Postgres(within) => {
                let rows = query.postgres().fetch_all(&mut **within).await?;
                Ok(rows.into_iter().map(Row::Postgres).collect())
            }
        }
    }

    /// The first row, if there is one.
    pub(in crate::storage) async fn one(
        &mut self,
        query: Query,
    ) -> Result<Option<Row>, sqlx::Error> {
        Ok(self.all(query).await?.into_iter().next())
    }

    /// Runs a statement, and says how many rows it changed.
    pub(in crate::storage) async fn run(&mut self, query: Query) -> Result<u64, sqlx::Error> {
        match self {
            Self::Sqlite(within) => {
                let done = query.sqlite().execute(&mut **within).await?;
                Ok(done.rows_affected())
            }
            Self::Postgres(within) => {
                let done = query.postgres().execute(&mut **within).await?;
                Ok(done.rows_affected())
            }
        }
    }

    /// Runs a text of many statements.
    pub(in crate::storage) async fn script(&mut self, text: String) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(within) => within
                .execute(sqlx::raw_sql(AssertSqlSafe(text)))
                .await
                .map(drop),
            Self::Postgres(within) => within
                .execute(sqlx::raw_sql(AssertSqlSafe(text)))
                .await
                .map(drop),
        }
    }

    /// Makes it last. After an error it may have been done.
    pub(in crate::storage) async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(within) => within.commit().await,
            Self::Postgres(within) => within.commit().await,
        }
    }
}
