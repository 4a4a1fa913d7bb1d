//! The wrong key, no key, a lost key; contents that were changed, moved and cut: said apart, nothing overwritten.

use mem_core::Diagnose as _;
use mem_server::storage::stores::{ListedMemory, MemoryQuery, StoresError, VersionQuery};
use mem_server::storage::{DEFAULT_WORKSPACE, Database, OpenOptions, Purpose, StorageError};
use mem_vault::VaultError;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::super::fixture::{Fixture, body, now, put};
use super::super::stores::{all, versions};
use super::{Keys, fill, open, told};

async fn raw(fixture: &Fixture) -> SqliteConnection {
    let file = fixture.folder().join("data/mem.sqlite");
    let options = SqliteConnectOptions::new().filename(file);
    SqliteConnection::connect_with(&options).await.unwrap()
}

fn vault<T: std::fmt::Debug>(outcome: Result<T, StorageError>) -> VaultError {
    match outcome.unwrap_err() {
        StorageError::Vault(error) | StorageError::Content { error, .. } => error,
        other => panic!("{other:?}"),
    }
}

async fn content(database: &Database, id: &str, version: &str) -> Result<String, VaultError> {
    match database.version(&all(), id, version, true).await {
        Ok(found) => Ok(found.content.unwrap()),
        Err(StoresError::Storage(StorageError::Vault(error))) => Err(error),
        Err(StoresError::Storage(StorageError::Content {
            version: of, error, ..
        })) => {
            assert_eq!(of, version, "it is named");
            Err(error)
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn without_a_key_nothing_is_changed_and_with_the_wrong_one_nobody_serves() {
    for fixture in Fixture::all() {
        let (mine, other) = (Keys::one(), Keys::one());
        let none = fixture.open();
        fixture.runtime.block_on(async {
            fill(&none).await;
            assert!(matches!(
                vault(none.encrypt().await),
                VaultError::NoMaster(_)
            ));
            let status = none.encryption().await.unwrap();
            assert!(!status.is_on && status.sealed == 0 && status.stores_with_key == 0);
            none.close().await;
        });
        let database = open(&fixture, &mine).unwrap();
        fixture.runtime.block_on(async {
            database.encrypt().await.unwrap();
            database.close().await;
        });
        let wrong = vault(open(&fixture, &other));
        assert!(matches!(wrong, VaultError::WrongMaster { .. }), "{wrong}");
        assert!(wrong.hint().is_some_and(|hint| hint.contains("bring back")));
        assert!(matches!(
            vault(fixture.try_open()),
            VaultError::NoMaster(Some(_))
        ));
        let beside = super::administer(&fixture, &other);
        fixture.runtime.block_on(async {
            for outcome in [
                beside.encrypt().await,
                beside.rotate().await,
                beside.decrypt().await,
            ] {
                assert!(matches!(vault(outcome), VaultError::WrongMaster { .. }));
            }
            let status = beside.encryption().await.unwrap();
            assert!(status.is_on && status.sealed == 12);
            beside.close().await;
        });
        drop(open(&fixture, &mine).unwrap());
    }
}

#[test]
fn a_new_master_key_takes_over_while_servers_run() {
    for fixture in Fixture::all() {
        let keys = Keys::one();
        let database = open(&fixture, &keys).unwrap();
        let id = fixture.runtime.block_on(async {
            let id = fill(&database).await;
            database.encrypt().await.unwrap();
            let before = told(&database, &id).await;
            keys.renew();
            let rotated = database.rotate().await.unwrap();
            assert_eq!(rotated.rewrapped, 2);
            assert_eq!(database.encryption().await.unwrap().masters.len(), 1);
            assert_eq!(told(&database, &id).await, before);
            database.close().await;
            id
        });
        keys.drop_old();
        let database = open(&fixture, &keys).unwrap();
        let told = fixture.runtime.block_on(told(&database, &id));
        assert!(told.iter().any(|text| text.contains("content 4")));
    }
}

#[test]
fn what_was_changed_moved_or_cut_is_told_apart_and_stays_as_it_is() {
    let fixture = Fixture::sqlite();
    let database = open(&fixture, &Keys::one()).unwrap();
    fixture.runtime.block_on(async {
        let id = fill(&database).await;
        let sound = versions(&database, &id).await;
        database.encrypt().await.unwrap();
        let mut raw = raw(&fixture).await;
        for (number, sql) in [
            // A bit, another version's content, half of it, none of it but the head.
            "UPDATE memory_version SET content = substr(content, 1, 57) || x'00000000' WHERE id = $1",
            "UPDATE memory_version SET content = (SELECT content FROM memory_version WHERE id = $2) WHERE id = $1",
            "UPDATE memory_version SET content = substr(content, 1, 58) WHERE id = $1",
            "UPDATE memory_version SET content = substr(content, 1, 12) WHERE id = $1",
        ]
        .into_iter()
        .enumerate()
        {
            let query = sqlx::query(sql).bind(&sound[number].id);
            let query = match sql.contains("$2") {
                true => query.bind(&sound[9].id),
                false => query,
            };
            query.execute(&mut raw).await.unwrap();
        }
        for (number, version) in sound.iter().enumerate() {
            let found = content(&database, &id, &version.id).await;
            match number {
                0..=2 => assert!(matches!(found, Err(VaultError::Tampered(_))), "{number}: {found:?}"),
                3 => assert!(matches!(found, Err(VaultError::Truncated(_))), "{found:?}"),
                _ => assert_eq!(Some(found.unwrap()), version.content),
            }
        }
        let sql = "SELECT group_concat(hex(content), ' ' ORDER BY sequence) FROM memory_version \
                   WHERE store_id = $1 AND id IN ($2, $3, $4, $5)";
        let damaged = || {
            let ids = sound.iter().take(4).map(|version| &version.id);
            ids.fold(sqlx::query_scalar(sql).bind(&id), sqlx::query::QueryScalar::bind)
        };
        let before: String = damaged().fetch_one(&mut raw).await.unwrap();
        let mut named: Vec<&String> = sound.iter().take(4).map(|version| &version.id).collect();
        named.sort();
        for outcome in [database.rotate().await, database.decrypt().await] {
            let outcome = outcome.unwrap();
            let mut unopened: Vec<&String> = outcome.unopened.iter().map(|one| &one.version).collect();
            unopened.sort();
            assert_eq!(unopened, named, "all of them are named");
            assert!(outcome.versions > 0, "and the others are not left behind");
        }
        let after: String = damaged().fetch_one(&mut raw).await.unwrap();
        assert_eq!(after, before, "what cannot be opened stays");
        let status = database.encryption().await.unwrap();
        assert!(!status.is_on && status.sealed == 4 && status.problem_count() == 4);
        for version in sound.iter().skip(4) {
            let found = content(&database, &id, &version.id).await;
            assert_eq!(found.ok(), version.content);
        }
    });
}

#[test]
fn a_damaged_memory_is_not_told_as_one_to_ask_for_again() {
    let fixture = Fixture::sqlite();
    let database = open(&fixture, &Keys::one()).unwrap();
    fixture.runtime.block_on(async {
        let id = fill(&database).await;
        let memory = versions(&database, &id).await.remove(0).memory_id;
        database.encrypt().await.unwrap();
        let damage = "UPDATE memory_version SET content = substr(content, 1, 57) || x'00000000' \
                      WHERE store_id = $1";
        let mut raw = raw(&fixture).await;
        sqlx::query(damage)
            .bind(&id)
            .execute(&mut raw)
            .await
            .unwrap();
        // Whoever asks at the same time hears the same.
        let (scope, ask) = (all(), |scope| database.memory(scope, &id, &memory, true));
        let (one, other) = tokio::join!(ask(&scope), ask(&scope));
        for found in [one, other] {
            let error = match found.unwrap_err() {
                StoresError::Storage(error) => error,
                other @ StoresError::Refused(_) => panic!("{other:?}"),
            };
            assert!(!error.is_transient(), "{error:?}");
            assert!(matches!(vault::<()>(Err(error)), VaultError::Tampered(_)));
        }
    });
}

#[test]
fn a_lost_data_key_is_said_and_costs_only_its_store() {
    let fixture = Fixture::sqlite();
    let keys = Keys::one();
    let database = open(&fixture, &keys).unwrap();
    fixture.runtime.block_on(async {
        let id = fill(&database).await;
        database.encrypt().await.unwrap();
        database.close().await;
        let mut raw = raw(&fixture).await;
        let sql = "DELETE FROM data_key WHERE store_id = $1";
        sqlx::query(sql).bind(&id).execute(&mut raw).await.unwrap();
        raw.close().await.unwrap();
        let database = Database::open(&fixture.place, &keys.options()).await.unwrap();
        let whole = mem_sync::remote::StateQuery::default();
        let (_, answer) = database.read(&super::repo(), &whole).await.unwrap();
        assert_eq!(answer.entries.len(), 2);
        let query = VersionQuery {
            limit: 1,
            ..VersionQuery::default()
        };
        let version = database.versions(&all(), &id, &query).await.unwrap();
        let lost = content(&database, &id, &version.items[0].id)
            .await
            .unwrap_err();
        assert!(matches!(lost, VaultError::LostKey(_)), "{lost}");
        assert!(lost.to_string().contains("cannot be read any more"));
        let query = MemoryQuery {
            content: true,
            as_far_as_open: true,
            limit: 10,
            ..MemoryQuery::default()
        };
        let page = database.memories(&all(), &id, &query).await.unwrap();
        let is_closed =
            |item: &ListedMemory| matches!(item, ListedMemory::Memory(one) if one.content.is_none());
        assert!(page.items.len() == 5 && page.items.iter().all(is_closed));
        let query = MemoryQuery {
            as_far_as_open: false,
            ..query
        };
        assert!(database.memories(&all(), &id, &query).await.is_err());
    });
}

#[test]
fn a_key_ends_with_the_last_content_that_it_sealed() {
    let fixture = Fixture::sqlite();
    let keys = Keys::one();
    let database = open(&fixture, &keys).unwrap();
    fixture.runtime.block_on(async {
        put(&database, body([("a.md", "alpha"), ("b.md", "beta")])).await;
        database.encrypt().await.unwrap();
        let mut raw = raw(&fixture).await;
        let damage = "UPDATE memory_version SET content = substr(content, 1, 57) || x'00000000' WHERE path = '/a.md'";
        sqlx::query(damage).execute(&mut raw).await.unwrap();
        assert_eq!(database.rotate().await.unwrap().unopened.len(), 1);
        database.close().await;
        let count = async |raw: &mut SqliteConnection| -> i64 {
            let count = sqlx::query_scalar("SELECT count(*) FROM data_key");
            count.fetch_one(raw).await.unwrap()
        };
        assert_eq!(count(&mut raw).await, 2, "the one of before stays for what it sealed");
        let options = OpenOptions {
            purpose: Purpose::Erase,
            ..keys.options()
        };
        let database = Database::open(&fixture.place, &options).await.unwrap();
        let doomed = database.doomed_user(DEFAULT_WORKSPACE, "user_1").await;
        let doomed = doomed.unwrap();
        assert_eq!(doomed.versions, 2);
        database.erase_user(&doomed, now()).await.unwrap();
        assert_eq!(count(&mut raw).await, 1);
    });
}

#[test]
fn options_show_no_key() {
    let keys = Keys::one();
    let shown = format!("{:?}", keys.options());
    assert!(!shown.contains(&keys.0.lock().unwrap()[..16]));
    assert!(shown.contains("MasterSource"), "{shown}");
    drop(OpenOptions::default());
}
