//! A pool of connections to PostgreSQL.

use std::str::FromStr as _;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgPool};

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
/// A connection that nobody has used for so long is asked whether it is still there.
const ASK_AFTER: Duration = Duration::from_secs(1);

/// Opens a pool. The address may hold a password: no error quotes it.
pub(crate) async fn open(
    url: &SecretString,
    options: &OpenOptions,
) -> Result<PgPool, StorageError> {
    let url = url.expose_secret();
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(StorageError::Address);
    }
    let connect = PgConnectOptions::from_str(url).map_err(|_| StorageError::Address)?;
    let milliseconds = options.statement_timeout.as_millis().to_string();
    let connect = connect.application_name("mem").disable_statement_logging();
    let connect = connect.options([
        ("statement_timeout", milliseconds.as_str()),
        ("idle_in_transaction_session_timeout", milliseconds.as_str()),
    ]);
    let pool = PgPoolOptions::new()
        .max_connections(options.connections.max(2))
        .acquire_timeout(options.acquire_timeout)
        // Asking before every use would double what a state costs. One that was not used for a while is
        // asked; one that was lost meanwhile is noticed by its first statement, and that runs again.
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                for setting in IN_THE_ORDER_OF_AN_INDEX {
                    // What else speaks the protocol may not know it, and plans as it does.
                    let _ = connection.execute(setting).await;
                }
                Ok(())
            })
        })
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > ASK_AFTER {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_with(connect)
        .await?;
    check(&pool).await?;
    Ok(pool)
}

/// What is acknowledged has to be on the disk, of one machine at least.
async fn check(pool: &PgPool) -> Result<(), StorageError> {
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
