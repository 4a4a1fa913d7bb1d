//! `GET`: what a store holds, unless the caller knows it.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::IF_NONE_MATCH;
use axum::response::Response;
use mem_sync::limits::ANSWER_BYTES_MAX;
use mem_sync::remote::Query;

use super::Asking;
use super::turns::Turn;
use crate::app::{App, Shared};
use crate::http::conditions::Condition;
use crate::http::problem::Problem;
use crate::http::query::Parameters;
use crate::http::{json, large, not_modified};
use crate::storage::{StorageError, Verb};

/// Answers one.
pub(crate) async fn answer(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, Problem> {
    let (head, _) = request.into_parts();
    let asking = Asking::of(&app, &head, &["repo", "view", "keys"], Verb::Read).await?;
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
async fn whole(app: &App, asking: &Asking, query: &Query) -> Result<Response, Problem> {
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

fn query(parameters: &Parameters) -> Result<Query, Problem> {
    let hashes = match parameters.get("view") {
        None | Some("full") => false,
        Some("hashes") => true,
        Some(_) => return Err(Problem::invalid("`view` is `full` or `hashes`")),
    };
    let keys = parameters.keys()?;
    if keys.is_empty() && parameters.names_a_list() {
        return Err(Problem::invalid("`keys` names no key"));
    }
    Ok(Query { hashes, keys })
}

/// A turn at having contents in memory. There are more of them for parts of a store than for whole ones.
async fn turn(app: &App, token: &str, query: &Query) -> Result<Turn, Problem> {
    if !query.hashes && query.keys.is_empty() {
        return app.whole_stores.take(token).await;
    }
    let turn = Arc::clone(&app.parts).acquire_owned().await;
    turn.map(Turn::from).map_err(|_| Problem::busy())
}
