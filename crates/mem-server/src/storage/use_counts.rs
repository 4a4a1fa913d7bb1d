//! What each replica has let through, for the others to read: counts that only grow, each written by one replica.

use std::time::Duration;

use super::sql::{SqlDialect, from_columns, sql, values};
use super::{Database, StorageError};

/// Names of one exchange.
pub(crate) const USE_COUNTS_MAX: usize = 1000;

/// What a replica has counted under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UseCount {
    /// What is counted.
    pub(crate) name: String,
    /// By whom; empty in what a replica tells of itself.
    pub(crate) replica: String,
    /// How much, since the replica began.
    pub(crate) used: u64,
    /// How long the others may read it.
    pub(crate) lifetime: Duration,
}

impl UseCount {
    /// What this replica has counted.
    pub(crate) fn new(name: &str, used: u64, lifetime: Duration) -> Self {
        Self {
            name: name.to_owned(),
            replica: String::new(),
            used,
            lifetime,
        }
    }
}

from_columns!(UseCount: name, replica, used; lifetime);

impl Database {
    /// Whether other processes may serve the same database.
    pub(crate) fn has_replicas(&self) -> bool {
        self.0.states.is_none()
    }

    /// Writes this replica's counts, [`USE_COUNTS_MAX`] at most, and returns what the others have under the same names.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn exchange_use_counts(
        &self,
        replica: &str,
        counts: &[UseCount],
    ) -> Result<Vec<UseCount>, StorageError> {
        if counts.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.engine().dialect().now_us();
        self.transact(async |within| {
            let began = within.read_one(sql!(format!("SELECT {now}"))).await?;
            let began: i64 = began.unwrap_or_default();
            // Nothing is lost with the last second of a count: nobody waits for a disk.
            if within.dialect() == SqlDialect::Postgres {
                within.run(sql!("SET LOCAL synchronous_commit = off")).await?;
            }
            let rows = values(1, counts.len(), 4);
            let insert = format!(
                "INSERT INTO use_count (name, replica, used, ends_at) VALUES {rows} \
                 ON CONFLICT (name, replica) DO UPDATE SET used = excluded.used, ends_at = excluded.ends_at"
            );
            let mut insert = sql!(insert).prepared(false);
            for count in counts {
                let lifetime = i64::try_from(count.lifetime.as_micros()).unwrap_or(i64::MAX);
                let ends_at = began.saturating_add(lifetime);
                insert = insert.bind(&count.name).bind(replica).bind(count.used).bind(ends_at);
            }
            within.run(insert).await?;
            let remove = format!("DELETE FROM use_count WHERE ends_at < {now}");
            within.run(sql!(remove)).await?;
            let names = values(2, counts.len(), 1);
            let find = format!(
                "SELECT name, replica, used FROM use_count WHERE replica <> $1 AND name IN (VALUES {names})"
            );
            let find = sql!(find; replica).bind_all(counts.iter().map(|count| &count.name));
            within.read_all(find.prepared(false)).await
        })
        .await
    }

    /// What all replicas have counted under names that begin so.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn use_counts(&self, prefix: &str) -> Result<Vec<UseCount>, StorageError> {
        let find = "SELECT name, replica, used FROM use_count WHERE name LIKE $1";
        let find = || sql!(find; format!("{prefix}%"));
        self.reading(|| self.engine().read_all(find())).await
    }
}
