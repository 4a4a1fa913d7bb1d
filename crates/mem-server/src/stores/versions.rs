//! Versions: list, read, redact.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::Response;
use mem_stores::strict::Fields;
use mem_stores::wire::{Page, View};

use super::asking::{Asking, Ids};
use super::cursor::List;
use super::refused::invalid;
use super::{asked, shape, told};
use crate::app::Shared;
use crate::http::large;
use crate::http::problem::Problem;
use crate::http::query::Parameters;
use crate::storage::stores::{Operation, VersionQuery};

/// What a list is asked with.
const LIST: [&str; 12] = [
    "api_key_id",
    "service_account_id",
    "session_id",
    "memory_id",
    "operation",
    "created_at[gte]",
    "created_at[lte]",
    "created_at_gte",
    "created_at_lte",
    "limit",
    "page",
    "view",
];

/// `GET …/memory_versions`.
pub(super) async fn list(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let parameters = asked::parameters(request.uri().query(), &LIST)?;
    let view = asked::view(&parameters, View::Basic)?;
    let mut query = query(&parameters)?;
    let narrowed = format!("{query:?}");
    query.limit = asked::limit(&parameters, view)?;
    query.content = view == View::Full;
    let list = List::of(["versions".to_owned(), ids.store.clone(), narrowed]);
    let pages = app.cursors.of(&app.database, list).await?;
    if let Some(page) = parameters.get("page") {
        let position = pages.position(page)?;
        query.after = Some(position.parse().map_err(|_| Problem::internal())?);
    }
    let turn = Arc::clone(&app.parts).acquire_owned().await;
    let turn = turn.map_err(|_| Problem::busy())?;
    let reads = asking.reads();
    let found = app.database.versions(&reads, &ids.store, &query);
    let found = found.await?;
    let items = found.items.into_iter();
    let page = Page {
        next_page: found.next.map(|after| pages.name(&after.to_string())),
        data: items.map(|record| shape::version(record, view)).collect(),
    };
    large::told(&page, turn, app.limits.write)
}

/// Which versions, without how many and how.
fn query(parameters: &Parameters) -> Result<VersionQuery, Problem> {
    let operation = match parameters.get("operation") {
        None => None,
        Some(text) => {
            let known = Operation::parse(text);
            let wants = "is `created`, `modified` or `deleted`";
            Some(known.ok_or_else(|| asked::wrong("operation", wants))?)
        }
    };
    let (created_from, created_to) = asked::times(parameters)?;
    Ok(VersionQuery {
        api_key_id: asked::id(parameters, "api_key_id", "apikey_")?,
        service_account_id: asked::id(parameters, "service_account_id", "svac_")?,
        session_id: asked::id(parameters, "session_id", "sesn_")?,
        memory_id: asked::id(parameters, "memory_id", "mem_")?,
        operation,
        created_from,
        created_to,
        ..VersionQuery::default()
    })
}

/// `GET …/memory_versions/{version}`.
pub(super) async fn retrieve(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let parameters = asked::parameters(request.uri().query(), &["view"])?;
    let view = asked::view(&parameters, View::Full)?;
    let (reads, content) = (asking.reads(), view == View::Full);
    let found = app
        .database
        .version(&reads, &ids.store, &ids.object, content);
    told(&shape::version(found.await?, view))
}

/// `POST …/memory_versions/{version}/redact`.
pub(super) async fn redact(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let bytes = asked::body(&app, &head.headers, body).await?;
    Fields::read_optional(&bytes).map_err(|error| invalid(&error))?;
    let (writes, actor, now) = (asking.writes(), &asking.caller.actor, (app.now)());
    let (store, version) = (&ids.store, &ids.object);
    let redacted = app
        .database
        .redact_version(&writes, store, version, actor, now);
    let redacted = asking.written(&app, store, redacted.await).await?;
    told(&shape::version(redacted, View::Full))
}
