//! Two databases behind one set of statements.
//!
//! Statements are standard SQL with `$1`, `$2`, …; where the databases differ stands in [`SqlDialect`].

mod columns;
pub(super) mod page;
pub(super) mod postgres;
mod query;
pub(super) mod sqlite;

use std::sync::Arc;

pub(crate) use columns::{FromColumns, RowColumns, from_columns, stored_words};
use mem_vault::{DataKey, KeyId, VaultError};
pub(super) use query::{Conditions, SqlQuery, SqlRow, SqlValue, names, sql, values};
use sqlx::{AssertSqlSafe, Executor as _, PgExecutor, SqliteExecutor};

use super::StorageError;
use super::objects::ContentObjects;
use super::sealing::ContentCipher;
use super::stores::IndexMark;

/// The open database, and what opens the contents in it.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    /// Which database it is.
    pub(super) kind: DatabaseKind,
    /// What opens the contents in it.
    pub(super) seals: ContentCipher,
    /// Where contents are that were moved.
    pub(super) objects: ContentObjects,
}

/// Which database it is.
#[derive(Clone, Debug)]
pub(super) enum DatabaseKind {
    /// One file.
    Sqlite(sqlite::Sqlite),
    /// A server of its own.
    Postgres(postgres::Postgres),
}

async fn sqlite_rows<'e>(
    query: SqlQuery,
    on: impl SqliteExecutor<'e>,
) -> Result<Vec<SqlRow>, StorageError> {
    let rows = query.sqlite().fetch_all(on).await?;
    Ok(rows.into_iter().map(SqlRow::from).collect())
}

async fn postgres_rows<'e>(
    query: SqlQuery,
    on: impl PgExecutor<'e>,
) -> Result<Vec<SqlRow>, StorageError> {
    let rows = query.postgres().fetch_all(on).await?;
    Ok(rows.into_iter().map(SqlRow::from).collect())
}

impl Engine {
    /// What opens contents, with the keys of all contents in a column; those that were moved are fetched.
    pub(super) async fn with_keys(
        &self,
        rows: &mut [SqlRow],
        column: usize,
    ) -> Result<&ContentCipher, StorageError> {
        for id in self.seals.unmet(rows, column)? {
            let wrapped = self.one(ContentCipher::wrapped(id)).await?;
            self.seals.meet(id, wrapped.as_ref()).await?;
        }
        self.objects.fetch_contents(rows, column).await?;
        Ok(&self.seals)
    }

    /// Rows, with their contents ready to be opened where these are in a column. A standby answers where it has reached
    /// this moment of the store; where none has, or it fails, the primary is asked.
    pub(super) async fn with_contents(
        &self,
        reached: Option<(&str, &IndexMark)>,
        query: impl Fn() -> SqlQuery,
        column: Option<usize>,
    ) -> Result<Vec<SqlRow>, StorageError> {
        let of_standby = match reached {
            Some((store, mark)) => {
                let ask = async |within| rows_with_keys(within, query(), column).await;
                self.ask_standby(store, mark, ask).await
            }
            None => None,
        };
        let is_of_primary = of_standby.is_none();
        let mut rows = match of_standby {
            Some(rows) => rows,
            None => self.all(query()).await?,
        };
        let Some(at) = column else {
            return Ok(rows);
        };
        // Keys that were not met yet are looked up together with the rows, in one state of the database: a key that is
        // missing then is gone, and did not end meanwhile. A standby's rows came with their keys.
        if is_of_primary && !self.seals.unmet(&rows, at)?.is_empty() {
            rows = rows_with_keys(self.snapshot().await?, query(), column).await?;
        }
        self.objects.fetch_contents(&mut rows, at).await?;
        Ok(rows)
    }

    /// Whether there are standbys to read from.
    pub(super) fn has_standbys(&self) -> bool {
        matches!(&self.kind, DatabaseKind::Postgres(servers) if !servers.standbys().is_empty())
    }

