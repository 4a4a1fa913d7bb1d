//! Which versions end, and their end: in small transactions, on any replica, harmless twice.
//!
//! A version that is old goes, unless it is among the newest of a live memory. What a path holds stays, and what
//! says that something was deleted from a repository's store; of these a store has a bounded number (see
//! [`super::flush`]).

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::sql::{Engine, sql, values};
use super::store_row::EveryStore;
use super::{Database, StorageError};

/// Versions that are looked at, and ended, at once.
const VERSIONS_AT_ONCE: i64 = 500;

/// How long versions are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VersionRetention {
    /// Every version, for so many days.
    pub days: u32,
    /// The newest of a live memory, however old.
    pub versions: u32,
    /// How often a server looks.
    pub every: Duration,
}

impl Default for VersionRetention {
    fn default() -> Self {
        Self {
            days: 30,
            versions: 20,
            every: Duration::from_secs(60 * 60),
        }
    }
}

impl Database {
    /// Ends the versions that are kept no longer, and says how many that were. Beside a server too.
    ///
    /// # Errors
    /// See [`StorageError`]. What was ended before stays so.
    pub async fn prune(
        &self,
        retention: &VersionRetention,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let age = SignedDuration::from_hours(24 * i64::from(retention.days));
        let Ok(before) = now.checked_sub(age) else {
            return Ok(0);
        };
        let mut pruned = 0;
        let mut stores = EveryStore::default();
        while let Some(store) = stores.next(self.engine()).await? {
            pruned += in_store(self.engine(), &store, retention, before).await?;
        }
        Ok(pruned)
    }
}

/// Numbers follow each other as times do, near enough: behind some that are all young, all are.
async fn in_store(
    engine: &Engine,
    store: &str,
    retention: &VersionRetention,
    before: Timestamp,
) -> Result<u64, StorageError> {
    // The next versions: number, whether it is old, whether it is to end.
    let next = "SELECT v.sequence, v.created_at < $3, v.created_at < $3 \
        AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = v.memory_id AND m.live \
            AND (SELECT count(*) FROM (SELECT 1 FROM memory_version n WHERE n.memory_id = v.memory_id \
                AND n.sequence > v.sequence LIMIT $4) AS newer) < $5) \
        AND NOT EXISTS (SELECT 1 FROM memory t WHERE t.store_id = $1 AND NOT t.live AND t.sequence = v.sequence) \
        FROM memory_version v WHERE v.store_id = $1 AND v.sequence > $2 ORDER BY v.sequence LIMIT $6";
    // What is there now is a version too.
    let versions = i64::from(retention.versions.max(1));
    let (mut pruned, mut after) = (0, 0_i64);
    loop {
        let next = sql!(next; store, after, before, versions, versions, VERSIONS_AT_ONCE);
        let rows: Vec<(i64, bool, bool)> = engine.read_all(next).await?;
        after = rows.last().map_or(after, |(sequence, ..)| *sequence);
        let has_old = rows.iter().any(|(_, is_old, _)| *is_old);
        let doomed = rows.iter().filter(|(_, _, is_doomed)| *is_doomed);
        let doomed: Vec<i64> = doomed.map(|(sequence, ..)| *sequence).collect();
        if !doomed.is_empty() {
            // Nothing that was to end can come to be needed again: so no lock.
            let end = values(2, doomed.len(), 1);
            let end = format!(
                "DELETE FROM memory_version WHERE store_id = $1 AND sequence IN (VALUES {end})"
            );
            let end = sql!(end; store).bind_all(doomed).prepared(false);
            pruned += engine.run(end).await?;
        }
        if !has_old || (rows.len() as i64) < VERSIONS_AT_ONCE {
            return Ok(pruned);
        }
    }
}
