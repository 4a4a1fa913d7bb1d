//! The memory store that holds a user's records.
//!
//! It stands in a workspace beside the user's own, for which no token is made: no list, search or
//! version of the memory stores API ever comes near it, whatever it is granted.

use crate::access::Caller;
use crate::app::App;
use crate::http::problem::HttpProblem;
use crate::storage::stores::{AccessScope, StoreRefusal, StoresError};
use crate::storage::{StorageError, records_store, records_workspace};

/// Stores of one name that are looked at: replicas of earlier versions may have made one each.
const STORES_MAX: u32 = 8;

/// A store, and the scope in which it is found.
#[derive(Clone, Debug)]
pub(super) struct Namespace {
    pub(super) scope: AccessScope,
    pub(super) store: String,
}

/// The namespace of whoever asks, made on first use.
pub(super) async fn of(app: &App, caller: &Caller) -> Result<Namespace, HttpProblem> {
    let scope = AccessScope::everything(&workspace(app, caller).await?);
    // Tokens without a name are nobody's but their own.
    let user = records_store(caller.actor.label());
    let store = match oldest(app, &scope, &user).await? {
        Some(store) => store,
        None => {
            let now = (app.now)();
            let made = app.database.store_named_or_new(&scope, &user, now).await;
            made.map_err(failed)?
        }
    };
    Ok(Namespace { scope, store })
}

/// The id of the workspace of records beside the caller's.
async fn workspace(app: &App, caller: &Caller) -> Result<String, HttpProblem> {
    let name = records_workspace(&caller.workspace);
    let find = async || -> Result<Option<String>, StorageError> {
        let all = app.database.workspaces().await?;
        Ok(all
            .into_iter()
            .find(|one| one.name == name)
            .map(|one| one.id))
    };
    if let Some(id) = find().await? {
        return Ok(id);
    }
    if let Some(made) = app.database.create_workspace(&name, (app.now)()).await? {
        return Ok(made.id);
    }
    find().await?.ok_or_else(HttpProblem::internal)
}

/// Of several stores of a name, the one that counts for every replica.
async fn oldest(app: &App, scope: &AccessScope, name: &str) -> Result<Option<String>, HttpProblem> {
    let ids = app.database.stores_named(scope, name, STORES_MAX).await;
    let ids = ids.map_err(failed)?;
    if ids.len() < 2 {
        return Ok(ids.into_iter().next());
    }
    let mut stores = Vec::new();
    for id in ids {
        match app.database.store(scope, &id).await {
            Ok(store) => stores.push((store.created_at, store.id)),
            Err(StoresError::Refused(StoreRefusal::NoStore)) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(stores.into_iter().min().map(|(_, id)| id))
}

fn failed(error: StoresError) -> HttpProblem {
    match error {
        StoresError::Storage(error) => error.into(),
        StoresError::Refused(_) => HttpProblem::internal(),
    }
}
