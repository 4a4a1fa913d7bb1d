//! Stores: make, read, change, list, archive, delete.

use axum::body::Body;
use mem_stores::wire::{ApiPage, ContentView, CreateStore, DeletedStore, UpdateStore};
use serde_json::json;

use super::call::ApiCall;
use super::{request_parameters, response_objects};
use crate::http::HttpAnswer;
use crate::http::json_answer;
use crate::http::problem::HttpProblem;
use crate::storage::stores::{StorePosition, StoreQuery};

/// What a list of stores is asked with.
const LIST: [&str; 7] = [
    "created_at[gte]",
    "created_at[lte]",
    "created_at_gte",
    "created_at_lte",
    "include_archived",
    "limit",
    "page",
];

/// `POST /v1/memory_stores`.
pub(super) async fn create(call: ApiCall, body: Body) -> HttpAnswer {
    let new = call.read(body, CreateStore::read).await?;
    let (writes, now) = (call.asking.writes(), call.now());
    let actor = &call.asking.caller.actor;
    let made = call.database().create_store(&writes, &new, actor, now);
    json_answer(&response_objects::store(made.await?))
}

/// `GET /v1/memory_stores/{store}`.
pub(super) async fn retrieve(call: ApiCall) -> HttpAnswer {
    let reads = call.asking.reads();
    let found = call.app.database.store(&reads, &call.ids.store).await?;
    json_answer(&response_objects::store(found))
}

/// `POST /v1/memory_stores/{store}`.
pub(super) async fn update(call: ApiCall, body: Body) -> HttpAnswer {
    let change = call.read(body, UpdateStore::read).await?;
    let (writes, now, store) = (call.asking.writes(), call.now(), &call.ids.store);
    let changed = call.app.database.update_store(&writes, store, &change, now);
    json_answer(&response_objects::store(call.written(changed.await).await?))
}

/// `GET /v1/memory_stores`.
pub(super) async fn list(call: ApiCall) -> HttpAnswer {
    let parameters = call.parameters(&LIST)?;
    let (created_from, created_to) = request_parameters::times(&parameters)?;
    let mut query = StoreQuery {
        created_from,
        created_to,
        include_archived: request_parameters::flag(&parameters, "include_archived")?,
        limit: request_parameters::limit(&parameters, ContentView::Basic)?,
        after: None,
    };
    let parts = format!("{created_from:?} {created_to:?} {}", query.include_archived);
    let workspace = call.asking.caller.workspace.clone();
    let list = vec!["stores".to_owned(), workspace, parts];
    let (pages, after) = call.pages(list, &parameters).await?;
    query.after = after.as_deref().map(position).transpose()?;
    let reads = call.asking.reads();
    let found = call.app.database.stores(&reads, &query).await?;
    let next = found.next.as_ref();
    json_answer(&ApiPage {
        next_page: next.map(|at| pages.name(&format!("{}:{}", at.created_us, at.id))),
        data: found
            .items
            .into_iter()
            .map(response_objects::store)
            .collect(),
    })
}

/// A place in the list of stores. Only what was signed comes here.
fn position(text: &str) -> Result<StorePosition, HttpProblem> {
    let (created_us, id) = text.split_once(':').ok_or_else(HttpProblem::internal)?;
    Ok(StorePosition {
        created_us: created_us.parse().map_err(|_| HttpProblem::internal())?,
        id: id.to_owned(),
    })
}

/// `POST /v1/memory_stores/{store}/archive`.
pub(super) async fn archive(call: ApiCall, body: Body) -> HttpAnswer {
    call.read_nothing(body).await?;
    let (removes, now, store) = (call.asking.removes(), call.now(), &call.ids.store);
    let (database, actor) = (call.database(), &call.asking.caller.actor);
    let archived = database.archive_store(&removes, store, actor, now).await;
    json_answer(&response_objects::store(call.removed(archived).await?))
}

/// `DELETE /v1/memory_stores/{store}`.
pub(super) async fn delete(call: ApiCall) -> HttpAnswer {
    let (removes, now, store) = (call.asking.removes(), call.now(), &call.ids.store);
    let (database, actor) = (call.database(), &call.asking.caller.actor);
    let gone = database.delete_store(&removes, store, actor, now).await;
    call.removed(gone).await?;
    json_answer(&DeletedStore { id: call.ids.store })
}

/// `GET /api/memory_stores/{store}/usage`: no part of the memory stores API, asked for as it is.
pub(super) async fn usage(call: ApiCall) -> HttpAnswer {
    call.parameters(&[])?;
    let (reads, store) = (call.asking.reads(), &call.ids.store);
    let usage = call.database().store_usage(&reads, store).await?;
    json_answer(&json!({
        "memory_store_id": store,
        "memories": usage.memories,
        "memory_bytes": usage.memory_bytes,
        "versions": usage.versions,
        "version_bytes": usage.version_bytes,
    }))
}
