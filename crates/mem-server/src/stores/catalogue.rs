//! Stores: make, read, change, list, archive, delete.

use axum::body::Body;
use axum::response::Response;
use mem_stores::wire::{CreateStore, DeletedStore, Page, UpdateStore, View};

use super::call::Call;
use super::cursor::List;
use super::{asked, shape, told};
use crate::http::problem::Problem;
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
pub(super) async fn create(call: Call, body: Body) -> Result<Response, Problem> {
    let new = call.read(body, CreateStore::read).await?;
    let (writes, now) = (call.asking.writes(), call.now());
    let made = call.app.database.create_store(&writes, &new, now).await?;
    told(&shape::store(made))
}

/// `GET /v1/memory_stores/{store}`.
pub(super) async fn retrieve(call: Call) -> Result<Response, Problem> {
    let reads = call.asking.reads();
    let found = call.app.database.store(&reads, &call.ids.store).await?;
    told(&shape::store(found))
}

/// `POST /v1/memory_stores/{store}`.
pub(super) async fn update(call: Call, body: Body) -> Result<Response, Problem> {
    let change = call.read(body, UpdateStore::read).await?;
    let (writes, now, store) = (call.asking.writes(), call.now(), &call.ids.store);
    let changed = call.app.database.update_store(&writes, store, &change, now);
    told(&shape::store(call.written(changed.await).await?))
}

/// `GET /v1/memory_stores`.
pub(super) async fn list(call: Call) -> Result<Response, Problem> {
    let parameters = call.parameters(&LIST)?;
    let (created_from, created_to) = asked::times(&parameters)?;
    let mut query = StoreQuery {
        created_from,
        created_to,
        include_archived: asked::flag(&parameters, "include_archived")?,
        limit: asked::limit(&parameters, View::Basic)?,
        after: None,
    };
    let parts = format!("{created_from:?} {created_to:?} {}", query.include_archived);
    let workspace = call.asking.caller.workspace.clone();
    let list = List::of(["stores".to_owned(), workspace, parts]);
    let (pages, after) = call.pages(list, &parameters).await?;
    query.after = after.as_deref().map(position).transpose()?;
    let found = call
        .app
        .database
        .stores(&call.asking.reads(), &query)
        .await?;
    let next = found.next.as_ref();
    told(&Page {
        next_page: next.map(|at| pages.name(&format!("{}:{}", at.created_us, at.id))),
        data: found.items.into_iter().map(shape::store).collect(),
    })
}

/// A place in the list of stores. Only what was signed comes here.
fn position(text: &str) -> Result<StorePosition, Problem> {
    let (created_us, id) = text.split_once(':').ok_or_else(Problem::internal)?;
    Ok(StorePosition {
        created_us: created_us.parse().map_err(|_| Problem::internal())?,
        id: id.to_owned(),
    })
}

/// `POST /v1/memory_stores/{store}/archive`.
pub(super) async fn archive(call: Call, body: Body) -> Result<Response, Problem> {
    call.read_nothing(body).await?;
    let (removes, now, store) = (call.asking.removes(), call.now(), &call.ids.store);
    let archived = call.app.database.archive_store(&removes, store, now).await;
    told(&shape::store(call.removed(archived).await?))
}

/// `DELETE /v1/memory_stores/{store}`.
pub(super) async fn delete(call: Call) -> Result<Response, Problem> {
    let (removes, store) = (call.asking.removes(), &call.ids.store);
    let gone = call.app.database.delete_store(&removes, store).await;
    call.removed(gone).await?;
    told(&DeletedStore { id: call.ids.store })
}
