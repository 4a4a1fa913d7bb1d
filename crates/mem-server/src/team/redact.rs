//! `POST …/redact`: takes the earlier contents of a key, and its name, out of the history.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use mem_sync::wire::RedactBody;

use super::{TeamRequest, body_of};
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::{body, json};
use crate::storage::{RedactionOutcome, Verb};

/// Answers one.
pub(crate) async fn answer(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, body) = request.into_parts();
    let asking = TeamRequest::from_request(&app, &head, &["repo"], Verb::Write).await?;
    let bytes = body_of(&app, &head, body).await?;
    let what = RedactBody::read(&bytes).map_err(|error| body::refused(&error))?;
    let actor = &asking.caller.actor;
    let now = (app.now)();
    let redaction = app
        .database
        .redact(&asking.repository, &what, actor, now)
        .await?;
    let redacted = match redaction {
        RedactionOutcome::Done(redacted) => redacted,
        RedactionOutcome::Head => {
            let message = "the key still holds what is to be taken out: write other content, or delete it, first";
            return Err(HttpProblem::new(StatusCode::CONFLICT, message));
        }
        RedactionOutcome::Stands => {
            let message = "an entry stands under this name: delete it first";
            return Err(HttpProblem::new(StatusCode::CONFLICT, message));
        }
        RedactionOutcome::NotFound => {
            let message = "the key was never there";
            return Err(HttpProblem::new(StatusCode::NOT_FOUND, message));
        }
    };
    Ok(json(redacted.to_json(), None))
}
