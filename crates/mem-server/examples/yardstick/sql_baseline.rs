//! What the memory stores API is measured beside: its statements as they are, on a database of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::State;
use axum::routing::any;
use mem_server::storage::{Database, DatabaseAddress, OpenOptions};
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, PgPool, SqlitePool};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::{AT_ONCE, Outcome};

/// As many connections as the server has for reading.
const READERS: u32 = 8;
const STORE_ROW: &str = "SELECT id, epoch, sequence, live_memories FROM memory_store WHERE id = $1";
const ABOVE_AND_BELOW: &str = "SELECT id, path, live, version_id, sequence, content_sha256, content_size, \
    created_at, updated_at FROM memory WHERE store_id = $1 AND path_folded >= $2 AND path_folded <= $2";
const VERSION: &str = "INSERT INTO memory_version (id, store_id, sequence, change, memory_id, operation, path, \
    content_sha256, content_size, created_at, actor_kind, actor_id, actor_name, content) \
    VALUES ($1, $2, $3, $3, $4, 'created', $5, $6, 500, 1, 'user', 'user_1', 'one', $7)";
const MEMORY: &str = "INSERT INTO memory (id, store_id, path, path_folded, live, version_id, sequence, \
    content_sha256, content_size, created_at, updated_at) \
    VALUES ($1, $2, $3, $3, TRUE, $4, $5, $6, 500, 1, 1)";
const CHANGE: &str = "UPDATE memory SET version_id = $1, sequence = $2, content_sha256 = $3, updated_at = 1 \
    WHERE id = $4";
const COUNT: &str =
    "UPDATE memory_store SET sequence = $1, live_memories = live_memories + 1 WHERE id = $2";
const PAGE: &str = "SELECT m.id, m.path, m.content_sha256, m.content_size, m.version_id, m.created_at, \
    m.updated_at FROM memory m JOIN memory_store s ON s.id = m.store_id \
    WHERE m.store_id = $1 AND m.live AND m.path >= $2 ORDER BY m.path LIMIT 101";

/// A database with the server's tables, of its own.
#[derive(Clone)]
pub(crate) enum Raw {
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
    },
    Postgres(PgPool),
}

/// Runs the same over either.
macro_rules! each {
    ($raw:expr, $reading:expr, $pool:ident => $work:expr) => {
        match $raw {
            Raw::Sqlite { writer, readers } => {
                let $pool = if $reading { readers } else { writer };
                $work
            }
            Raw::Postgres($pool) => $work,
        }
    };
}

impl Raw {
    /// Opens a folder or an address; makes the tables as the server does.
    pub(crate) async fn open(place: &str) -> Outcome<Self> {
        let is_url = place.starts_with("postgres");
        let as_served = match is_url {
            true => DatabaseAddress::Url(place.into()),
            false => DatabaseAddress::Directory(Path::new(place).to_owned()),
        };
        let database = Database::open(&as_served, &OpenOptions::default()).await?;
        database.close().await;
        if is_url {
            // As the server has them.
            let pool = PgPoolOptions::new().max_connections(READERS);
            let pool = pool.test_before_acquire(false).connect(place).await?;
            return Ok(Self::Postgres(pool));
        }
        let options = SqliteConnectOptions::new()
            .filename(Path::new(place).join("mem.sqlite"))
            .pragma("journal_mode", "WAL")
            .pragma("synchronous", "FULL");
        // As the server has them: a file does not hang up.
        let pool = |count| {
            let pool = SqlitePoolOptions::new().max_connections(count);
            pool.test_before_acquire(false)
        };
        Ok(Self::Sqlite {
            writer: pool(1).connect_with(options.clone()).await?,
            readers: pool(READERS).connect_with(options).await?,
        })
    }

    async fn run(&self, sql: String) -> Outcome<()> {
        each!(self, false, pool => {
            sqlx::query(AssertSqlSafe(sql)).execute(pool).await?;
        });
        Ok(())
    }

    /// Seconds that so many creations or conditional updates take, each a transaction, on 64 stores.
    pub(crate) async fn write(&self, creates: bool, each: usize) -> Outcome<f64> {
        // Each run is a process of its own.
        let run = std::process::id();
        for writer in 0..AT_ONCE {
            self.run(format!(
                "INSERT INTO memory_store (id, workspace_id, name, epoch, sequence, live_memories, created_at, \
                 updated_at) VALUES ('s{run}-{writer}', 'wrkspc_default', 'n', 'e', 0, 0, 1, 1)"
            ))
            .await?;
        }
        let before = Instant::now();
        let mut all = JoinSet::new();
        for writer in 0..AT_ONCE {
            let raw = self.clone();
            all.spawn(async move {
                let store = format!("s{run}-{writer}");
                for number in 0..each as i64 {
                    raw.transaction(&store, number + 1, creates).await?;
                }
                Outcome::Ok(())
            });
        }
        all.join_all().await.into_iter().collect::<Outcome<()>>()?;
        Ok(before.elapsed().as_secs_f64())
    }

