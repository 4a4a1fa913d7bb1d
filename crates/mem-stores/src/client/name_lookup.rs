//! From what a person calls a store or a memory to what the server calls it.

use mem_core::Diagnose;
use mem_core::memory_path::{escaped, printable};

use super::{ClientError, MemoriesQuery, StoresClient};
use crate::StorePath;
use crate::path::{InvalidStorePath, with_first_slash};
use crate::wire::{ContentView, MemoryItem, MemoryStore, StoreMemory};

/// How ids of stores begin.
const STORE_ID: &str = "memstore_";
/// How ids of memories begin.
const MEMORY_ID: &str = "mem_";
/// Stores that are looked through for a name.
const STORES_MAX: usize = 10_000;

/// Nothing is called so, or it cannot be found out.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum NamedError {
    /// No store of that name.
    #[error("there is no store `{}`", printable(.0))]
    #[diagnose(NotFound, hint = "`mem store list --archived` lists all of them")]
    NoStore(String),
    /// Several stores of that name.
    #[error("{} stores are called `{}`", .1.len(), printable(.0))]
    #[diagnose(Invalid, hint = format!("give the id: {}", _1.join(", ")))]
    ManyStores(String, Vec<String>),
    /// Nothing at a path.
    #[error("there is no memory at `{}`", escaped(.0))]
    #[diagnose(NotFound, hint = "`mem store memories STORE` lists them")]
    NoMemory(String),
    /// No path of a memory.
    #[error(transparent)]
    Path(#[from] InvalidStorePath),
    /// What the server says.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// The store of an id, or of a name that only one has.
///
/// # Errors
/// There is none, or there are several; what the server says.
pub async fn find_store(client: &StoresClient, named: &str) -> Result<MemoryStore, NamedError> {
    if named.starts_with(STORE_ID) {
        match client.store(named).await {
            Err(error) if error.is_not_found() => {
                return Err(NamedError::NoStore(named.to_owned()));
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
        0 => Err(NamedError::NoStore(named.to_owned())),
        1 => Ok(found.remove(0)),
        _ => {
            let ids = found.into_iter().map(|one| one.id).collect();
            Err(NamedError::ManyStores(named.to_owned(), ids))
        }
    }
}

/// The memory of an id, or at a path, with its content if wanted.
///
/// # Errors
/// There is none; what the server says.
pub async fn find_memory(
    client: &StoresClient,
    store: &str,
    named: &str,
    view: ContentView,
) -> Result<StoreMemory, NamedError> {
    let id = match named.starts_with(MEMORY_ID) {
        true => named.to_owned(),
        false => {
            let path = StorePath::parse(&with_first_slash(named))?;
            let found = memory_at(client, store, &path).await?;
            let found = found.ok_or_else(|| NamedError::NoMemory(named.to_owned()))?;
            match view {
                ContentView::Basic => return Ok(found),
                ContentView::Full => found.id,
            }
        }
    };
    match client.memory(store, &id, view).await {
        Err(error) if error.is_not_found() => Err(NamedError::NoMemory(named.to_owned())),
        found => Ok(found?),
    }
}

/// The memory at a path, without its content.
///
/// # Errors
/// What the server says.
pub async fn memory_at(
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
