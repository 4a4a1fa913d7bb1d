//! Structured memories over REST: those of the token's user, and nobody else's.
//!
//! # Layout
//! - `namespace`: the store that holds a user's records, in a workspace that no token reaches.
//! - `shelf`: that store as the place of a back end.
//! - here: the routes. Bodies and answers are those of the tools, [`mem_records::input`] and
//!   [`mem_records::shape`].
//!
//! Tokens of one name in one workspace are one user. Without tokens, whoever asks says who they are.

mod namespace;
mod shelf;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{delete, get, post};
use mem_core::{Diagnose as _, ErrorKind, Now};
use mem_records::effective::HALF_LIFE_DAYS;
use mem_records::input::{self, Fields};
use mem_records::shelved::{Gone, Shelved};
use mem_records::{Listing, RecordError, RecordId, Records as _, shape};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::app::{App, Shared};
use crate::http::problem::Problem;
use crate::http::query::Parameters;
use crate::http::{body, json as answer};
use crate::storage::Verb;
use shelf::StoreShelf;

/// Where records are.
const RECORDS_PATH: &str = "/api/records";
/// A content with every character escaped, and what goes around it.
const BODY_BYTES_MAX: usize = 1024 * 1024;

/// The routes of records.
pub(crate) fn routes() -> Router<Shared> {
    let at = |rest: &str| format!("{RECORDS_PATH}{rest}");
    Router::new()
        .route(RECORDS_PATH, get(list).post(store))
        .route(&at("/retrieve"), post(retrieve))
        .route(&at("/audit"), get(audit))
        .route(&at("/{record}"), delete(remove))
}

/// `POST /api/records`: `memory_store`.
async fn store(State(app): State<Shared>, request: Request) -> Result<Response, Problem> {
    let (caller, fields) = asked(&app, request, Verb::Write).await?;
    let new = input::store(&fields).map_err(|error| refused(&error.into()))?;
    let now = Now((app.now)());
    let stored = at_shelf(&app, &caller, move |shelf| {
        Shelved::new(shelf).store(&new, now)
    })
    .await?;
    told(&shape::stored(&stored))
}

/// `POST /api/records/retrieve`: `memory_retrieve`.
async fn retrieve(State(app): State<Shared>, request: Request) -> Result<Response, Problem> {
    let (caller, fields) = asked(&app, request, Verb::Read).await?;
    let query = input::retrieve(&fields).map_err(|error| refused(&error.into()))?;
    let now = Now((app.now)());
    let found = at_shelf(&app, &caller, move |shelf| {
        Shelved::new(shelf).retrieve(&query, now)
    });
    told(&shape::retrieved(&found.await?))
}

/// `GET /api/records`: all, the newest first.
async fn list(State(app): State<Shared>, request: Request) -> Result<Response, Problem> {
    let caller = admitted(&app, request.headers(), Verb::Read).await?;
    let parameters = Parameters::read(request.uri().query(), &["category", "expired"])?;
    let category = parameters.get("category").map(str::parse).transpose();
    let category = category.map_err(|error: mem_records::InvalidRecord| refused(&error.into()))?;
    let listing = Listing {
        categories: category.into_iter().collect(),
        with_expired: parameters.get("expired") == Some("true"),
    };
    let now = Now((app.now)());
    let listed = at_shelf(&app, &caller, move |shelf| {
        Shelved::new(shelf).list(&listing, now)
    });
    let listed = listed.await?;
    let shapes = listed
        .iter()
        .map(|one| shape::record(one, now, HALF_LIFE_DAYS));
    told(&json!({ "memories": shapes.collect::<Vec<Value>>() }))
}

/// `DELETE /api/records/{id}`: `memory_delete`, the reason in the body.
async fn remove(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let (caller, mut fields) = asked(&app, request, Verb::Write).await?;
    fields.insert("memory_id".to_owned(), Value::String(id));
    let wanted = input::delete(&fields).map_err(|error| refused(&error.into()))?;
    let now = Now((app.now)());
    let deleted = at_shelf(&app, &caller, move |shelf| {
        Shelved::new(shelf).delete(&wanted.id, &wanted.reason, now)
    });
    let id: RecordId = deleted.await?.id;
    told(&json!({ "success": true, "memory_id": id.as_str() }))
}

/// `GET /api/records/audit`: what went, and why.
async fn audit(State(app): State<Shared>, request: Request) -> Result<Response, Problem> {
    let caller = admitted(&app, request.headers(), Verb::Read).await?;
    Parameters::read(request.uri().query(), &[])?;
    let gone = at_shelf(&app, &caller, |mut shelf| shelf.trail()).await?;
    let entries = gone.iter().map(|one: &Gone| {
        json!({
            "id": one.id.as_str(), "reason": one.reason, "time": one.time.to_string(),
            "superseded_by": one.superseded_by.as_ref().map(RecordId::as_str),
        })
    });
    told(&json!({ "entries": entries.collect::<Vec<Value>>() }))
}

/// Who asks, once it is clear that they may.
async fn admitted(app: &App, headers: &HeaderMap, verb: Verb) -> Result<Caller, Problem> {
    let caller = Caller::of(app, headers).await?;
    caller.require_records(verb)?;
    Ok(caller)
}

/// Who asks, and the object that they sent.
async fn asked(app: &App, request: Request, verb: Verb) -> Result<(Caller, Fields), Problem> {
    let (head, sent) = request.into_parts();
    let caller = admitted(app, &head.headers, verb).await?;
    let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(fields)) => Ok((caller, fields)),
        _ => Err(Problem::invalid("the body is not an object of JSON")),
    }
}

/// Does work with the records of whoever asks, on a thread that may wait for the database.
async fn at_shelf<T: Send + 'static>(
    app: &Shared,
    caller: &Caller,
    work: impl FnOnce(StoreShelf) -> Result<T, RecordError> + Send + 'static,
) -> Result<T, Problem> {
    let store = namespace::of(app, caller).await?;
    // Each may hold all texts of a namespace.
    let part = Arc::clone(&app.parts).acquire_owned().await;
    let part = part.map_err(|_| Problem::busy())?;
    let shelf = StoreShelf::new(app, caller, store);
    let done = tokio::task::spawn_blocking(move || {
        let done = work(shelf);
        drop(part);
        done
    });
    let done = done.await.map_err(|_| Problem::internal())?;
    done.map_err(|error| refused(&error))
}

/// What an error comes to. It quotes what was sent at most.
fn refused(error: &RecordError) -> Problem {
    let status = match error.kind() {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Unreachable => return Problem::busy(),
        ErrorKind::Refused | ErrorKind::Conflict => StatusCode::CONFLICT,
        _ => return Problem::internal(),
    };
    let hint = error.hint().map(|hint| format!(": {hint}"));
    Problem::new(status, format!("{error}{}", hint.unwrap_or_default()))
}

fn told(value: &Value) -> Result<Response, Problem> {
    let bytes = serde_json::to_vec(value).map_err(|_| Problem::internal())?;
    Ok(answer(bytes, None))
}
