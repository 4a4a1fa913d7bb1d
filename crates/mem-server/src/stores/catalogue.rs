//! Stores: make, read, change, list, archive, delete.

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use mem_stores::strict::Fields;
use mem_stores::wire::{CreateStore, DeletedStore, Page, UpdateStore, View};

use super::asking::{Asking, Ids};
use super::cursor::List;
use super::refused::invalid;
use super::{asked, shape, told};
use crate::app::Shared;
use crate::http::problem::Problem;
use crate::storage::stores::{NewStore, StoreChange, StorePosition, StoreQuery};

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
pub(super) async fn create(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let bytes = asked::body(&app, &head.headers, body).await?;
    let new = CreateStore::read(&bytes).map_err(|error| invalid(&error))?;
    let new = NewStore {
        name: new.name,
        description: new.description,
        metadata: new.metadata,
    };
    let writes = asking.writes();
    let made = app.database.create_store(&writes, &new, (app.now)());
    told(&shape::store(made.await?))
}

/// `GET /v1/memory_stores/{store}`.
pub(super) async fn retrieve(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
) -> Result<Response, Problem> {
    let found = app.database.store(&asking.reads(), &ids.store).await?;
    told(&shape::store(found))
}

/// `POST /v1/memory_stores/{store}`.
pub(super) async fn update(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let bytes = asked::body(&app, &head.headers, body).await?;
    let change = UpdateStore::read(&bytes).map_err(|error| invalid(&error))?;
    let change = StoreChange {
        name: change.name,
        description: change.description,
        metadata: change.metadata,
    };
    let (writes, now) = (asking.writes(), (app.now)());
    let changed = app.database.update_store(&writes, &ids.store, &change, now);
    let changed = asking.written(&app, &ids.store, changed.await).await?;
    told(&shape::store(changed))
}

/// `GET /v1/memory_stores`.
pub(super) async fn list(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    request: Request,
) -> Result<Response, Problem> {
    let parameters = asked::parameters(request.uri().query(), &LIST)?;
    let (created_from, created_to) = asked::times(&parameters)?;
    let mut query = StoreQuery {
        created_from,
        created_to,
        include_archived: asked::flag(&parameters, "include_archived")?,
        limit: asked::limit(&parameters, View::Basic)?,
        after: None,
    };
    let parts = format!("{created_from:?} {created_to:?} {}", query.include_archived);
    let workspace = asking.caller.workspace.clone();
    let list = List::of(["stores".to_owned(), workspace, parts]);
    let pages = app.cursors.of(&app.database, list).await?;
    if let Some(page) = parameters.get("page") {
        query.after = Some(position(&pages.position(page)?)?);
    }
    let found = app.database.stores(&asking.reads(), &query).await?;
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
pub(super) async fn archive(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let bytes = asked::body(&app, &head.headers, body).await?;
    Fields::read_optional(&bytes).map_err(|error| invalid(&error))?;
    let (writes, now) = (asking.writes(), (app.now)());
    let archived = app.database.archive_store(&writes, &ids.store, now).await;
    let archived = asking.written(&app, &ids.store, archived).await?;
    told(&shape::store(archived))
}

/// `DELETE /v1/memory_stores/{store}`.
pub(super) async fn delete(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
) -> Result<Response, Problem> {
    let gone = app
        .database
        .delete_store(&asking.writes(), &ids.store)
        .await;
    asking.written(&app, &ids.store, gone).await?;
    told(&DeletedStore { id: ids.store })
}
