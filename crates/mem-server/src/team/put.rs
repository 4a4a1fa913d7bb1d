//! `PUT`: writes and deletes the keys that are sent, on the state that the caller names.

use axum::extract::{Request, State};
use axum::http::header::{ETAG, IF_MATCH, IF_NONE_MATCH};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use mem_sync::wire::{ETag, PutBody};

use super::{TeamRequest, body_of};
use crate::app::{App, Shared};
use crate::http::conditions::Condition;
use crate::http::problem::HttpProblem;
use crate::http::{body, json};
use crate::storage::{GroupWrite, RepositoryName, Verb};

/// Answers one.
pub(crate) async fn answer(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, body) = request.into_parts();
    let asking = TeamRequest::from_request(&app, &head, &["repo"], Verb::Write).await?;
    if head.headers.contains_key(IF_NONE_MATCH) {
        let message =
            "a PUT is made on what `If-Match` names; a store that is not there is `\"0\"`";
        return Err(HttpProblem::invalid(message));
    }
    let bytes = body_of(&app, &head, body).await?;
    let (body, rejected) = PutBody::read(&bytes).map_err(|error| body::refused(&error))?;
    drop(bytes);
    let condition = Condition::read(&head.headers, IF_MATCH);
    let if_match = state_named(&app, &asking.repository, condition).await?;
    let sent = (body.entries.len(), body.delete.len());
    let actor = &asking.caller.actor;
    let now = (app.now)();
    let written = app
        .database
        .write(&asking.repository, body, if_match.as_ref(), actor, now)
        .await?;
    let (etag, mut answer) = match written {
        GroupWrite::Raced { etag } => return Err(raced(&etag)),
        GroupWrite::Archived => {
            let message = "the repository's store is archived: it is not written any more";
            return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
        }
        GroupWrite::Done { etag, answer } => (etag, answer),
    };
    let taken = (sent.0 + sent.1).saturating_sub(answer.rejected.len());
    app.metrics.keys_changed.inc_by(taken as u64);
    for one in rejected {
        answer.rejected.insert(one.name, one.rejection);
    }
    Ok(json(answer.to_json(), Some(&etag)))
}

/// The state that a write has to be made on; `None`: whatever it is.
///
/// # Errors
/// 412 where the condition names none that the store has.
async fn state_named(
    app: &App,
    repository: &RepositoryName,
    condition: Option<Condition>,
) -> Result<Option<ETag>, HttpProblem> {
    let tags = match condition {
        None | Some(Condition::Any) => return Ok(None),
        Some(Condition::OneOf(tags)) => tags,
    };
    if let [only] = tags.as_slice() {
        return Ok(Some(only.clone()));
    }
    let state = app.database.state(repository).await?;
    if tags.contains(&state) {
        return Ok(Some(state));
    }
    Err(raced(&state))
}

/// 412, with the state that the store has.
fn raced(etag: &ETag) -> HttpProblem {
    let message = "the store is not in the state that `If-Match` names";
    let problem = HttpProblem::new(StatusCode::PRECONDITION_FAILED, message);
    match HeaderValue::from_str(etag.as_str()) {
        Ok(value) => problem.with(ETAG, value),
        Err(_) => problem,
    }
}