    async fn transaction(&self, store: &str, sequence: i64, creates: bool) -> Outcome<()> {
        let is_new = creates || sequence == 1;
        let memory = format!("m-{store}-{}", if creates { sequence } else { 1 });
        let path = format!("/{memory}.md");
        let (version, sha256) = (format!("v-{store}-{sequence}"), vec![7_u8; 32]);
        let content = "x".repeat(500).into_bytes();
        each!(self, false, pool => {
            let begin = match self {
                Self::Sqlite { .. } => "BEGIN IMMEDIATE",
                Self::Postgres(_) => "BEGIN",
            };
            let lock = match self {
                Self::Sqlite { .. } => STORE_ROW.to_owned(),
                Self::Postgres(_) => format!("{STORE_ROW} FOR UPDATE"),
            };
            let mut within = pool.begin_with(begin).await?;
            sqlx::query(AssertSqlSafe(lock)).bind(store).fetch_all(&mut *within).await?;
            sqlx::query(ABOVE_AND_BELOW).bind(store).bind(&path).fetch_all(&mut *within).await?;
            let insert = sqlx::query(VERSION).bind(&version).bind(store).bind(sequence).bind(&memory);
            insert.bind(&path).bind(&sha256).bind(content).execute(&mut *within).await?;
            match is_new {
                true => {
                    let insert = sqlx::query(MEMORY).bind(&memory).bind(store).bind(&path);
                    let insert = insert.bind(&version).bind(sequence).bind(&sha256);
                    insert.execute(&mut *within).await?;
                }
                false => {
                    let change = sqlx::query(CHANGE).bind(&version).bind(sequence).bind(&sha256);
                    change.bind(&memory).execute(&mut *within).await?;
                }
            }
            sqlx::query(COUNT).bind(sequence).bind(store).execute(&mut *within).await?;
            within.commit().await?;
        });
        Ok(())
    }

    /// Seconds that so many first pages of a store of 10,000 take, read at 64 at once.
    pub(crate) async fn pages(&self, each: usize) -> Outcome<f64> {
        self.write_full("full").await?;
        let before = Instant::now();
        let mut all = JoinSet::new();
        for _ in 0..AT_ONCE {
            let raw = self.clone();
            all.spawn(async move {
                for _ in 0..each {
                    each!(&raw, true, pool => {
                        let rows = sqlx::query(PAGE).bind("full").bind("").fetch_all(pool).await?;
                        if rows.len() != 101 {
                            return Err("not a page".into());
                        }
                    });
                }
                Outcome::Ok(())
            });
        }
        all.join_all().await.into_iter().collect::<Outcome<()>>()?;
        Ok(before.elapsed().as_secs_f64())
    }

    /// A store of 10,000, made once.
    async fn write_full(&self, store: &str) -> Outcome<()> {
        let made = self.run(format!(
            "INSERT INTO memory_store (id, workspace_id, name, epoch, sequence, live_memories, created_at, \
             updated_at) VALUES ('{store}', 'wrkspc_default', 'n', 'e', 10000, 10000, 1, 1)"
        ));
        if made.await.is_err() {
            return Ok(());
        }
        let (blob, hex) = match self {
            Self::Sqlite { .. } => ("zeroblob(32)", "printf('%06d', n)"),
            Self::Postgres(_) => ("decode(repeat('00', 32), 'hex')", "lpad(n::text, 6, '0')"),
        };
        self.run(format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000) \
             INSERT INTO memory (id, store_id, path, path_folded, live, version_id, sequence, content_sha256, \
             content_size, created_at, updated_at) SELECT 'm-{store}-' || n, '{store}', '/f/n' || {hex} || '.md', \
             '/f/n' || {hex} || '.md', TRUE, 'v-{store}-' || n, n, {blob}, 500, 1, 1 FROM numbers"
        ))
        .await?;
        match self {
            Self::Sqlite { .. } => Ok(()),
            // As a running database does by and by. Without it pages are sorted instead of read in order.
            Self::Postgres(_) => self.run("ANALYZE memory, memory_store".to_owned()).await,
        }
    }

    /// Serves one row to whoever asks, until it is killed; the first line says where.
    pub(crate) async fn serve_row(self) -> Outcome<()> {
        self.run("CREATE TABLE IF NOT EXISTS row_of_one (id TEXT PRIMARY KEY, a TEXT)".to_owned())
            .await?;
        let row = "x".repeat(500);
        self.run(format!(
            "INSERT INTO row_of_one VALUES ('1', '{row}') ON CONFLICT DO NOTHING"
        ))
        .await?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("listening on http://{}", listener.local_addr()?);
        let routes = Router::new()
            .fallback(any(row_of_one))
            .with_state(Arc::new(self));
        Ok(axum::serve(listener, routes).await?)
    }
}

async fn row_of_one(State(raw): State<Arc<Raw>>) -> String {
    let sql = "SELECT a FROM row_of_one WHERE id = $1";
    each!(&*raw, true, pool => {
        let row: Result<(String,), _> = sqlx::query_as(sql).bind("1").fetch_one(pool).await;
        row.map(|(text,)| text).unwrap_or_default()
    })
}