    /// A transaction on a standby that has reached a state of a store, whose statements all see one state; nothing where none
    /// has.
    async fn standby_snapshot(&self, store: &str, reached: &IndexMark) -> Option<Transaction> {
        let DatabaseKind::Postgres(servers) = &self.kind else {
            return None;
        };
        for standby in servers.standbys() {
            let looked = standby.in_time(async {
                let Some(begun) = standby.begin().await? else {
                    return Ok(None);
                };
                let mut within = self.within(DriverTransaction::Postgres(begun));
                let is_reached = reached.is_reached(store, &mut within).await?;
                if !is_reached {
                    standby.count_lag();
                }
                Ok::<_, StorageError>(is_reached.then_some(within))
            });
            if let Some(within) = looked.await.flatten() {
                return Some(within);
            }
        }
        None
    }

    /// What a standby that has reached a state of a store answers; nothing where none has, or it does not in time.
    pub(super) async fn ask_standby<T, E: Into<StorageError>>(
        &self,
        store: &str,
        reached: &IndexMark,
        ask: impl AsyncFnOnce(Transaction) -> Result<T, E>,
    ) -> Option<T> {
        let within = self.standby_snapshot(store, reached).await?;
        let answered = tokio::time::timeout(postgres::STANDBY_ANSWER_MAX, ask(within));
        let answer = answered.await.ok()?.ok();
        if let (Some(_), DatabaseKind::Postgres(servers)) = (&answer, &self.kind) {
            servers.standby_reads().answered.inc();
        }
        answer
    }

    /// Its peculiarities.
    pub(super) fn dialect(&self) -> SqlDialect {
        match &self.kind {
            DatabaseKind::Sqlite(_) => SqlDialect::Sqlite,
            DatabaseKind::Postgres(_) => SqlDialect::Postgres,
        }
    }

    fn within(&self, begun: DriverTransaction) -> Transaction {
        Transaction {
            begun,
            seals: self.seals.clone(),
            objects: self.objects.clone(),
        }
    }

    /// Begins a transaction that will write.
    pub(super) async fn begin(&self) -> Result<Transaction, StorageError> {
        Ok(self.within(match &self.kind {
            DatabaseKind::Sqlite(sqlite) => {
                DriverTransaction::Sqlite(sqlite.writer.begin_with("BEGIN IMMEDIATE").await?)
            }
            DatabaseKind::Postgres(servers) => DriverTransaction::Postgres(
                postgres::begin_transaction(&servers.pool(), "BEGIN").await?,
            ),
        }))
    }

    /// Begins a transaction whose statements all see one state.
    pub(super) async fn snapshot(&self) -> Result<Transaction, StorageError> {
        Ok(self.within(match &self.kind {
            DatabaseKind::Sqlite(sqlite) => {
                DriverTransaction::Sqlite(sqlite.readers.begin().await?)
            }
            DatabaseKind::Postgres(servers) => DriverTransaction::Postgres(
                postgres::begin_transaction(&servers.pool(), postgres::SNAPSHOT).await?,
            ),
        }))
    }

    /// Statements that happen together, or not at all where one of them fails.
    pub(super) async fn transact<T, E: From<StorageError>>(
        &self,
        work: impl AsyncFnOnce(&mut Transaction) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut within = self.begin().await?;
        let done = work(&mut within).await?;
        within.commit().await?;
        Ok(done)
    }

    /// Every row that one reading statement gives.
    pub(super) async fn all(&self, query: SqlQuery) -> Result<Vec<SqlRow>, StorageError> {
        match &self.kind {
            DatabaseKind::Sqlite(sqlite) => sqlite_rows(query, &sqlite.readers).await,
            DatabaseKind::Postgres(servers) => postgres_rows(query, &servers.pool()).await,
        }
    }

