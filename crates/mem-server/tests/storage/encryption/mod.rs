//! Contents that only the server can read: on, off, under new keys, beside readers and writers.

mod files;
mod keys;
mod replicas;

use std::sync::{Arc, Mutex};

use mem_server::storage::stores::MemoryQuery;
use mem_server::storage::{Database, MasterSource, OpenOptions, Purpose, StorageError};
use mem_sync::remote::StateQuery;
use mem_vault::{MasterKey, MasterKeys};

use super::fixture::{Fixture, actor, body, now, put, repo};
use super::stores::{all, create, listed, rename, store, update, versions};

/// A source of keys that a test replaces while everything runs.
#[derive(Clone, Default)]
struct Keys(Arc<Mutex<String>>);

impl Keys {
    fn one() -> Self {
        let keys = Self::default();
        keys.renew();
        keys
    }

    /// A new key before the others.
    fn renew(&self) {
        let mut text = self.0.lock().unwrap();
        let line = MasterKey::generate().unwrap().to_line();
        *text = format!("{}{text}", *line);
    }

    /// Only the newest key is left.
    fn drop_old(&self) {
        let mut text = self.0.lock().unwrap();
        text.truncate(65);
    }

    fn source(&self) -> MasterSource {
        let keys = self.clone();
        MasterSource::new(move || MasterKeys::parse_keys(&keys.0.lock().unwrap()))
    }

    fn options(&self) -> OpenOptions {
        OpenOptions {
            master: self.source(),
            ..OpenOptions::default()
        }
    }
}

fn open(fixture: &Fixture, keys: &Keys) -> Result<Database, StorageError> {
    fixture
        .runtime
        .block_on(Database::open(&fixture.place, &keys.options()))
}

/// As a command does, beside a server.
fn administer(fixture: &Fixture, keys: &Keys) -> Database {
    let options = OpenOptions {
        purpose: Purpose::Administer,
        ..keys.options()
    };
    fixture
        .runtime
        .block_on(Database::open(&fixture.place, &options))
        .unwrap()
}

/// Everything that a database says of its contents, by every road.
async fn told(database: &Database, id: &str) -> Vec<String> {
    let mut told = Vec::new();
    let (_, answer) = database
        .read(&repo(), &StateQuery::default())
        .await
        .unwrap();
    told.extend(
        answer
            .entries
            .into_values()
            .filter_map(|entry| entry.content),
    );
    let query = MemoryQuery {
        content: true,
        limit: 3,
        ..MemoryQuery::default()
    };
    for roll_up in [false, true] {
        let query = MemoryQuery {
            roll_up,
            ..query.clone()
        };
        let found = listed(database, id, &query).await;
        told.extend(found.iter().map(|one| format!("{one:?}")));
    }
    for version in versions(database, id).await {
        let found = database.version(&all(), id, &version.id, true).await;
        assert_eq!(found.unwrap().content, version.content);
        told.push(format!("{version:?}"));
    }
    let ids: Vec<String> = versions(database, id)
        .await
        .into_iter()
        .map(|one| one.memory_id)
        .collect();
    let found = database
        .memories_by_id(&all(), id, &ids, None)
        .await
        .unwrap();
    told.extend(found.into_iter().filter_map(|memory| memory.content));
    told
}

async fn fill(database: &Database) -> String {
    put(database, body([("a.md", "alpha"), ("b.md", "")])).await;
    let id = store(database, "notes").await.id;
    for number in 0..5 {
        let path = format!("/folder{}/note{number}", number % 2);
        let text = format!("content {number}");
        let made = create(database, &id, &path, &text).await.unwrap();
        // The content stays: it is read, and written again.
        let path = format!("/moved/note{number}");
        update(database, &id, &made.id, rename(&path))
            .await
            .unwrap();
    }
    id
}

#[test]
fn whoever_asks_notices_nothing() {
    for fixture in Fixture::all() {
        let keys = Keys::one();
        let database = open(&fixture, &keys).unwrap();
        fixture.runtime.block_on(async {
            let id = fill(&database).await;
            let plain = told(&database, &id).await;
            let on = database.encrypt().await.unwrap();
            assert_eq!((on.stores, on.versions), (2, 12));
            assert_eq!(told(&database, &id).await, plain);
            let again = database.encrypt().await.unwrap();
            assert_eq!(again.versions, 0, "there is nothing left to do");
            let status = database.encryption().await.unwrap();
            assert!(status.is_on);
            assert_eq!((status.versions, status.sealed), (12, 12));
            assert_eq!((status.stores_with_key, status.masters.len()), (2, 1));
            let rotated = database.rotate().await.unwrap();
            assert_eq!((rotated.versions, rotated.ended), (12, 2));
            assert_eq!(told(&database, &id).await, plain);
            let off = database.decrypt().await.unwrap();
            assert_eq!((off.versions, off.ended), (12, 2));
            assert_eq!(told(&database, &id).await, plain);
            let status = database.encryption().await.unwrap();
            assert!(!status.is_on && status.sealed == 0 && status.masters.is_empty());
        });
    }
}

#[test]
fn what_comes_later_is_sealed_from_the_start() {
    for fixture in Fixture::all() {
        let database = open(&fixture, &Keys::one()).unwrap();
        fixture.runtime.block_on(async {
            database.encrypt().await.unwrap();
            let id = fill(&database).await;
            let status = database.encryption().await.unwrap();
            assert_eq!((status.sealed, status.versions), (12, 12));
            assert_eq!(status.stores_with_key, 2);
            // A store takes its key along.
            database
                .delete_store(&all(), &id, &actor(), now())
                .await
                .unwrap();
            let ended = database.rotate().await.unwrap().ended;
            assert_eq!(ended, 1, "the other store's");
        });
    }
}
