//! Tells the other replicas each second what this one has let through, and learns what they have.

use std::time::Duration;

use tokio::task::JoinHandle;

use crate::app::Shared;
use crate::storage::{StorageError, USE_COUNTS_MAX, new_replica_id};

/// How old what one replica knows of the others is at most, where the database answers.
const EVERY: Duration = Duration::from_secs(1);

/// The task, ended with this.
pub(crate) struct UseExchange(Option<(Exchange, JoinHandle<()>)>);

#[derive(Clone)]
struct Exchange {
    app: Shared,
    replica: String,
    has_replicas: bool,
}

impl Exchange {
    async fn run(&self) -> Result<(), StorageError> {
        let app = &self.app;
        let now = (app.now)();
        let mut counts = app.day_counts.fresh(now);
        if self.has_replicas {
            counts.extend(app.pace.busy());
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

    async fn run_or_warn(&self) {
        // Until the database answers each replica has the whole limit.
        if let Err(error) = self.run().await {
            tracing::warn!(%error, "use was not exchanged with other replicas");
        }
    }
}

impl UseExchange {
    /// Begins, where there is a limit to share and may be somebody to share it with.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn start(app: &Shared) -> Result<Self, StorageError> {
        let has_replicas = app.database.has_replicas();
        let is_shared = app.pace.is_set() && has_replicas;
        // What is counted for a day outlives this process also where it is the only one.
        if !(app.settings.quota.has_day_limit() || is_shared) {
            return Ok(Self(None));
        }
        let exchange = Exchange {
            app: app.clone(),
            replica: new_replica_id()?,
            has_replicas,
        };
        let each = exchange.clone();
        let task = tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                each.run_or_warn().await;
            }
        });
        Ok(Self(Some((exchange, task))))
    }

    /// Tells what was counted since the last time: this process ends.
    pub(crate) async fn finish(&self) {
        if let Some((exchange, task)) = &self.0 {
            task.abort();
            exchange.run_or_warn().await;
        }
    }
}

impl Drop for UseExchange {
    fn drop(&mut self) {
        if let Some((_, task)) = &self.0 {
            task.abort();
        }
    }
}
