//! Memories: make, read, change, delete.

use axum::body::Body;
use axum::http::header::ALLOW;
use axum::http::{HeaderValue, StatusCode};
use mem_stores::ApiVersion;
use mem_stores::wire::{ContentView, CreateMemory, DeletedMemory, Precondition, UpdateMemory};

use super::call::ApiCall;
use super::{request_parameters, response_objects};
use crate::http::HttpAnswer;
use crate::http::json_answer;
use crate::http::problem::HttpProblem;
use crate::storage::stores;
use crate::storage::stores::MemoryChange;

/// `POST …/memories`. The research preview writes over what is at the path.
pub(super) async fn create(call: ApiCall, body: Body) -> HttpAnswer {
    let (view, dialect) = (call.view(ContentView::Basic)?, call.asking.dialect);
    let new = call
        .read(body, |bytes| CreateMemory::read(bytes, dialect))
        .await?;
    let (database, writing) = (call.database(), call.writing());
    let (path, content) = (new.path.into(), new.content);
    let made = match dialect {
        ApiVersion::Current => database.create_memory(writing, path, content).await,
        ApiVersion::Preview => {
            let only_new = new.precondition == Some(Precondition::NotExists);
            let upsert = database.upsert_memory(writing, path, content, only_new);
            upsert.await
        }
    };
    json_answer(&response_objects::memory(call.written(made).await?, view))
}

/// `GET …/memories/{memory}`.
pub(super) async fn retrieve(call: ApiCall) -> HttpAnswer {
    let (view, reads) = (call.view(ContentView::Full)?, call.asking.reads());
    let (store, memory) = (&call.ids.store, &call.ids.object);
    let is_full = view == ContentView::Full;
    let found = call.database().memory(&reads, store, memory, is_full);
    json_answer(&response_objects::memory(found.await?, view))
}

/// `PATCH …/memories/{memory}`: how the research preview changes a memory.
pub(super) async fn patch(call: ApiCall, body: Body) -> HttpAnswer {
    match call.asking.dialect {
        ApiVersion::Preview => update(call, body).await,
        ApiVersion::Current => {
            let message = "a memory is changed with POST; PATCH belongs to the research preview";
            let problem = HttpProblem::new(StatusCode::METHOD_NOT_ALLOWED, message);
            let allowed = HeaderValue::from_static("GET,HEAD,POST,DELETE");
            Err(problem.with(ALLOW, allowed))
        }
    }
}

/// `POST …/memories/{memory}`.
pub(super) async fn update(call: ApiCall, body: Body) -> HttpAnswer {
    let (view, dialect) = (call.view(ContentView::Basic)?, call.asking.dialect);
    let change = call
        .read(body, |bytes| UpdateMemory::read(bytes, dialect))
        .await?;
    let change = MemoryChange {
        precondition: change.precondition.map(precondition).transpose()?,
        content: change.content,
        path: change.path.map(String::from),
    };
    let database = call.database();
    let changed = database.update_memory(call.writing(), &call.ids.object, change);
    let changed = call.written(changed.await).await?;
    json_answer(&response_objects::memory(changed, view))
}

fn precondition(said: Precondition) -> Result<stores::WriteCondition, HttpProblem> {
    Ok(match said {
        Precondition::NotExists => stores::WriteCondition::NotExists,
        Precondition::ContentSha256 { content_sha256 } => {
            let hash = request_parameters::hash("content_sha256", &content_sha256)?;
            stores::WriteCondition::ContentSha256(hash)
        }
    })
}

/// `DELETE …/memories/{memory}`.
pub(super) async fn delete(call: ApiCall) -> HttpAnswer {
    let parameters = call.parameters(&["expected_content_sha256"])?;
    let expected = request_parameters::sha256(&parameters, "expected_content_sha256")?;
    let database = call.database();
    let gone = database.delete_memory(call.writing(), &call.ids.object, expected);
    call.written(gone.await).await?;
    json_answer(&DeletedMemory {
        id: call.ids.object,
    })
}