    /// The first row that one reading statement gives, if there is one.
    pub(super) async fn one(&self, query: SqlQuery) -> Result<Option<SqlRow>, StorageError> {
        Ok(self.all(query).await?.into_iter().next())
    }

    /// Runs a statement in a transaction of its own, and says how many rows it changed.
    pub(super) async fn run(&self, query: SqlQuery) -> Result<u64, StorageError> {
        self.transact(async |within| within.run(query).await).await
    }

    /// Closes every connection.
    pub(super) async fn close(&self) {
        match &self.kind {
            DatabaseKind::Sqlite(sqlite) => sqlite.close().await,
            DatabaseKind::Postgres(servers) => servers.close().await,
        }
    }
}

/// Rows and the keys of their contents, in one state of the database.
async fn rows_with_keys(
    mut within: Transaction,
    query: SqlQuery,
    column: Option<usize>,
) -> Result<Vec<SqlRow>, StorageError> {
    let rows = within.all(query).await?;
    if let Some(column) = column {
        within.meet_keys(&rows, column).await?;
    }
    within.commit().await?;
    Ok(rows)
}

/// Statements that happen together or not at all. Rolled back when dropped.
#[derive(Debug)]
pub(super) struct Transaction {
    begun: DriverTransaction,
    /// What opens the contents in the database.
    pub(super) seals: ContentCipher,
    /// Where contents are that were moved.
    pub(super) objects: ContentObjects,
}

#[derive(Debug)]
enum DriverTransaction {
    Sqlite(sqlx::SqliteTransaction<'static>),
    Postgres(sqlx::PgTransaction<'static>),
}

impl Transaction {
    /// The database's peculiarities.
    pub(super) fn dialect(&self) -> SqlDialect {
        match self.begun {
            DriverTransaction::Sqlite(_) => SqlDialect::Sqlite,
            DriverTransaction::Postgres(_) => SqlDialect::Postgres,
        }
    }

    /// A data key, as this transaction sees it.
    pub(super) async fn key(&mut self, id: KeyId) -> Result<Arc<DataKey>, StorageError> {
        if let Some(key) = self.seals.met(id) {
            return Ok(key);
        }
        let wrapped = self.one(ContentCipher::wrapped(id)).await?;
        self.seals.meet(id, wrapped.as_ref()).await
    }

    /// Meets the keys of all contents in a column, as far as they are there: one that is gone costs what it sealed, which
    /// tells of it when it is opened, and nothing beside it.
    pub(super) async fn meet_keys(
        &mut self,
        rows: &[SqlRow],
        column: usize,
    ) -> Result<(), StorageError> {
        for id in self.seals.unmet(rows, column)? {
            match self.key(id).await {
                Err(StorageError::Vault(VaultError::LostKey(_))) => {}
                met => drop(met?),
            }
        }
        Ok(())
    }

    /// Every row that a statement gives.
    pub(super) async fn all(&mut self, query: SqlQuery) -> Result<Vec<SqlRow>, StorageError> {
        match &mut self.begun {
            DriverTransaction::Sqlite(within) => sqlite_rows(query, &mut **within).await,
            DriverTransaction::Postgres(within) => postgres_rows(query, &mut **within).await,
        }
    }

    /// The first row, if there is one.
    pub(super) async fn one(&mut self, query: SqlQuery) -> Result<Option<SqlRow>, StorageError> {
        Ok(self.all(query).await?.into_iter().next())
    }

    /// Runs a statement, and says how many rows it changed.
    pub(super) async fn run(&mut self, query: SqlQuery) -> Result<u64, StorageError> {
        Ok(match &mut self.begun {
            DriverTransaction::Sqlite(within) => {
                query.sqlite().execute(&mut **within).await?.rows_affected()
            }
            DriverTransaction::Postgres(within) => query
                .postgres()
                .execute(&mut **within)
                .await?
                .rows_affected(),
        })
    }

    /// Runs a text of many statements.
    pub(super) async fn script(&mut self, text: String) -> Result<(), StorageError> {
        let script = sqlx::raw_sql(AssertSqlSafe(text));
        match &mut self.begun {
            DriverTransaction::Sqlite(within) => within.execute(script).await.map(drop)?,
            DriverTransaction::Postgres(within) => within.execute(script).await.map(drop)?,
        }
        Ok(())
    }

    /// Makes it last. After an error it may have been done.
    pub(super) async fn commit(self) -> Result<(), StorageError> {
        match self.begun {
            DriverTransaction::Sqlite(within) => within.commit().await?,
            DriverTransaction::Postgres(within) => within.commit().await?,
        }
        Ok(())
    }
}

/// Where the two databases differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SqlDialect {
    /// SQLite.
    Sqlite,
    /// PostgreSQL, and what speaks its protocol.
    Postgres,
}

impl SqlDialect {
    /// What a reading statement ends with whose row nobody else may change meanwhile. A writing
    /// transaction of SQLite is the only one anyway.
    pub(super) fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// The database's clock, in microseconds since 1970.
    pub(super) fn now_us(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST(unixepoch('subsec') * 1000000 AS BIGINT)",
            Self::Postgres => "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)",
        }
    }

