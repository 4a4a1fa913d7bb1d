//! From what a person calls a store or a memory to what the server calls it.

use anyhow::Result;
use mem_stores::StorePath;
use mem_stores::client::{ClientError, MemoriesQuery, StoresClient};
use mem_stores::wire::{ContentView, MemoryItem, MemoryStore, StoreMemory};

use super::error::StoreCommandError;

/// How ids of stores begin.
const STORE_ID: &str = "memstore_";
/// How ids of memories begin.
const MEMORY_ID: &str = "mem_";
/// Stores that are looked through for a name.
const STORES_MAX: usize = 10_000;

/// The store of an id, or of a name that only one has.
///
/// # Errors
/// There is none, or there are several; what the server says.
pub(crate) async fn find_store(client: &StoresClient, named: &str) -> Result<MemoryStore> {
    if named.starts_with(STORE_ID) {
        match client.store(named).await {
            Err(error) if error.is_not_found() => {
                return Err(StoreCommandError::NoStore(named.to_owned()).into());
            }
            found => return Ok(found?),
        }
    }
    let all = client.stores(true, STORES_MAX).await?;
    let mut found: Vec<MemoryStore> = all.into_iter().filter(|one| one.name == named).collect();
    // One that is in use goes before those that were put away.
    if found.iter().filter(|one| one.archived_at.is_none()).count() == 1 {
        found.retain(|one| one.archived_at.is_none());
    }
    match found.len() {
        0 => Err(StoreCommandError::NoStore(named.to_owned()).into()),
        1 => Ok(found.remove(0)),
        _ => {
            let ids = found.into_iter().map(|one| one.id).collect();
            Err(StoreCommandError::ManyStores(named.to_owned(), ids).into())
        }
    }
}

/// The memory of an id, or at a path, with its content if wanted.
///
/// # Errors
/// There is none; what the server says.
pub(crate) async fn find_memory(
    client: &StoresClient,
    store: &str,
    named: &str,
    view: ContentView,
) -> Result<StoreMemory> {
    let id = match named.starts_with(MEMORY_ID) {
        true => named.to_owned(),
        false => {
            let path = StorePath::parse(&path_of(named))?;
            let found = memory_at(client, store, &path).await?;
            let found = found.ok_or_else(|| StoreCommandError::NoMemory(named.to_owned()))?;
            match view {
                ContentView::Basic => return Ok(found),
                ContentView::Full => found.id,
            }
        }
    };
    match client.memory(store, &id, view).await {
        Err(error) if error.is_not_found() => {
            Err(StoreCommandError::NoMemory(named.to_owned()).into())
        }
        found => Ok(found?),
    }
}

/// The memory at a path, without its content.
///
/// # Errors
/// What the server says.
pub(crate) async fn memory_at(
    client: &StoresClient,
    store: &str,
    path: &StorePath,
) -> Result<Option<StoreMemory>, ClientError> {
    let folder = path
        .as_str()
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let query = MemoriesQuery {
        path_prefix: Some(format!("{folder}/")),
        is_flat: true,
        is_full: false,
    };
    let mut pages = client.memories_stepwise(store, &query)?;
    while let Some(page) = pages.next(client).await? {
        let memories = page.into_iter().filter_map(|item| match item {
            MemoryItem::Memory(memory) => Some(*memory),
            MemoryItem::Prefix(_) => None,
        });
        for memory in memories {
            if memory.path == path.as_str() {
                return Ok(Some(memory));
            }
        }
    }
    Ok(None)
}

/// A path with its first slash, which may be left out.
pub(crate) fn path_of(text: &str) -> String {
    match text.starts_with('/') {
        true => text.to_owned(),
        false => format!("/{text}"),
    }
}
