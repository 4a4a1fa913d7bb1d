//! A pool of connections to PostgreSQL.

use std::str::FromStr as _;

use secrecy::{ExposeSecret as _, SecretString};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::storage::{OpenOptions, StorageError};

/// Opens a pool. The address may hold a password: no error quotes it.
pub(in crate::storage) async fn open(
    url: &SecretString,
    options: &OpenOptions,
) -> Result<PgPool, StorageError> {
    let url = url.expose_secret();
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(StorageError::Address);
    }
    let connect = PgConnectOptions::from_str(url).map_err(|_| StorageError::Address)?;
    let milliseconds = options.statement_timeout.as_millis().to_string();
    let connect = connect.application_name("mem").options([
        ("statement_timeout", milliseconds.as_str()),
        ("idle_in_transaction_session_timeout", milliseconds.as_str()),
        // What is acknowledged is on the disk, whatever the server's default is.
        ("synchronous_commit", "on"),
    ]);
    let pool = PgPoolOptions::new()
        .max_connections(options.connections.max(2))
        .acquire_timeout(options.acquire_timeout)
        // A lost connection is noticed by its first statement, and that runs again.
        .test_before_acquire(false)
        .connect_with(connect)
        .await?;
    Ok(pool)
}
