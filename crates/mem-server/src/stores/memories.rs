//! Memories: make, read, change, delete.

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::ALLOW;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use mem_stores::Dialect;
use mem_stores::wire::{CreateMemory, DeletedMemory, Precondition, UpdateMemory, View};

use super::asking::{Asking, Ids};
use super::refused::invalid;
use super::{asked, shape, told};
use crate::app::Shared;
use crate::http::problem::Problem;
use crate::storage::stores;
use crate::storage::stores::MemoryChange;

/// `POST …/memories`. The research preview writes over what is at the path.
pub(super) async fn create(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let parameters = asked::parameters(head.uri.query(), &["view"])?;
    let view = asked::view(&parameters, View::Basic)?;
    let bytes = asked::body(&app, &head.headers, body).await?;
    let new = CreateMemory::read(&bytes, asking.dialect).map_err(|error| invalid(&error))?;
    let (writes, actor, now) = (asking.writes(), &asking.caller.actor, (app.now)());
    let (path, content) = (new.path.into(), new.content);
    let made = match asking.dialect {
        Dialect::Current => {
            let database = &app.database;
            database
                .create_memory(&writes, &ids.store, path, content, actor, now)
                .await
        }
        Dialect::Preview => {
            let not_exists = new.precondition == Some(Precondition::NotExists);
            let database = &app.database;
            database
                .upsert_memory(&writes, &ids.store, path, content, not_exists, actor, now)
                .await
        }
    };
    let made = asking.written(&app, &ids.store, made).await?;
    told(&shape::memory(made, view))
}

/// `GET …/memories/{memory}`.
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
        .memory(&reads, &ids.store, &ids.object, content);
    told(&shape::memory(found.await?, view))
}

/// `PATCH …/memories/{memory}`: how the research preview changes a memory.
pub(super) async fn patch(
    state: State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    match asking.dialect {
        Dialect::Preview => update(state, Extension(asking), ids, request).await,
        Dialect::Current => {
            let message = "a memory is changed with POST; PATCH belongs to the research preview";
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, message);
            let allowed = HeaderValue::from_static("GET,HEAD,POST,DELETE");
            Err(problem.with(ALLOW, allowed))
        }
    }
}

/// `POST …/memories/{memory}`.
pub(super) async fn update(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let parameters = asked::parameters(head.uri.query(), &["view"])?;
    let view = asked::view(&parameters, View::Basic)?;
    let bytes = asked::body(&app, &head.headers, body).await?;
    let change = UpdateMemory::read(&bytes, asking.dialect).map_err(|error| invalid(&error))?;
    let change = MemoryChange {
        precondition: change.precondition.map(precondition).transpose()?,
        content: change.content,
        path: change.path.map(String::from),
    };
    let (writes, actor, now) = (asking.writes(), &asking.caller.actor, (app.now)());
    let (store, memory) = (&ids.store, &ids.object);
    let database = &app.database;
    let changed = database.update_memory(&writes, store, memory, change, actor, now);
    let changed = asking.written(&app, store, changed.await).await?;
    told(&shape::memory(changed, view))
}

fn precondition(said: Precondition) -> Result<stores::Precondition, Problem> {
    Ok(match said {
        Precondition::NotExists => stores::Precondition::NotExists,
        Precondition::ContentSha256 { content_sha256 } => {
            let hash = asked::hash("content_sha256", &content_sha256)?;
            stores::Precondition::ContentSha256(hash)
        }
    })
}

/// `DELETE …/memories/{memory}`.
pub(super) async fn delete(
    State(app): State<Shared>,
    Extension(asking): Extension<Asking>,
    ids: Ids,
    request: Request,
) -> Result<Response, Problem> {
    let known = ["expected_content_sha256"];
    let parameters = asked::parameters(request.uri().query(), &known)?;
    let expected = asked::sha256(&parameters, "expected_content_sha256")?;
    let (writes, actor, now) = (asking.writes(), &asking.caller.actor, (app.now)());
    let (store, memory) = (&ids.store, &ids.object);
    let database = &app.database;
    let gone = database.delete_memory(&writes, store, memory, expected, actor, now);
    asking.written(&app, store, gone.await).await?;
    told(&DeletedMemory { id: ids.object })
}
