//! Ends old versions while a server runs: now and then, never at the same moment as the other replicas.

use std::sync::Arc;
use std::time::Duration;

use crate::options::Clock;
use crate::storage::{Database, Retention};

/// Goes on for as long as it is not dropped.
pub(crate) async fn prune(database: Database, retention: Retention, now: Clock) {
    loop {
        tokio::time::sleep(about(retention.every)).await;
        match database.prune(&retention, now()).await {
            Ok(0) => {}
            Ok(versions) => tracing::info!(versions, "old versions ended"),
            // The next time is soon enough.
            Err(error) => tracing::warn!(error = %error, "old versions could not be ended"),
        }
    }
}

/// Between half of it and one and a half.
fn about(every: Duration) -> Duration {
    let mut random = [0];
    // The middle of it where there are no random bytes.
    let share = match getrandom::fill(&mut random) {
        Ok(()) => f64::from(random[0]) / 255.0,
        Err(_) => 0.5,
    };
    every.mul_f64(0.5 + share)
}

/// The task, ended with this.
pub(crate) struct Pruning(tokio::task::JoinHandle<()>);

impl Pruning {
    /// Begins.
    pub(crate) fn start(database: &Database, retention: Retention, now: &Clock) -> Self {
        let task = prune(database.clone(), retention, Arc::clone(now));
        Self(tokio::spawn(task))
    }
}

impl Drop for Pruning {
    fn drop(&mut self) {
        // What is under way is a transaction that is not committed, or was.
        self.0.abort();
    }
}
