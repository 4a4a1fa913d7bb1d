//! Tells the other replicas each second what this one has let through, and learns what they have.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::Shared;
use crate::quota::DayCounts;
use crate::storage::{StorageError, USE_COUNTS_MAX, new_replica_id};

/// How old what one replica knows of the others is at most, where the database answers.
const EVERY: Duration = Duration::from_secs(1);

/// What one replica exchanges with the others.
#[derive(Clone)]
pub(crate) struct UseExchange {
    app: Shared,
    replica: String,
    has_replicas: bool,
}

impl UseExchange {
    /// `None` where there is no limit to share, or nobody to share it with.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn open(app: &Shared) -> Result<Option<Self>, StorageError> {
        let has_replicas = app.database.has_replicas();
        let is_shared = app.pace.is_set() && has_replicas;
        // What is counted for a day outlives this process also where it is the only one.
        if !(app.settings.quota.has_day_limit() || is_shared) {
            return Ok(None);
        }
        Ok(Some(Self {
            app: Arc::clone(app),
            replica: new_replica_id()?,
            has_replicas,
        }))
    }

    /// Takes what was counted today before this process began.
    ///
    /// # Errors
    /// The database does not answer.
    pub(crate) async fn load_counts(&self) -> Result<(), StorageError> {
        let app = &self.app;
        let prefix = DayCounts::name_prefix((app.now)());
        let earlier = app.database.use_counts(&prefix).await?;
        app.day_counts.take_earlier(earlier);
        Ok(())
    }

    /// Goes on for as long as it is not dropped.
    pub(crate) async fn repeat(self) {
        loop {
            tokio::time::sleep(EVERY).await;
            self.exchange_counts().await;
        }
    }

    /// Tells what was counted since the last time.
    pub(crate) async fn exchange_counts(&self) {
        // Until the database answers each replica has the whole limit.
        if let Err(error) = self.try_exchange().await {
            tracing::warn!(%error, "use was not exchanged with other replicas");
        }
    }

    async fn try_exchange(&self) -> Result<(), StorageError> {
        let app = &self.app;
        let now = (app.now)();
        let mut counts = app.day_counts.fresh(now);
        if self.has_replicas {
            counts.extend(app.pace.busy(Instant::now()));
        }
        let mut others = Vec::new();
        // All of them: what was handed out here is not handed out again.
        for some in counts.chunks(USE_COUNTS_MAX) {
            let exchange = app.database.exchange_use_counts(&self.replica, some);
            others.extend(exchange.await?);
        }
        app.day_counts.take_from_others(&others, now);
        app.pace.take_from_others(others);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use crate::app::tests::opened;
    use crate::audit::AuditLog;
    use crate::quota::{DayMeasure, QuotaOwner};

    #[tokio::test(flavor = "multi_thread")]
    async fn more_busy_names_than_one_statement_takes_are_exchanged_whole() {
        let folder = tempfile::TempDir::new().unwrap();
        let limit = "[quota.user]\nrequests_per_day = 10\n";
        let settings = toml_edit::de::from_str(limit).unwrap();
        let (database, options) = opened(folder.path(), settings).await;
        let replica = || {
            let audit = AuditLog::default();
            let app = App::new(database.clone(), audit, options.listen, &options);
            UseExchange::open(&Arc::new(app)).unwrap().unwrap()
        };
        let (one, other) = (replica(), replica());
        let owners = 0..2 * USE_COUNTS_MAX + 100;
        let owners: Vec<QuotaOwner> = owners
            .map(|at| QuotaOwner::user("w", &at.to_string()))
            .collect();
        let now = (options.now)();
        let measure = DayMeasure::Requests;
        for replica in [&one, &other] {
            for owner in &owners {
                let owner = std::slice::from_ref(owner);
                replica.app.day_counts.admit(measure, owner, now).unwrap();
            }
            replica.exchange_counts().await;
        }
        for owner in &owners {
            let used = other.app.day_counts.used(measure, owner, now).unwrap();
            assert_eq!(used.used, 2, "{owner:?}");
        }
    }
}
