//! The statements that memory stores cannot do without, one transaction each, by nobody but the driver.

use std::time::{Duration, Instant};

use mem_server::storage::Place;
use secrecy::ExposeSecret as _;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{PgPool, SqlitePool};
use tokio::task::JoinSet;

use crate::Outcome;

/// A second.
pub(crate) struct Rates {
    pub(crate) created: f64,
    pub(crate) updated: f64,
    pub(crate) read: f64,
    pub(crate) listed: f64,
}

const INSERT_VERSION: &str = "INSERT INTO memory_version (id, store_id, sequence, change, memory_id, operation, path, \
    content, content_sha256, content_size, created_at, actor_kind, actor_id, actor_name) \
    VALUES ($1, $2, $3, $3, $4, 'created', $5, $6, $7, 500, 0, 'user', 'user_1', 'one')";
const INSERT_MEMORY: &str = "INSERT INTO memory (id, store_id, path, path_folded, live, version_id, sequence, \
    content_sha256, content_size, created_at, updated_at) VALUES ($1, $2, $3, $3, TRUE, $4, $5, $6, 500, 0, 0)";
const UPDATE_MEMORY: &str = "UPDATE memory SET version_id = $1, sequence = $2, content_sha256 = $3 \
    WHERE id = $4 AND content_sha256 = $5";
const READ: &str = "SELECT m.id, m.path, m.content_sha256, v.content FROM memory m JOIN memory_version v \
    ON v.store_id = m.store_id AND v.sequence = m.sequence WHERE m.store_id = $1 AND m.path = $2";
const LIST: &str = "SELECT id, path, content_sha256, content_size, version_id, created_at, updated_at FROM memory \
    WHERE store_id = $1 AND live AND path > $2 ORDER BY path LIMIT 100";

/// What both databases are asked, in the types of each.
macro_rules! measured {
    ($name:ident, $pool:ty, $begin:expr, $lock:expr) => {
        async fn $name(
            writer: $pool,
            reader: $pool,
            stores: &[String],
            full: &str,
            each: usize,
        ) -> Outcome<Rates> {
            let mut rates = Vec::new();
            for kind in 0..4 {
                let before = Instant::now();
                let mut tasks = JoinSet::new();
                for store in stores {
                    let (writer, reader) = (writer.clone(), reader.clone());
                    let (store, full) = (store.clone(), full.to_owned());
                    tasks.spawn(async move {
                        for number in 0..each {
                            let path = format!("/raw/{number}.md");
                            let (id, version) = (format!("r{store}{number}"), format!("v{kind}{store}{number}"));
                            if kind >= 2 {
                                let (sql, what) = match kind {
                                    2 => (READ, "/folder0/note-0.md".to_owned()),
                                    _ => (LIST, format!("/folder{}0", number % 99)),
                                };
                                sqlx::query(sql).bind(&full).bind(what).fetch_all(&reader).await?;
                                continue;
                            }
                            let mut within = writer.begin_with($begin).await?;
                            let sequence: i64 = sqlx::query_scalar($lock).bind(&store).fetch_one(&mut *within).await?;
                            let sum = vec![7_u8; 32];
                            if kind == 0 {
                                sqlx::query("SELECT id FROM memory WHERE store_id = $1 AND path_folded >= $2 AND path_folded < $3")
                                    .bind(&store).bind(&path).bind(format!("{path}0")).fetch_all(&mut *within).await?;
                                sqlx::query(INSERT_MEMORY).bind(&id).bind(&store).bind(&path).bind(&version)
                                    .bind(sequence + 1).bind(&sum).execute(&mut *within).await?;
                            } else {
                                sqlx::query(UPDATE_MEMORY).bind(&version).bind(sequence + 1).bind(&sum)
                                    .bind(&id).bind(&sum).execute(&mut *within).await?;
                            }
                            sqlx::query(INSERT_VERSION).bind(&version).bind(&store).bind(sequence + 1).bind(&id)
                                .bind(&path).bind(vec![b'x'; 500]).bind(&sum).execute(&mut *within).await?;
                            sqlx::query("UPDATE memory_store SET sequence = $1 WHERE id = $2")
                                .bind(sequence + 1).bind(&store).execute(&mut *within).await?;
                            within.commit().await?;
                        }
                        Outcome::Ok(())
                    });
                }
                tasks.join_all().await.into_iter().collect::<Outcome<()>>()?;
                rates.push((stores.len() * each) as f64 / before.elapsed().as_secs_f64());
            }
            let [created, updated, read, listed] = rates[..] else {
                return Err("four are measured".into());
            };
            Ok(Rates { created, updated, read, listed })
        }
    };
}

measured!(
    of_sqlite,
    SqlitePool,
    "BEGIN IMMEDIATE",
    "SELECT sequence FROM memory_store WHERE id = $1"
);
measured!(
    of_postgres,
    PgPool,
    "BEGIN",
    "SELECT sequence FROM memory_store WHERE id = $1 FOR UPDATE"
);

/// Measures a database that the server has made, and does not have open.
pub(crate) async fn rates(
    place: &Place,
    stores: &[String],
    full: &str,
    at_once: usize,
    each: usize,
) -> Outcome<Rates> {
    let stores = stores.get(..at_once).unwrap_or(stores);
    match place {
        Place::Directory(folder) => {
            let options = SqliteConnectOptions::new()
                .filename(folder.join("mem.sqlite"))
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(Duration::from_secs(60));
            let pool = |connections| SqlitePoolOptions::new().max_connections(connections);
            let writer = pool(1).acquire_timeout(Duration::from_secs(120));
            let writer = writer.connect_with(options.clone()).await?;
            let reader = pool(8).connect_with(options).await?;
            of_sqlite(writer, reader, stores, full, each).await
        }
        Place::Url(url) => {
            let pool = PgPoolOptions::new().max_connections(8);
            let pool = pool.acquire_timeout(Duration::from_secs(120));
            let pool = pool.connect(url.expose_secret()).await?;
            of_postgres(pool.clone(), pool, stores, full, each).await
        }
    }
}
