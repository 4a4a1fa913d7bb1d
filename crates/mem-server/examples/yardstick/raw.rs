//! Transactions of SQLite as they are, by as many that wait for one connection.

use std::path::Path;
use std::time::Instant;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::task::JoinSet;

/// Transactions a second that add a row and change one.
pub(crate) async fn rate(
    folder: &Path,
    at_once: usize,
    each: usize,
) -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
    let options = SqliteConnectOptions::new()
        .filename(folder.join("raw.sqlite"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, a TEXT)")
        .execute(&pool)
        .await?;
    let before = Instant::now();
    let mut all = JoinSet::new();
    for _ in 0..at_once {
        let pool = pool.clone();
        all.spawn(async move {
            for _ in 0..each {
                let mut within = pool.begin_with("BEGIN IMMEDIATE").await?;
                let text = "x".repeat(500);
                sqlx::query("INSERT INTO t (a) VALUES (?)")
                    .bind(text)
                    .execute(&mut *within)
                    .await?;
                sqlx::query("UPDATE t SET a = 'y' WHERE id = 1")
                    .execute(&mut *within)
                    .await?;
                within.commit().await?;
            }
            Ok::<(), sqlx::Error>(())
        });
    }
    all.join_all()
        .await
        .into_iter()
        .collect::<Result<(), _>>()?;
    Ok((at_once * each) as f64 / before.elapsed().as_secs_f64())
}
