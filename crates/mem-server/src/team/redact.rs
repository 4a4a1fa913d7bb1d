//! `POST …/redact`: takes the earlier contents of a key, and its name, out of the history.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use mem_sync::wire::RedactBody;

use super::{Asking, body_of};
use crate::app::Shared;
use crate::http::problem::Problem;
use crate::http::{body, json};
use crate::storage::{Redaction, Verb};

/// Answers one.
pub(crate) async fn answer(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, Problem> {
    let (head, body) = request.into_parts();
    let asking = Asking::of(&app, &head, &["repo"], Verb::Write).await?;
    let bytes = body_of(&app, &head, body).await?;
    let what = RedactBody::read(&bytes).map_err(|error| body::refused(&error))?;
    let actor = &asking.caller.actor;
    let now = (app.now)();
    let redaction = app
        .database
        .redact(&asking.repository, &what, actor, now)
        .await?;
    let redacted = match redaction {
        Redaction::Done(redacted) => redacted,
        Redaction::Head => {
            let message = "the key still holds what is to be taken out: write other content, or delete it, first";
            return Err(Problem::new(StatusCode::CONFLICT, message));
        }
        Redaction::Stands => {
            let message = "an entry stands under this name: delete it first";
            return Err(Problem::new(StatusCode::CONFLICT, message));
        }
        Redaction::NotFound => {
            let message = "the key was never there";
            return Err(Problem::new(StatusCode::NOT_FOUND, message));
        }
    };
    Ok(json(redacted.to_json(), None))
}
