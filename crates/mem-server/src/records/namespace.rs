//! The memory store that holds a user's records.
//!
//! It stands in a workspace beside the user's own, for which no token is made: no list, search or
//! version of the memory stores API ever comes near it, whatever it is granted.

use crate::access::Caller;
use crate::app::App;
use crate::http::problem::HttpProblem;
use crate::storage::stores::{AccessScope, StoresError};
use crate::storage::{StorageError, records_store, records_workspace};

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
    // Replicas of earlier versions may have made one each: the oldest counts for every replica.
    let oldest = app.database.stores_named(&scope, &user, 1).await;
    let store = match oldest.map_err(failed)?.pop() {
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
        let mut all = app.database.workspaces().await?.into_iter();
        Ok(all.find(|one| one.name == name).map(|one| one.id))
    };
    if let Some(id) = find().await? {
        return Ok(id);
    }
    if let Some(made) = app.database.create_workspace(&name, (app.now)()).await? {
        return Ok(made.id);
    }
    find().await?.ok_or_else(HttpProblem::internal)
}

fn failed(error: StoresError) -> HttpProblem {
    match error {
        StoresError::Storage(error) => error.into(),
        StoresError::Refused(_) => HttpProblem::internal(),
    }
}
