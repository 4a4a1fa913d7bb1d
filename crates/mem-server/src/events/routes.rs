//! `/api/webhooks`: the webhooks of a workspace, for callers with a grant for them.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::{delete, get, post};
use mem_core::Diagnose as _;
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde_json::json;

use super::EventType;
use crate::access::{Caller, grant, secret};
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::{HttpAnswer, body, json_answer};
use crate::storage::{NewWebhook, WebhookError};

/// Where webhooks are.
const PATH: &str = "/api/webhooks";
/// For an address, a description and a few types.
const BODY_BYTES_MAX: usize = 16 * 1024;

/// What a webhook is made with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WebhookRequest {
    url: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    event_types: Vec<String>,
}

/// Which dead letters are delivered again.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RetryRequest {
    event_id: Option<String>,
}

/// A request of a caller who was granted the webhooks of their workspace.
struct WebhookCall {
    app: Shared,
    caller: Caller,
}

impl FromRequestParts<Shared> for WebhookCall {
    type Rejection = HttpProblem;

    async fn from_request_parts(head: &mut Parts, app: &Shared) -> Result<Self, HttpProblem> {
        let caller = Caller::authenticate_manager(app, head, grant::WEBHOOKS).await?;
        let app = Arc::clone(app);
        Ok(Self { app, caller })
    }
}

impl WebhookCall {
    fn workspace(&self) -> Option<&str> {
        Some(&self.caller.workspace)
    }
}

/// The routes of webhooks.
pub(crate) fn routes() -> Router<Shared> {
    let of_one = |verb: &str| format!("{PATH}/{{webhook}}{verb}");
    Router::new()
        .route(PATH, get(list_webhooks).post(create_webhook))
        .route(&of_one(""), delete(delete_webhook))
        .route(&of_one("/rotate"), post(rotate_secret))
        .route(&of_one("/test"), post(send_test))
        .route(&of_one("/dead"), get(list_dead_letters))
        .route(&of_one("/retry"), post(retry_deliveries))
}

/// `GET /api/webhooks`: those of the workspace, the oldest first.
async fn list_webhooks(call: WebhookCall) -> HttpAnswer {
    let webhooks = call.app.database.webhooks(call.workspace()).await?;
    json_answer(&json!({ "webhooks": webhooks }))
}

/// `POST /api/webhooks`: makes one. Only the answer has its secret.
async fn create_webhook(call: WebhookCall, request: Request) -> HttpAnswer {
    let WebhookCall { app, caller } = call;
    let wants = "the body has to be an object with `url`, and where it is wanted `description` and `event_types`";
    let wanted: WebhookRequest = body::read_object(&app, request, BODY_BYTES_MAX, wants).await?;
    let url = app.webhook_addresses.parse(&wanted.url).map_err(|error| {
        let hint = error.hint().unwrap_or_default();
        HttpProblem::invalid(format!("{error}: {hint}"))
    })?;
    let description = secret::name(&wanted.description).ok_or_else(|| {
        HttpProblem::invalid("`description` has to be one line of at most 100 characters")
    })?;
    let types = wanted.event_types.iter().map(|text| EventType::parse(text));
    let event_types = types.collect::<Option<Vec<EventType>>>().ok_or_else(|| {
        HttpProblem::invalid("`event_types` names an event that there is none of")
    })?;
    let new = NewWebhook {
        workspace: caller.workspace,
        url: url.into(),
        description,
        event_types,
    };
    let (id, secret) = app.database.create_webhook(&new, (app.now)()).await?;
    json_answer(&json!({
        "id": id,
        "secret": secret.expose_secret(),
        "url": new.url,
        "description": new.description,
        "event_types": new.event_names(),
    }))
}

/// `DELETE /api/webhooks/{webhook}`: deletes one with what waits for it.
async fn delete_webhook(call: WebhookCall, Path(id): Path<String>) -> HttpAnswer {
    let database = &call.app.database;
    database.delete_webhook(call.workspace(), &id).await?;
    json_answer(&json!({ "deleted": id }))
}

/// `POST /api/webhooks/{webhook}/rotate`: makes another secret; the former one signs too for a day.
async fn rotate_secret(call: WebhookCall, Path(id): Path<String>) -> HttpAnswer {
    let (database, now) = (&call.app.database, (call.app.now)());
    let secret = database.rotate_webhook(call.workspace(), &id, now).await?;
    json_answer(&json!({ "id": id, "secret": secret.expose_secret() }))
}

/// `POST /api/webhooks/{webhook}/test`: sends an event of the type `webhook.test`.
async fn send_test(call: WebhookCall, Path(id): Path<String>) -> HttpAnswer {
    let (database, now) = (&call.app.database, (call.app.now)());
    let sent = database.test_webhook(call.workspace(), &id, &call.caller.actor, now);
    json_answer(&json!({ "event_id": sent.await? }))
}

/// `GET /api/webhooks/{webhook}/dead`: what could not be delivered.
async fn list_dead_letters(call: WebhookCall, Path(id): Path<String>) -> HttpAnswer {
    let database = &call.app.database;
    let letters = database.dead_letters(call.workspace(), &id).await?;
    json_answer(&json!({ "dead": letters }))
}

/// `POST /api/webhooks/{webhook}/retry`: delivers dead letters again, one or all.
async fn retry_deliveries(
    call: WebhookCall,
    Path(id): Path<String>,
    request: Request,
) -> HttpAnswer {
    let wants = "the body has to be an object, with `event_id` where one dead letter is meant";
    let wanted: RetryRequest = body::read_object(&call.app, request, BODY_BYTES_MAX, wants).await?;
    let (event, now) = (wanted.event_id.as_deref(), (call.app.now)());
    let database = &call.app.database;
    let retried = database.retry_dead_letters(call.workspace(), &id, event, now);
    json_answer(&json!({ "retried": retried.await? }))
}

impl From<WebhookError> for HttpProblem {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Storage(error) => error.into(),
            WebhookError::Unknown | WebhookError::NoDeadLetter => {
                Self::new(StatusCode::NOT_FOUND, error.to_string())
            }
            WebhookError::TooMany | WebhookError::Disabled => {
                Self::new(StatusCode::CONFLICT, error.to_string())
            }
        }
    }
}
