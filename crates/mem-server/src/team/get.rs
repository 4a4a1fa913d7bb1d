//! `GET`: what a store holds, unless the caller knows it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::IF_NONE_MATCH;
use axum::response::Response;
use mem_sync::limits::ANSWER_BYTES_MAX;
use mem_sync::remote::StateQuery;

use super::TeamRequest;
use super::turns::RequestTurn;
use crate::app::{App, Shared};
use crate::http::conditions::Condition;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::{json, large, not_modified};
use crate::storage::{StorageError, Verb};

/// Answers one.
pub(crate) async fn answer(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, _) = request.into_parts();
    let asking =
        TeamRequest::from_request(&app, &head, &["repo", "view", "keys"], Verb::Read).await?;
    let query = query(&asking.parameters)?;
    if let Some(known) = Condition::read(&head.headers, IF_NONE_MATCH) {
        let state = app.database.state(&asking.repository).await?;
        if known.names(&state) {
            return Ok(not_modified(&state));
        }
    }
    // Apart, so that an answer that is none carries nothing of it along.
    Box::pin(whole(&app, &asking, &query)).await
}

/// What the store holds, as far as it is asked for.
async fn whole(
    app: &App,
    asking: &TeamRequest,
    query: &StateQuery,
) -> Result<Response, HttpProblem> {
    let turn = turn(app, &asking.caller.actor.id, query).await?;
    let (etag, answer) = app.database.read(&asking.repository, query).await?;
    let bytes = answer.to_json();
    drop(answer);
    if bytes.len() > ANSWER_BYTES_MAX {
        return Err(StorageError::TooLarge.into());
    }
    let mut response = json(Vec::new(), Some(&etag));
    *response.body_mut() = large::sized(bytes, turn, app.limits.write);
    Ok(response)
}

fn query(parameters: &Parameters) -> Result<StateQuery, HttpProblem> {
    let hashes = match parameters.get("view") {
        None | Some("full") => false,
        Some("hashes") => true,
        Some(_) => return Err(HttpProblem::invalid("`view` is `full` or `hashes`")),
    };
    let keys = parameters.keys()?;
    if keys.is_empty() && parameters.names_a_list() {
        return Err(HttpProblem::invalid("`keys` names no key"));
    }
    Ok(StateQuery { hashes, keys })
}

/// A turn at having contents in memory. There are more of them for parts of a store than for whole ones.
async fn turn(app: &App, token: &str, query: &StateQuery) -> Result<RequestTurn, HttpProblem> {
    if !query.hashes && query.keys.is_empty() {
        return app.whole_stores.take(token).await;
    }
    let turn = Arc::clone(&app.parts).acquire_owned().await;
    turn.map(RequestTurn::from).map_err(|_| HttpProblem::busy())
}