    /// A text of the migrations. Paths are compared byte by byte.
    pub(super) fn fill(self, text: &str) -> String {
        let (bytes, path) = match self {
            Self::Sqlite => ("BLOB", "TEXT"),
            Self::Postgres => ("BYTEA", "TEXT COLLATE \"C\""),
        };
        text.replace("{bytes}", bytes)
            .replace("{path}", path)
            .replace("{now_us}", self.now_us())
    }

    /// Whether there is a table of this name.
    pub(super) fn has_table(self, name: &str) -> SqlQuery {
        let tables = match self {
            Self::Sqlite => "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1",
            Self::Postgres => {
                "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = $1"
            }
        };
        sql!(tables; name)
    }
}

/// What to do about an error of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SqlErrorClass {
    /// The connection is gone; another one may do.
    Lost,
    /// Somebody else was in the way, and nothing was done, or too many wait, or it takes too long.
    Busy,
    /// There is no room for more: somebody has to make some.
    Full,
    /// Nothing, but to say so.
    Other,
}

/// Tells errors apart. The codes are PostgreSQL's (appendix A of its manual) and SQLite's.
pub(super) fn class(error: &sqlx::Error) -> SqlErrorClass {
    use sqlx::Error;
    match error {
        Error::Io(_) | Error::Tls(_) | Error::WorkerCrashed => SqlErrorClass::Lost,
        Error::PoolTimedOut | Error::PoolClosed => SqlErrorClass::Lost,
        // A server that ends in the middle of a message.
        Error::Protocol(_) | Error::BeginFailed => SqlErrorClass::Lost,
        Error::Database(error) => error
            .code()
            .map_or(SqlErrorClass::Other, |code| of_code(&code)),
        _ => SqlErrorClass::Other,
    }
}

fn of_code(code: &str) -> SqlErrorClass {
    match code {
        // Serialisation failure, deadlock, a transaction that a distributed database aborts.
        "40001" | "40P01" | "40003" => SqlErrorClass::Busy,
        // A statement or a lock that took too long.
        "57014" | "55P03" => SqlErrorClass::Busy,
        // Shutting down, crashed, starting up; too many connections.
        "57P01" | "57P02" | "57P03" | "53300" => SqlErrorClass::Lost,
        _ if code.len() == 5 && code.starts_with("08") => SqlErrorClass::Lost,
        // SQLITE_FULL, SQLITE_IOERR_WRITE (a quota); disk_full, and what comes of that.
        "13" | "778" | "53100" => SqlErrorClass::Full,
        // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT.
        "5" | "6" | "261" | "517" => SqlErrorClass::Busy,
        _ => SqlErrorClass::Other,
    }
}
