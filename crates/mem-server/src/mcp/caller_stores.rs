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
            [] => Err(ToolError::NoStore(name.to_owned())),
            [id] => {
                let store = self.by_id(scope, id).await?;
                store.ok_or_else(|| ToolError::NoStore(name.to_owned()))
            }
            ids => Err(ToolError::WhichStore(
                ids.iter().map(|id| called(id, name)).collect(),
            )),
        }
    }

    async fn by_id(&self, scope: &AccessScope, id: &str) -> Result<Option<StoreRecord>, ToolError> {
        match self.app.database.store(scope, id).await {
            Ok(store) => Ok(Some(store)),
            Err(StoresError::Refused(StoreRefusal::NoStore)) => Ok(None),
            Err(error) => Err(refused(error)),
        }
    }

    /// The only store that there is; those that are archived count where there is no other.
    async fn only(&self, scope: &AccessScope) -> Result<StoreRecord, ToolError> {
        for include_archived in [false, true] {
            let query = StoreQuery {
                include_archived,
                limit: CHOICE_MAX,
                ..StoreQuery::default()
            };
            let page = self.app.database.stores(scope, &query).await;
            let mut stores = page.map_err(refused)?.items;
            if stores.len() > 1 {
                let names = stores.iter().map(|store| called(&store.id, &store.name));
                return Err(ToolError::WhichStore(names.collect()));
            }
            if let Some(store) = stores.pop() {
                return Ok(store);
            }
        }
        Err(ToolError::NoStores)
    }
}

fn called(id: &str, name: &str) -> StoreName {
    StoreName {
        id: id.to_owned(),
        name: name.to_owned(),
    }
}
