//! Who may open a database, and what they find.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use mem_server::storage::{
    Database, DatabaseAddress, GroupWrite, OpenOptions, Purpose, StorageError,
};
use mem_sync::remote::StateQuery;
use secrecy::ExposeSecret as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;

use super::fixture::{Fixture, body, put, repo, write};

async fn raw(fixture: &Fixture) -> SqliteConnection {
    let file = fixture.folder().join("data/mem.sqlite");
    let options = SqliteConnectOptions::new().filename(file);
    SqliteConnection::connect_with(&options).await.unwrap()
}

/// A statement of somebody beside the server.
async fn run_raw(fixture: &Fixture, sql: String) {
    let sql = sqlx::AssertSqlSafe(sql);
    match &fixture.place {
        DatabaseAddress::Directory(_) => {
            let mut raw = raw(fixture).await;
            sqlx::query(sql).execute(&mut raw).await.unwrap();
            raw.close().await.unwrap();
        }
        DatabaseAddress::Url(url) => {
            let mut raw = PgConnection::connect(url.expose_secret()).await.unwrap();
            sqlx::query(sql).execute(&mut raw).await.unwrap();
        }
    }
}

#[test]
fn files_are_private_and_the_directory_has_one_server() {
    let fixture = Fixture::sqlite();
    let database = fixture.open();
    fixture.runtime.block_on(put(&database, body([("a", "1")])));
    let mode = |path: &str| {
        let path = fixture.folder().join(path);
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode("data"), 0o700);
    for file in ["mem.sqlite", "mem.sqlite-wal", "mem.sqlite-shm", "mem.lock"] {
        assert_eq!(mode(&format!("data/{file}")), 0o600, "{file}");
    }
    assert!(matches!(fixture.try_open(), Err(StorageError::Locked(_))));
    fixture.runtime.block_on(database.close());
    let again = fixture.open();
    let (_, found) = fixture
        .runtime
        .block_on(again.read(&repo(), &StateQuery::default()))
        .unwrap();
    assert_eq!(found.entries.len(), 1);
}

#[test]
fn tokens_are_administered_beside_a_server() {
    let fixture = Fixture::sqlite();
    let _serving = fixture.open();
    let options = OpenOptions {
        purpose: Purpose::Administer,
        ..OpenOptions::default()
    };
    fixture.runtime.block_on(async {
        let beside = Database::open(&fixture.place, &options).await.unwrap();
        assert!(beside.tokens().await.unwrap().is_empty());
        let refused = write(&beside, body([("a", "1")]), None);
        assert!(matches!(refused.await, Err(StorageError::NotServing)));
    });
}

#[test]
fn replicas_that_start_at_once_migrate_once() {
    let Some(fixture) = Fixture::postgres() else {
        return;
    };
    fixture.runtime.block_on(async {
        let mut all = JoinSet::new();
        for _ in 0..6 {
            let place = fixture.place.clone();
            all.spawn(async move { Database::open(&place, &OpenOptions::default()).await });
        }
        for opened in all.join_all().await {
            put(&opened.unwrap(), body([("a", "1")])).await;
        }
    });
}

#[test]
fn a_newer_schema_is_refused() {
    let fixture = Fixture::sqlite();
    fixture.runtime.block_on(fixture.open().close());
    fixture.runtime.block_on(async {
        let mut raw = raw(&fixture).await;
        let sql =
            "INSERT INTO schema_migrations (version, name, applied_at) VALUES (99, 'later', 0)";
        sqlx::query(sql).execute(&mut raw).await.unwrap();
        raw.close().await.unwrap();
    });
    let refused = fixture.try_open();
    assert!(
        matches!(refused, Err(StorageError::Newer { found: 99, .. })),
        "{refused:?}"
    );
}

/// A replica of the version before may start again while others are upgraded.
#[test]
fn a_program_starts_on_a_newer_schema_that_only_adds() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(put(&database, body([("a", "1")])));
        fixture.runtime.block_on(database.close());
        for (oldest, starts) in [(5, true), (99, false)] {
            fixture.runtime.block_on(async {
                for sql in [
                    "DELETE FROM schema_migrations WHERE version = 99",
                    "DELETE FROM schema_compatibility WHERE version = 99",
                    "INSERT INTO schema_migrations (version, name, applied_at) VALUES (99, 'later', 0)",
                ] {
                    run_raw(&fixture, sql.to_owned()).await;
                }
                let note = format!(
                    "INSERT INTO schema_compatibility (version, oldest) VALUES (99, {oldest})"
                );
                run_raw(&fixture, note).await;
            });
            match fixture.try_open() {
                Ok(database) => {
                    assert!(starts);
                    fixture.runtime.block_on(put(&database, body([("a", "2")])));
                    fixture.runtime.block_on(database.close());
                }
                Err(StorageError::Newer { found: 99, .. }) => assert!(!starts),
                Err(error) => panic!("{error:?}"),
            }
        }
    }
}

