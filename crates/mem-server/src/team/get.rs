//! `GET`: what a store holds, unless the caller knows it.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::IF_NONE_MATCH;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use mem_sync::remote::Query;
use tokio::sync::OwnedSemaphorePermit;

use super::Asking;
use crate::app::{App, Shared};
use crate::http::conditions::Condition;
use crate::http::problem::Problem;
use crate::http::query::Parameters;
use crate::http::{json, not_modified};
use crate::storage::Verb;

/// Smaller answers need no turn to be held for them while they are sent.
const SMALL_BYTES_MAX: usize = 1024 * 1024;
/// Pieces that a large answer is sent in.
const PIECE_BYTES: usize = 64 * 1024;

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
            return Ok(asking.signed(not_modified(&state)));
        }
    }
    let turn = turn(&app, &query).await?;
    let (etag, answer) = app.database.read(&asking.repository, &query).await?;
    let bytes = answer.to_json();
    drop(answer);
    let mut response = json(Vec::new(), Some(&etag));
    *response.body_mut() = match turn {
        Some(turn) if bytes.len() > SMALL_BYTES_MAX => piecewise(bytes, turn),
        _ => Body::from(bytes),
    };
    Ok(asking.signed(response))
}

fn query(parameters: &Parameters) -> Result<Query, Problem> {
    let hashes = match parameters.get("view") {
        None | Some("full") => false,
        Some("hashes") => true,
        Some(_) => return Err(Problem::invalid("`view` is `full` or `hashes`")),
    };
    let keys = parameters.keys()?;
    Ok(Query { hashes, keys })
}

/// A turn at having the contents of a whole store in memory; smaller questions need none.
async fn turn(app: &App, query: &Query) -> Result<Option<OwnedSemaphorePermit>, Problem> {
    if query.hashes || !query.keys.is_empty() {
        return Ok(None);
    }
    let turn = app.whole_stores.clone().acquire_owned().await;
    turn.map(Some).map_err(|_| Problem::busy())
}

/// A body that gives its turn back when it has been sent, or given up.
fn piecewise(bytes: Vec<u8>, turn: OwnedSemaphorePermit) -> Body {
    let rest = (Bytes::from(bytes), turn);
    let pieces = stream::unfold(rest, async |(mut rest, turn)| {
        if rest.is_empty() {
            return None;
        }
        let piece = rest.split_to(rest.len().min(PIECE_BYTES));
        Some((Ok::<_, Infallible>(piece), (rest, turn)))
    });
    // What packs an answer asks once more after its end.
    Body::from_stream(pieces.fuse())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn a_large_answer_may_be_asked_for_more_after_its_end() {
        let turns = Arc::new(Semaphore::new(1));
        let turn = Arc::clone(&turns).acquire_owned().await.unwrap();
        let body = piecewise(vec![7; PIECE_BYTES + 1], turn);
        let mut stream = body.into_data_stream();
        let mut bytes = 0;
        while let Some(piece) = stream.next().await {
            bytes += piece.unwrap().len();
        }
        assert_eq!((bytes, turns.available_permits()), (PIECE_BYTES + 1, 1));
        assert!(stream.next().await.is_none());
    }
}
