//! PostgreSQL: a pool of connections to the server that takes writes.
//!
//! # Layout
//! - `hosts`: the servers that an address names. `primary`: which of them takes writes, and the change to another.
//! - `timeline`: whether it continues the history that was served before.
//! - `standbys`: servers that answer reads in its place.

mod hosts;
mod primary;
mod standbys;
mod timeline;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgPool, PgTransaction};

pub use self::standbys::StandbyReads;
pub(crate) use self::standbys::{STANDBY_ANSWER_MAX, Standby};
use self::timeline::Timeline;
use crate::storage::{OpenOptions, StorageError};

/// All that is read in an order has an index in that order, and PostgreSQL has to take it: it learns how much a store
/// holds only when its statistics are taken again, and until then reads a store that was just filled whole, and sorts
/// it, for every page. The cost of an operator is set to what planning and comparing really take here, eight times the
/// default: so that a plan is kept for all stores, and a range is looked up rather than every row compared with it.
const IN_THE_ORDER_OF_AN_INDEX: [&str; 3] = [
    "SET enable_sort = off",
    "SET enable_bitmapscan = off",
    "SET cpu_operator_cost = 0.02",
];
/// Begins a transaction whose statements all see one state.
pub(crate) const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// A connection that nobody has used for so long is asked whether it is still there.
const ASK_AFTER: Duration = Duration::from_secs(1);

/// How long a request waits for a connection where another server may take over: long enough to connect, short enough
/// to begin again with that one.
const ACQUIRE_MAX: Duration = Duration::from_secs(3);

/// The servers of a database. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Postgres(Arc<Servers>);

#[derive(Debug)]
struct Servers {
    hosts: Vec<PgConnectOptions>,
    pools: PgPoolOptions,
    timeline: Arc<Timeline>,
    current: RwLock<CurrentPool>,
    standbys: Vec<Standby>,
    standby_reads: StandbyReads,
}

#[derive(Clone, Debug)]
struct CurrentPool {
    host: usize,
    pool: PgPool,
}

impl Servers {
    fn current_pool(&self) -> CurrentPool {
        let current = self.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets everybody ask another server from now on.
    fn change_to(&self, host: usize) {
        let Some(options) = self.hosts.get(host) else {
            return;
        };
        let pool = self.pools.clone().connect_lazy_with(options.clone());
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        let old = std::mem::replace(&mut *current, CurrentPool { host, pool });
        drop(current);
        // Who waits for the old server to take a connection gets one of the new server.
        old.pool.set_connect_options(options.clone());
        // Its connections end as they are returned. One that hangs ends with its statement's time.
        tokio::spawn(async move { old.pool.close().await });
    }
}

/// Begins a transaction, in a task of its own: a request that is given up while the answer to `BEGIN` is on its way would
/// leave a connection in a transaction of which neither the driver nor the next request knows.
pub(crate) async fn begin_transaction(
    pool: &PgPool,
    statement: &'static str,
) -> Result<PgTransaction<'static>, sqlx::Error> {
    let pool = pool.clone();
    let begun = tokio::spawn(async move { pool.begin_with(statement).await });
    begun.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
}

