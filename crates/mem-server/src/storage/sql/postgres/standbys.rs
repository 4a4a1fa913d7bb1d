//! Standbys that answer reads in the place of the primary, where they have all that it acknowledged.
//!
//! ```text
//!  reader    primary: the state of the store -- epoch, number ---------+
//!            standby: BEGIN, the state of the store -- reached? -- yes -> rows, COMMIT
//!                                                     +------- no --> the primary
//! ```
//!
//! The primary is asked for one row in any case, which a reader that knows the store already gets no further than. A standby
//! that lags, or does not answer, costs a statement and changes no answer. **Invariant:** what a reader gets was the state of
//! the store when it asked, or a later one. Test: `storage::standby::a_standby_answers_only_what_it_has_reached`.

use std::error::Error as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Executor as _, PgPool, PgTransaction};

use super::{IN_THE_ORDER_OF_AN_INDEX, SNAPSHOT, begin_transaction, host_label};
use crate::locks::lock;
use crate::storage::StorageError;

/// How long a standby may take to begin an answer, before the primary is asked.
const ACQUIRE_MAX: Duration = Duration::from_millis(500);
/// How long it may take for all of it.
pub(crate) const STANDBY_ANSWER_MAX: Duration = Duration::from_secs(5);
/// A standby that did not answer is left alone for so long.
const REST: Duration = Duration::from_secs(5);

/// How often standbys were asked. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct StandbyReads {
    /// They answered.
    pub answered: Counter,
    /// They had not reached the state of the store.
    pub behind: Counter,
    /// They could not be reached.
    pub failed: Counter,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Standby {
    pool: PgPool,
    /// What it is called in the log.
    label: String,
    resting: Mutex<Option<Instant>>,
    reads: StandbyReads,
}

impl Standby {
    /// Connects when it is needed.
    pub(super) fn new(host: PgConnectOptions, connections: u32, reads: &StandbyReads) -> Self {
        let label = host_label(&host);
        let pool = PgPoolOptions::new()
            .max_connections(connections.max(2))
            // Beside the requests: where connecting takes longer than one of them waits, there would never be any.
            .min_connections(1)
            .acquire_timeout(ACQUIRE_MAX)
            .test_before_acquire(false)
            .after_connect(|connection, _| {
                Box::pin(async move {
                    for setting in IN_THE_ORDER_OF_AN_INDEX {
                        // As on the primary.
                        let _ = connection.execute(setting).await;
                    }
                    Ok(())
                })
            })
            .connect_lazy_with(host);
        Self {
            pool,
            label,
            resting: Mutex::default(),
            reads: reads.clone(),
        }
    }

    /// A transaction whose statements all see one state; nothing while it is left alone.
    ///
    /// # Errors
    /// It does not answer.
    pub(crate) async fn begin(&self) -> Result<Option<PgTransaction<'static>>, sqlx::Error> {
        match self.is_resting() {
            true => Ok(None),
            false => begin_transaction(&self.pool, SNAPSHOT).await.map(Some),
        }
    }

    /// Asks it, for a moment: it is left alone for a while where it does not answer.
    pub(crate) async fn in_time<T>(
        &self,
        ask: impl Future<Output = Result<T, StorageError>>,
    ) -> Option<T> {
        let asked = tokio::time::timeout(ACQUIRE_MAX, ask).await;
        match asked.unwrap_or_else(|_| Err(StorageError::silent())) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.rest(&error);
                None
            }
        }
    }

    fn is_resting(&self) -> bool {
        let since = *lock(&self.resting);
        since.is_some_and(|since| since.elapsed() < REST)
    }

    fn rest(&self, error: &StorageError) {
        self.reads.failed.inc();
        let mut resting = lock(&self.resting);
        // Once for all who asked it at the same time.
        if resting.is_none_or(|since| since.elapsed() >= REST) {
            let (server, cause) = (&self.label, error.source().map(ToString::to_string));
            tracing::warn!(%server, %error, cause, "no standby of the database answers there: the primary is asked");
        }
        *resting = Some(Instant::now());
    }

    /// It lags behind.
    pub(crate) fn count_lag(&self) {
        self.reads.behind.inc();
    }

    /// Closes its connections.
    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}