/// The holder of a lease may die: another goes on when its time is over.
#[test]
fn a_lease_that_ended_is_taken() {
    let fixture = Fixture::sqlite();
    fixture.runtime.block_on(fixture.open().close());
    fixture.runtime.block_on(async {
        let mut raw = raw(&fixture).await;
        let sql = "UPDATE schema_lease SET owner = 'dead', ends_at = 1";
        sqlx::query(sql).execute(&mut raw).await.unwrap();
        let tables =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'schema_%'";
        let tables: Vec<String> = sqlx::query_scalar(tables)
            .fetch_all(&mut raw)
            .await
            .unwrap();
        sqlx::query("PRAGMA foreign_keys = OFF")
            .execute(&mut raw)
            .await
            .unwrap();
        for table in tables {
            let sql = sqlx::AssertSqlSafe(format!("DROP TABLE {table}"));
            sqlx::query(sql).execute(&mut raw).await.unwrap();
        }
        sqlx::query("DELETE FROM schema_migrations")
            .execute(&mut raw)
            .await
            .unwrap();
        raw.close().await.unwrap();
    });
    let database = fixture.open();
    fixture.runtime.block_on(put(&database, body([("a", "1")])));
}

#[test]
fn an_address_is_never_quoted() {
    let fixture = Fixture::sqlite();
    let secret = ["hunter", "2"].concat();
    for address in [
        "postgres://me:SECRET@[::1",
        "mysql://me:SECRET@host/db",
        "postgres://me:SECRET@127.0.0.1:1/db",
    ] {
        let place = DatabaseAddress::Url(address.replace("SECRET", &secret).into());
        let options = OpenOptions {
            acquire_timeout: std::time::Duration::from_millis(300),
            ..OpenOptions::default()
        };
        let error = fixture
            .runtime
            .block_on(Database::open(&place, &options))
            .unwrap_err();
        assert!(
            !format!("{error} {error:?} {place:?}").contains(&secret),
            "{error:?}"
        );
    }
}

/// A client may have seen states that came after the backup: none of them has a name again.
#[test]
fn a_restored_backup_names_no_state_of_before() {
    let fixture = Fixture::sqlite();
    let database = fixture.open();
    let copy = fixture.folder().join("copy");
    let (before, seen) = fixture.runtime.block_on(async {
        put(&database, body([("a", "1")])).await;
        let before = database.state(&repo()).await.unwrap();
        let summary = database.backup(&copy).await.unwrap();
        assert_eq!((summary.stores, summary.memories), (1, 1));
        let again = database.backup(&copy).await;
        assert!(matches!(again, Err(StorageError::Exists(_))));
        let seen = put(&database, body([("a", "2")])).await.0;
        database.close().await;
        (before, seen)
    });
    assert_eq!(
        fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let mut states = vec![before, seen];
    // The same copy twice: the second life is not the first one either.
    for life in 0..2 {
        let data = fixture.folder().join("data");
        fs::remove_dir_all(&data).unwrap();
        fs::create_dir(&data).unwrap();
        fs::copy(&copy, data.join("mem.sqlite")).unwrap();
        let restored = fixture.open();
        fixture.runtime.block_on(async {
            let state = restored.state(&repo()).await.unwrap();
            assert!(!states.contains(&state), "life {life}");
            let old = write(&restored, body([("a", "3")]), states.last());
            assert!(matches!(old.await.unwrap(), GroupWrite::Raced { .. }));
            let text = format!("life {life}");
            states.push(put(&restored, body([("a", text.as_str())])).await.0);
            restored.close().await;
        });
    }
}

#[test]
fn new_epochs_reach_what_is_remembered() {
    for fixture in Fixture::all() {
        let database = fixture.open();
        fixture.runtime.block_on(async {
            put(&database, body([("a", "1")])).await;
            let before = database.state(&repo()).await.unwrap();
            database.begin_new_epoch().await.unwrap();
            assert_ne!(database.state(&repo()).await.unwrap(), before);
        });
    }
}
