//! [`CallerStores`]: the stores that somebody has.

use mem_stores::tools::error::StoreName;
use mem_stores::tools::{ToolAccess, ToolError, ToolStores};

use super::caller_store::{CallerStore, refused};
use crate::access::Caller;
use crate::app::Shared;
use crate::storage::Verb;
use crate::storage::stores::{AccessScope, StoreQuery, StoreRecord, StoreRefusal, StoresError};

/// How the id of a store begins.
const STORE_ID: &str = "memstore_";
/// So many stores are named to somebody who has to choose.
const CHOICE_MAX: u32 = 25;

/// Somebody, and what they have here.
pub(super) struct CallerStores {
    pub(super) app: Shared,
    pub(super) caller: Caller,
}

impl ToolStores for CallerStores {
    type Store = CallerStore;

    async fn open(
        &self,
        named: Option<&str>,
        access: ToolAccess,
    ) -> Result<CallerStore, ToolError> {
        let scope = self.caller.scope(Verb::Read);
        let store = match named {
            Some(name) => self.find_by_name(&scope, name).await?,
            None => self.only(&scope).await?,
        };
        let store = CallerStore::new(self, scope, store);
        if access == ToolAccess::Write {
            store.require_writing().await?;
        }
        Ok(store)
    }
}

impl CallerStores {
    /// The store of this id or name.
    async fn find_by_name(
        &self,
        scope: &AccessScope,
        name: &str,
    ) -> Result<StoreRecord, ToolError> {
        if name.starts_with(STORE_ID)
            && let Some(store) = self.by_id(scope, name).await?
        {
            return Ok(store);
        }
        let ids = self.app.database.stores_named(scope, name, CHOICE_MAX);
        let ids = ids.await.map_err(refused)?;
        match ids.as_slice() {
            [] => Err(self.no_store(scope, name).await),
            [id] => match self.by_id(scope, id).await? {
                Some(store) => Ok(store),
                None => Err(self.no_store(scope, name).await),
            },
            ids => Err(ToolError::WhichStore(
                ids.iter().map(|id| called(id, name)).collect(),
            )),
        }
    }

    /// The error about a name that no store has: it names those that there are.
    async fn no_store(&self, scope: &AccessScope, name: &str) -> ToolError {
        match self.listed(scope).await {
            Ok(stores) if stores.is_empty() => ToolError::NoStores,
            Ok(stores) => ToolError::NoStore {
                name: name.to_owned(),
                stores: named(&stores),
            },
            Err(error) => error,
        }
    }

    async fn by_id(&self, scope: &AccessScope, id: &str) -> Result<Option<StoreRecord>, ToolError> {
        match self.app.database.store(scope, id).await {
            Ok(store) => Ok(Some(store)),
            Err(StoresError::Refused(StoreRefusal::NoStore)) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }

    /// The only store that there is.
    async fn only(&self, scope: &AccessScope) -> Result<StoreRecord, ToolError> {
        let mut stores = self.listed(scope).await?;
        if stores.len() > 1 {
            return Err(ToolError::WhichStore(named(&stores)));
        }
        stores.pop().ok_or(ToolError::NoStores)
    }

    /// The stores that a caller may choose from; those that are archived count where there is no other.
    async fn listed(&self, scope: &AccessScope) -> Result<Vec<StoreRecord>, ToolError> {
        let mut stores = Vec::new();
        for include_archived in [false, true] {
            let query = StoreQuery {
                include_archived,
                limit: CHOICE_MAX,
                ..StoreQuery::default()
            };
            if stores.is_empty() {
                let page = self.app.database.stores(scope, &query).await;
                stores = page.map_err(refused)?.items;
            }
        }
        Ok(stores)
    }
}

fn named(stores: &[StoreRecord]) -> Vec<StoreName> {
    let stores = stores.iter();
    stores.map(|store| called(&store.id, &store.name)).collect()
}

fn called(id: &str, name: &str) -> StoreName {
    StoreName {
        id: id.to_owned(),
        name: name.to_owned(),
    }
}
