//! Brings the schema up to what this program knows.
//!
//! Replicas that start at once migrate once: the one that holds the lease, a row with an owner and an
//! end by the database's own clock. Any database has rows; not every one has advisory locks.
//!
//! **Expand, then contract:** during a rolling upgrade replicas of the version before work on the new schema. So a
//! migration only adds: tables, indexes, columns that may be empty or have a default. What nothing reads any more is
//! removed by a migration of a later version, which says so (`Migration::oldest`): until then a program of the version
//! before may start on the newer schema, too.
//! Tests: `storage::open::a_program_starts_on_a_newer_schema_that_only_adds`, `http::upgrade`.

use std::time::Duration;

use super::queue::patiently;
use super::sql::{Engine, Transaction, sql};
use super::{StorageError, id};

/// A step of the schema.
struct Migration {
    name: &'static str,
    sql: &'static str,
    /// The oldest schema whose programs work with this one. 0: only those that know it.
    oldest: i64,
}

macro_rules! migration {
    ($number:literal, $name:literal, $oldest:literal) => {
        Migration {
            name: $name,
            sql: include_str!(concat!("../../migrations/", $number, "_", $name, ".sql")),
            oldest: $oldest,
        }
    };
}

/// Every migration there is; its place is its number, from 1. What was released is never changed.
const MIGRATIONS: [Migration; 9] = [
    migration!("0001", "memory_stores", 0),
    migration!("0002", "many_stores", 0),
    migration!("0003", "reason", 0),
    migration!("0004", "encryption", 0),
    migration!("0005", "timeline", 4),
    migration!("0006", "use_counts", 4),
    migration!("0007", "events", 4),
    migration!("0008", "identity", 4),
    migration!("0009", "objects", 4),
];

/// How long a lease lasts that is not renewed; each migration renews it.
const LEASE_US: i64 = 60_000_000;
/// How often another's lease is looked at, and how many times.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 1200;

/// The number of the newest schema.
pub(super) fn known() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Migrates, or waits until another replica has.
pub(super) async fn migrate(engine: &Engine) -> Result<(), StorageError> {
    if version(engine).await? == known() {
        return Ok(());
    }
    prepare(engine).await?;
    let owner = id::replica()?;
    for look in 0..LOOKS {
        if version(engine).await? == known() {
            return Ok(());
        }
        if take_lease(engine, &owner).await? {
            return apply(engine, &owner).await;
        }
        if look == 0 {
            // An operator who sees nothing listen has to know why.
            let most_seconds = LEASE_US / 1_000_000;
            tracing::warn!(
                most_seconds,
                "waiting: another replica migrates the database, or was ended while it did"
            );
        }
        tokio::time::sleep(LOOK).await;
    }
    Err(StorageError::Migrating)
}

/// The schema that the database has, 0 where it has none.
async fn version(engine: &Engine) -> Result<i64, StorageError> {
    let query = engine.dialect().has_table("schema_migrations");
    let tables: Option<i64> = engine.read_one(query).await?;
    if tables.unwrap_or(0) == 0 {
        return Ok(0);
    }
    let newest = sql!("SELECT coalesce(max(version), 0) FROM schema_migrations");
    let found = engine.read_one(newest).await?.unwrap_or(0);
    let known = known();
    if found <= known {
        return Ok(found);
    }
    let oldest = sql!("SELECT oldest FROM schema_compatibility WHERE version = $1"; found);
    let oldest: Option<i64> = engine.read_one(oldest).await?;
    match oldest {
        // It only has more than this program asks for.
        Some(oldest) if oldest <= known => Ok(known),
        _ => Err(StorageError::Newer { found, known }),
    }
}

/// The tables that migrating itself needs. Replicas that make them at once get in each other's way, which
/// some databases call an error: then another has made them.
async fn prepare(engine: &Engine) -> Result<(), StorageError> {
    let script = "
        CREATE TABLE IF NOT EXISTS schema_migrations (
            version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
        CREATE TABLE IF NOT EXISTS schema_compatibility (
            version BIGINT NOT NULL PRIMARY KEY, oldest BIGINT NOT NULL);
        CREATE TABLE IF NOT EXISTS schema_lease (
            id BIGINT NOT NULL PRIMARY KEY, owner TEXT NOT NULL, ends_at BIGINT NOT NULL);
        INSERT INTO schema_lease (id, owner, ends_at) VALUES (1, '', 0) ON CONFLICT (id) DO NOTHING;";
    let may_help = |error: &StorageError| !matches!(error, StorageError::Unavailable(_));
    let prepare = || engine.transact(async |within| within.script(script.to_owned()).await);
    patiently(may_help, prepare).await
}

/// Takes the lease, which nobody else holds.
async fn take_lease(engine: &Engine, owner: &str) -> Result<bool, StorageError> {
    let now = engine.dialect().now_us();
    let take = format!(
        "UPDATE schema_lease SET owner = $1, ends_at = {now} + {LEASE_US} WHERE id = 1 AND ends_at < {now}"
    );
    Ok(engine.run(sql!(take; owner).prepared(false)).await? == 1)
}

async fn apply(engine: &Engine, owner: &str) -> Result<(), StorageError> {
    let from = version(engine).await?;
    let now = engine.dialect().now_us();
    for (number, migration) in (1_i64..).zip(MIGRATIONS) {
        if number <= from {
            continue;
        }
        let mut within = engine.begin().await?;
        hold_lease(&mut within, owner).await?;
        let Migration { name, sql, oldest } = migration;
        within.script(engine.dialect().fill(sql)).await?;
        let done = format!(
            "INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, {now})"
        );
        within.run(sql!(done; number, name).prepared(false)).await?;
        let note = "INSERT INTO schema_compatibility (version, oldest) VALUES ($1, $2) \
                    ON CONFLICT (version) DO UPDATE SET oldest = excluded.oldest";
        // 0 would let every program in.
        let oldest = if oldest == 0 { number } else { oldest };
        within
            .run(sql!(note; number, oldest).prepared(false))
            .await?;
        within.commit().await?;
        tracing::info!(number, name, "migrated the database");
    }
    let free = sql!("UPDATE schema_lease SET ends_at = 0 WHERE id = 1 AND owner = $1"; owner);
    engine.run(free).await?;
    Ok(())
}

/// Fails where the lease ended and another has it: within the transaction, so that it cannot end between.
async fn hold_lease(within: &mut Transaction, owner: &str) -> Result<(), StorageError> {
    let now = within.dialect().now_us();
    let hold =
        format!("UPDATE schema_lease SET ends_at = {now} + {LEASE_US} WHERE id = 1 AND owner = $1");
    match within.run(sql!(hold; owner).prepared(false)).await? {
        1 => Ok(()),
        _ => Err(StorageError::Migrating),
    }
}
