//! Tells the other replicas each second what this one has let through, and learns what they have.

use std::time::Duration;

use tokio::task::JoinHandle;

use crate::app::Shared;
use crate::storage::{StorageError, new_replica_id};

/// How old what one replica knows of the others is at most, where the database answers.
const EVERY: Duration = Duration::from_secs(1);

/// The task, ended with this.
pub(crate) struct UseExchange(Option<JoinHandle<()>>);

impl UseExchange {
    /// Begins, where there is a limit to share and may be somebody to share it with.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(crate) fn start(app: &Shared) -> Result<Self, StorageError> {
        if !app.pace.is_set() || !app.database.has_replicas() {
            return Ok(Self(None));
        }
        let replica = new_replica_id()?;
        let app = app.clone();
        Ok(Self(Some(tokio::spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                let counts = app.pace.busy();
                let others = app.database.exchange_use_counts(&replica, &counts).await;
                match others {
                    Ok(others) => app.pace.take_from_others(others),
                    // Until it answers each replica has the whole limit.
                    Err(error) => {
                        tracing::warn!(%error, "use was not exchanged with other replicas");
                    }
                }
            }
        }))))
    }
}

impl Drop for UseExchange {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.abort();
        }
    }
}
