//! Memory stores, over both databases.

mod catalogue;
mod limits;
mod lists;
mod model;
mod plans;
mod races;
mod redaction;
mod reference_model;
mod retention;
mod scopes;
mod team;

use mem_server::storage::stores::{
    AccessScope, CreateStore, ListedMemory, MemoryChange, MemoryQuery, MemoryRecord, StoreRecord,
    StoreRefusal, StoresError, VersionOperation, VersionQuery, VersionRecord, Writing,
};
use mem_server::storage::{DEFAULT_WORKSPACE, Database};

use super::fixture::{actor, now};

pub(super) type Outcome<T> = Result<T, StoresError>;

pub(super) fn all() -> AccessScope {
    AccessScope::everything(DEFAULT_WORKSPACE)
}

pub(super) async fn store(database: &Database, name: &str) -> StoreRecord {
    let new = CreateStore {
        name: name.to_owned(),
        ..CreateStore::default()
    };
    database
        .create_store(&all(), &new, &actor(), now())
        .await
        .unwrap()
}

pub(super) async fn create(
    database: &Database,
    store: &str,
    path: &str,
    content: &str,
) -> Outcome<MemoryRecord> {
    let (path, content) = (path.to_owned(), content.to_owned());
    database
        .create_memory(Writing::new(&all(), store, &actor(), now()), path, content)
        .await
}

pub(super) async fn update(
    database: &Database,
    store: &str,
    id: &str,
    change: MemoryChange,
) -> Outcome<MemoryRecord> {
    database
        .update_memory(Writing::new(&all(), store, &actor(), now()), id, change)
        .await
}

pub(super) fn content(text: &str) -> MemoryChange {
    MemoryChange {
        content: Some(text.to_owned()),
        ..MemoryChange::default()
    }
}

pub(super) fn rename(path: &str) -> MemoryChange {
    MemoryChange {
        path: Some(path.to_owned()),
        ..MemoryChange::default()
    }
}

/// Every item of a list, in pages of some size.
pub(super) async fn listed(
    database: &Database,
    store: &str,
    query: &MemoryQuery,
) -> Vec<ListedMemory> {
    let mut query = query.clone();
    let mut items = Vec::new();
    loop {
        let page = database.memories(&all(), store, &query).await.unwrap();
        assert!(page.items.len() <= query.limit as usize);
        items.extend(page.items);
        let Some(next) = page.next else { return items };
        query.after = Some(next);
    }
}

/// Every version, the newest first.
pub(super) async fn versions(database: &Database, store: &str) -> Vec<VersionRecord> {
    let mut query = VersionQuery {
        content: true,
        limit: 7,
        ..VersionQuery::default()
    };
    let mut items = Vec::new();
    loop {
        let page = database.versions(&all(), store, &query).await.unwrap();
        items.extend(page.items);
        let Some(next) = page.next else { return items };
        query.after = Some(next);
    }
}

pub(super) fn operations(versions: &[VersionRecord]) -> Vec<VersionOperation> {
    versions.iter().map(|one| one.operation).collect()
}

pub(super) fn refusal<T: std::fmt::Debug>(outcome: Outcome<T>) -> StoreRefusal {
    match outcome.unwrap_err() {
        StoresError::Refused(refusal) => refusal,
        StoresError::Storage(error) => panic!("{error}"),
    }
}