impl Postgres {
    /// Opens a pool. The address may hold a password: no error quotes it.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn open(
        url: &SecretString,
        options: &OpenOptions,
    ) -> Result<Self, StorageError> {
        let hosts = limited_hosts(url, options)?;
        let standbys = match &options.standbys {
            Some(url) => limited_hosts(url, options).map_err(|_| StorageError::ReadAddress)?,
            None => Vec::new(),
        };
        let standbys = standbys.into_iter();
        let reads = StandbyReads::default();
        let standbys = standbys.map(|host| Standby::new(host, options.connections, &reads));
        let are_several = hosts.len() > 1;
        let acquire = match are_several {
            true => options.acquire_timeout.min(ACQUIRE_MAX),
            false => options.acquire_timeout,
        };
        let timeline = Arc::new(Timeline::default());
        let pools = pool_options(options.connections, acquire, &timeline);
        let host = match are_several {
            true => primary::find_primary(&hosts, options.acquire_timeout).await,
            false => Ok(0),
        };
        let host = host.map_err(|error| unreachable(&hosts, error))?;
        let first = hosts.get(host).ok_or(StorageError::Address)?;
        let pool = pools.clone().connect_with(first.clone()).await;
        let pool = pool.map_err(|error| unreachable(&hosts, error))?;
        check_settings(&pool).await?;
        let servers = Arc::new(Servers {
            hosts,
            pools,
            timeline,
            current: RwLock::new(CurrentPool { host, pool }),
            standbys: standbys.collect(),
            standby_reads: reads,
        });
        if are_several {
            tokio::spawn(primary::watch_primary(Arc::downgrade(&servers)));
        }
        Ok(Self(servers))
    }

    /// The pool of the server that takes writes.
    pub(crate) fn pool(&self) -> PgPool {
        self.0.current_pool().pool
    }

    /// The servers that answer reads in the place of the primary.
    pub(crate) fn standbys(&self) -> &[Standby] {
        &self.0.standbys
    }

    /// How often these were asked.
    pub(crate) fn standby_reads(&self) -> StandbyReads {
        self.0.standby_reads.clone()
    }

    /// Closes every connection.
    pub(crate) async fn close(&self) {
        for standby in self.standbys() {
            standby.close().await;
        }
        self.pool().close().await;
    }

    /// Begins new epochs where the database continues on another timeline than it was served from. Its schema has to be
    /// there.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn begin_timeline(&self) -> Result<(), StorageError> {
        let mut connection = self.pool().acquire().await?;
        Ok(self.0.timeline.begin(&mut connection).await?)
    }
}

/// What a server is called where it is spoken of: where it is, and nothing of who asks it.
fn host_label(host: &PgConnectOptions) -> String {
    match host.get_socket() {
        Some(folder) => format!("{}:{}", folder.display(), host.get_port()),
        None => format!("{}:{}", host.get_host(), host.get_port()),
    }
}

/// None of the servers that an address names can be used.
fn unreachable(hosts: &[PgConnectOptions], error: sqlx::Error) -> StorageError {
    match StorageError::from(error) {
        StorageError::Unavailable(source) => StorageError::NoServer {
            servers: hosts
                .iter()
                .map(host_label)
                .collect::<Vec<_>>()
                .join("`, `"),
            source,
        },
        other => other,
    }
}

/// The servers of an address, where no statement takes longer than the options say.
fn limited_hosts(
    url: &SecretString,
    options: &OpenOptions,
) -> Result<Vec<PgConnectOptions>, StorageError> {
    let milliseconds = options.statement_timeout.as_millis().to_string();
    let hosts = hosts::parse_hosts(url.expose_secret())?.into_iter();
    let hosts = hosts.map(|host| {
        let host = host.application_name("mem").disable_statement_logging();
        host.options([
            ("statement_timeout", milliseconds.as_str()),
            ("idle_in_transaction_session_timeout", milliseconds.as_str()),
        ])
    });
    Ok(hosts.collect())
}

fn pool_options(connections: u32, acquire: Duration, timeline: &Arc<Timeline>) -> PgPoolOptions {
    let timeline = Arc::clone(timeline);
    PgPoolOptions::new()
        .max_connections(connections.max(2))
        .acquire_timeout(acquire)
        // Asking before every use would double what a state costs. One that was not used for a while is
        // asked; one that was lost meanwhile is noticed by its first statement, and that runs again.
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let timeline = Arc::clone(&timeline);
            Box::pin(async move {
                for setting in IN_THE_ORDER_OF_AN_INDEX {
                    // What else speaks the protocol may not know it, and plans as it does.
                    let _ = connection.execute(setting).await;
                }
                timeline.check(connection).await
            })
        })
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                // One that is gone is replaced; as an error it would be a line of the log each time.
                Ok(meta.idle_for <= ASK_AFTER || connection.ping().await.is_ok())
            })
        })
}

/// What is acknowledged has to be on the disk, of one machine at least.
async fn check_settings(pool: &PgPool) -> Result<(), StorageError> {
    let sql = "SELECT current_setting('synchronous_commit', TRUE)";
    let found: Option<String> = sqlx::query_scalar(sql).fetch_one(pool).await?;
    match found {
        Some(found) if found == "off" => Err(StorageError::Setting {
            setting: "synchronous_commit",
            found,
            wanted: "on",
        }),
        _ => Ok(()),
    }
}
