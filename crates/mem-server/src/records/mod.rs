//! Structured memories over REST: those of the token's user, and nobody else's.
//!
//! # Layout
//! - `namespace`: the store that holds a user's records, in a workspace that no token reaches.
//! - `store_storage`: that store as the place of a back end.
//! - [`calls`]: the three tools, which `/mcp` has too.
//! - here: the routes. Bodies and answers are those of the tools.
//!
//! Tokens of one name in one workspace are one user, one without a name is one by itself. Without tokens, whoever asks
//! says who they are.

pub(crate) mod calls;
mod namespace;
mod store_storage;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{delete, get, post};
use mem_core::{Diagnose as _, ErrorKind, Now};
use mem_records::importance_decay::HALF_LIFE_DAYS;
use mem_records::input::Fields;
use mem_records::text_records::{DeletedRecord, TextRecords, TextStorage as _};
use mem_records::{RecordError, RecordFilter, RecordId, Records as _, shape};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::app::{App, Shared};
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::{HttpAnswer, body, json_answer};
use crate::storage::Verb;
use calls::{CallFailure, LEFT_OUT, unread, with_storage};

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
async fn store(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (caller, fields) = read_request(&app, request, Verb::Write).await?;
    respond(calls::store(&app, &caller, &fields).await)
}

/// `POST /api/records/retrieve`: `memory_retrieve`.
async fn retrieve(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (caller, fields) = read_request(&app, request, Verb::Read).await?;
    respond(calls::retrieve(&app, &caller, &fields).await)
}

/// `GET /api/records`: all, the newest first.
async fn list(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let caller = admitted(&app, request.headers(), Verb::Read).await?;
    let parameters = Parameters::read(request.uri().query(), &["category", "expired"])?;
    let category = parameters.get("category").map(str::parse).transpose();
    let category = category.map_err(|error: mem_records::InvalidRecord| refused(&error.into()))?;
    let with_expired = match parameters.get("expired") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            return Err(HttpProblem::invalid(
                "`expired` is neither `true` nor `false`",
            ));
        }
    };
    let listing = RecordFilter {
        categories: category.into_iter().collect(),
        with_expired,
    };
    let now = Now((app.now)());
    let listed = with_storage(&app, &caller, Verb::Read, move |storage| {
        let mut records = TextRecords::new(storage);
        let listed = records.list(&listing, now)?;
        Ok((listed, records.into_storage().closed()))
    });
    let listed = listed.await.map(|(listed, closed)| {
        let shapes = listed
            .iter()
            .map(|one| shape::record(one, now, HALF_LIFE_DAYS));
        let listed = json!({ "memories": shapes.collect::<Vec<Value>>() });
        shape::warned(listed, &unread(&closed, LEFT_OUT))
    });
    respond(listed)
}

/// `DELETE /api/records/{id}`: `memory_delete`, the reason in the body.
async fn remove(State(app): State<Shared>, Path(id): Path<String>, request: Request) -> HttpAnswer {
    let (caller, mut fields) = read_request(&app, request, Verb::Write).await?;
    if fields.get("memory_id").is_some_and(|other| *other != *id) {
        let message = "`memory_id` is not the record of this address";
        return Err(HttpProblem::invalid(message));
    }
    fields.insert("memory_id".to_owned(), Value::String(id));
    respond(calls::delete(&app, &caller, &fields).await)
}

/// `GET /api/records/audit`: what went, and why.
async fn audit(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let caller = admitted(&app, request.headers(), Verb::Read).await?;
    Parameters::read(request.uri().query(), &[])?;
    let gone = with_storage(&app, &caller, Verb::Read, |mut storage| storage.trail()).await;
    respond(gone.map(|(gone, closed)| {
        let entries = gone.iter().map(|one: &DeletedRecord| {
            json!({
                "id": one.id.as_str(), "reason": mem_secrets::redacted(&one.reason),
                "time": one.time.to_string(),
                "superseded_by": one.superseded_by.as_ref().map(RecordId::as_str),
            })
        });
        let told = json!({ "entries": entries.collect::<Vec<Value>>() });
        let what = "what the trail says of them, left out";
        shape::warned(told, &unread(&closed, what))
    }))
}

/// Who asks, once it is clear that they may.
async fn admitted(app: &App, headers: &HeaderMap, verb: Verb) -> Result<Caller, HttpProblem> {
    let caller = Caller::authenticate(app, headers).await?;
    caller.require_records(verb)?;
    Ok(caller)
}

/// Who asks, and the object that they sent.
async fn read_request(
    app: &App,
    request: Request,
    verb: Verb,
) -> Result<(Caller, Fields), HttpProblem> {
    let (head, sent) = request.into_parts();
    let caller = admitted(app, &head.headers, verb).await?;
    let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    // Nothing says as much as an object with nothing in it: what is missing is told by its name.
    let sent = mem_stores::strict::ObjectFields::read_optional(&bytes);
    let sent = sent.map_err(|_| {
        HttpProblem::invalid("the body is not an object of JSON that has each field once")
    })?;
    Ok((caller, sent.into_map()))
}

/// What an error comes to. It quotes what was sent at most.
fn refused(error: &RecordError) -> HttpProblem {
    let status = match error.kind() {
        ErrorKind::Invalid | ErrorKind::Usage => StatusCode::BAD_REQUEST,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Unreachable => return HttpProblem::busy(),
        ErrorKind::Refused | ErrorKind::Secret | ErrorKind::Conflict => StatusCode::CONFLICT,
        // No fault of whoever asks, and nothing that another try mends.
        ErrorKind::Corrupt => StatusCode::INTERNAL_SERVER_ERROR,
        _ => return HttpProblem::internal(),
    };
    let hint = error.hint().map(|hint| format!(": {hint}"));
    HttpProblem::new(status, format!("{error}{}", hint.unwrap_or_default()))
}

fn respond(done: Result<Value, CallFailure>) -> HttpAnswer {
    let value = done.map_err(|failed| match failed {
        CallFailure::Record(error) => refused(&error),
        CallFailure::Server(problem) => problem,
    })?;
    json_answer(&value)
}
