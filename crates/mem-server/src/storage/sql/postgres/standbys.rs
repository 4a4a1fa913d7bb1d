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

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use prometheus_client::metrics::counter::Counter;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Executor as _, PgPool, PgTransaction};

use super::{IN_THE_ORDER_OF_AN_INDEX, SNAPSHOT};

/// How long a reader waits for a connection before it asks the primary.
const ACQUIRE_MAX: Duration = Duration::from_millis(500);
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
    resting: Mutex<Option<Instant>>,
    reads: StandbyReads,
}

impl Standby {
    /// Connects when it is needed.
    pub(super) fn new(host: PgConnectOptions, connections: u32, reads: &StandbyReads) -> Self {
        let pool = PgPoolOptions::new()
            .max_connections(connections.max(2))
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
            resting: Mutex::default(),
            reads: reads.clone(),
        }
    }

    /// A transaction whose statements all see one state; nothing where it does not answer.
    pub(crate) async fn begin(&self) -> Option<PgTransaction<'static>> {
        if self.is_resting() {
            return None;
        }
        match self.pool.begin_with(SNAPSHOT).await {
            Ok(begun) => Some(begun),
            Err(error) => {
                tracing::debug!(%error, "a standby does not answer: the primary is asked");
                self.rest();
                None
            }
        }
    }

    fn is_resting(&self) -> bool {
        let since = *self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() < REST)
    }

    /// Leaves it alone for a while.
    pub(crate) fn rest(&self) {
        self.reads.failed.inc();
        *self.resting.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// It answers a reader.
    pub(crate) fn count_answer(&self) {
        self.reads.answered.inc();
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
