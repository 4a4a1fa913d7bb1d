//! The memory store that holds a user's records.
//!
//! It stands in a workspace beside the user's own, for which no token is made: no list, search or
//! version of the memory stores API ever comes near it, whatever it is granted.

use crate::access::Caller;
use crate::app::App;
use crate::http::problem::HttpProblem;
use crate::storage::stores::AccessScope;
use crate::storage::{records_store, records_workspace};

/// A store, and the scope in which it is found.
#[derive(Clone, Debug)]
pub(super) struct Namespace {
    pub(super) scope: AccessScope,
    pub(super) store: String,
}

/// The namespace of whoever asks, made on first use.
pub(super) async fn of(app: &App, caller: &Caller) -> Result<Namespace, HttpProblem> {
    let (database, now) = (&app.database, (app.now)());
    let workspace = records_workspace(&caller.workspace);
    let workspace = database.workspace_named_or_new(&workspace, now).await?;
    let scope = AccessScope::everything(&workspace);
    // Tokens without a name are nobody's but their own.
    let user = records_store(caller.actor.label());
    // Replicas of earlier versions may have made one each: the oldest counts for every replica.
    let store = match database.stores_named(&scope, &user, 1).await?.pop() {
        Some(store) => store,
        None => database.store_named_or_new(&scope, &user, now).await?,
    };
    Ok(Namespace { scope, store })
}
