//! Statements that happen together or not at all.

use std::sync::Arc;

use mem_vault::{DataKey, KeyId};
use sqlx::{AssertSqlSafe, Executor as _};

use super::{SqlDialect, SqlQuery, SqlRow};
use crate::storage::StorageError;
use crate::storage::sealing::{ContentCipher, unless_lost};

/// Rolled back when dropped.
#[derive(Debug)]
pub(in crate::storage) struct Transaction {
    begun: DriverTransaction,
    seals: ContentCipher,
}

/// The driver's.
#[derive(Debug)]
pub(super) enum DriverTransaction {
    /// Of SQLite.
    Sqlite(sqlx::SqliteTransaction<'static>),
    /// Of PostgreSQL.
    Postgres(sqlx::PgTransaction<'static>),
}

impl Transaction {
    pub(super) fn new(begun: DriverTransaction, seals: ContentCipher) -> Self {
        Self { begun, seals }
    }

    /// The database's peculiarities.
    pub(in crate::storage) fn dialect(&self) -> SqlDialect {
        match self.begun {
            DriverTransaction::Sqlite(_) => SqlDialect::Sqlite,
            DriverTransaction::Postgres(_) => SqlDialect::Postgres,
        }
    }

    /// What opens contents.
    pub(in crate::storage) fn seals(&self) -> &ContentCipher {
        &self.seals
    }

    /// A data key, as this transaction sees it.
    pub(in crate::storage) async fn key(
        &mut self,
        id: KeyId,
    ) -> Result<Arc<DataKey>, StorageError> {
        if let Some(key) = self.seals.met(id) {
            return Ok(key);
        }
        let wrapped = self.all(ContentCipher::wrapped(id)).await?;
        self.seals.meet(id, &wrapped).await
    }

    /// Meets the keys of all contents in a column, as far as they are there.
    pub(in crate::storage) async fn meet_keys(
        &mut self,
        rows: &[SqlRow],
        column: usize,
    ) -> Result<(), StorageError> {
        for id in self.seals.unmet(rows, column)? {
            unless_lost(self.key(id).await)?;
        }
        Ok(())
    }

    /// Every row that a statement gives.
    pub(in crate::storage) async fn all(
        &mut self,
        query: SqlQuery,
    ) -> Result<Vec<SqlRow>, sqlx::Error> {
        match &mut self.begun {
            DriverTransaction::Sqlite(within) => {
                let rows = query.sqlite().fetch_all(&mut **within).await?;
                Ok(rows.into_iter().map(SqlRow::Sqlite).collect())
            }
            DriverTransaction::Postgres(within) => {
                let rows = query.postgres().fetch_all(&mut **within).await?;
                Ok(rows.into_iter().map(SqlRow::Postgres).collect())
            }
        }
    }

    /// The first row, if there is one.
    pub(in crate::storage) async fn one(
        &mut self,
        query: SqlQuery,
    ) -> Result<Option<SqlRow>, sqlx::Error> {
        Ok(self.all(query).await?.into_iter().next())
    }

    /// Runs a statement, and says how many rows it changed.
    pub(in crate::storage) async fn run(&mut self, query: SqlQuery) -> Result<u64, sqlx::Error> {
        match &mut self.begun {
            DriverTransaction::Sqlite(within) => {
                let done = query.sqlite().execute(&mut **within).await?;
                Ok(done.rows_affected())
            }
            DriverTransaction::Postgres(within) => {
                let done = query.postgres().execute(&mut **within).await?;
                Ok(done.rows_affected())
            }
        }
    }

    /// Runs a text of many statements.
    pub(in crate::storage) async fn script(&mut self, text: String) -> Result<(), sqlx::Error> {
        match &mut self.begun {
            DriverTransaction::Sqlite(within) => within
                .execute(sqlx::raw_sql(AssertSqlSafe(text)))
                .await
                .map(drop),
            DriverTransaction::Postgres(within) => within
                .execute(sqlx::raw_sql(AssertSqlSafe(text)))
                .await
                .map(drop),
        }
    }

    /// Makes it last. After an error it may have been done.
    pub(in crate::storage) async fn commit(self) -> Result<(), sqlx::Error> {
        match self.begun {
            DriverTransaction::Sqlite(within) => within.commit().await,
            DriverTransaction::Postgres(within) => within.commit().await,
        }
    }
}
