//! Whether the server continues the history that this database was served from.
//!
//! A standby that is promoted, and a database that is restored to a moment, continue on a new timeline. Writes that the
//! old primary had and the new one never got are missing there, and their numbers are given to others: the name of a
//! state would mean two. So with the first connection to a new timeline every store begins a new epoch, before anything
//! is read over that connection. With synchronous replication no acknowledged write is missing and this would not be
//! needed, but the new primary cannot know what the old one waited for. It costs every client one full look.
//!
//! Test: `storage::standby::a_promoted_standby_has_every_acknowledged_write`.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{Acquire as _, PgConnection};

use crate::storage::{StorageError, id};

/// The first eight digits of the name of a file of the write-ahead log.
const TIMELINE: &str = "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)";

/// The timeline whose epochs hold; 0 until it was looked up.
#[derive(Debug, Default)]
pub(super) struct Timeline(AtomicU32);

impl Timeline {
    /// Looks at a connection before it is used.
    ///
    /// # Errors
    /// The database fails, or is a standby.
    pub(super) async fn check(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let known = self.0.load(Ordering::Acquire);
        // Until the schema is there, there is nothing to compare with.
        if known == 0 {
            return Ok(());
        }
        match current_timeline(connection).await? {
            Some(timeline) if timeline != known => self.follow_timeline(connection, timeline).await,
            _ => Ok(()),
        }
    }

    /// Looks the timeline up, once the schema is there.
    ///
    /// # Errors
    /// The database fails.
    pub(super) async fn begin(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        match current_timeline(connection).await? {
            Some(timeline) => self.follow_timeline(connection, timeline).await,
            None => Ok(()),
        }
    }

    /// Replicas that find a new timeline at once wait for each other at the row, and one renews.
    async fn follow_timeline(
        &self,
        connection: &mut PgConnection,
        timeline: u32,
    ) -> Result<(), sqlx::Error> {
        let mut within = connection.begin().await?;
        let find = "SELECT timeline FROM database_life WHERE id = 1 FOR UPDATE";
        let before: Option<i64> = sqlx::query_scalar(find).fetch_one(&mut *within).await?;
        if before != Some(i64::from(timeline)) {
            let note = "UPDATE database_life SET timeline = $1 WHERE id = 1";
            let note = sqlx::query(note).bind(i64::from(timeline));
            note.execute(&mut *within).await?;
        }
        if before.is_some_and(|before| before != i64::from(timeline)) {
            let epoch = id::epoch().map_err(|error| match error {
                StorageError::Database(error) => error,
                other => sqlx::Error::Protocol(other.to_string()),
            })?;
            let renew = sqlx::query("UPDATE memory_store SET epoch = $1").bind(epoch);
            renew.execute(&mut *within).await?;
            tracing::warn!(
                timeline,
                "the database continues on another server or from another moment: every store begins a new epoch"
            );
        }
        within.commit().await?;
        self.0.store(timeline, Ordering::Release);
        Ok(())
    }
}

/// The timeline of a server that takes writes. `None` where a database speaks the protocol and has no such thing.
async fn current_timeline(connection: &mut PgConnection) -> Result<Option<u32>, sqlx::Error> {
    let asked = sqlx::query_scalar::<_, String>(TIMELINE);
    match asked.fetch_one(connection).await {
        Ok(digits) => Ok(u32::from_str_radix(&digits, 16).ok()),
        // It is in recovery: a standby, which takes no write.
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("55000") => {
            Err(sqlx::Error::Database(error))
        }
        Err(sqlx::Error::Database(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How far the server is, for the choice between servers.
///
/// # Errors
/// It cannot be asked, or takes no writes.
pub(super) async fn of_primary(connection: &mut PgConnection) -> Result<u32, sqlx::Error> {
    Ok(current_timeline(connection).await?.unwrap_or_default())
}
