//! `/api/webhooks`: the webhooks of a workspace, for callers with a grant for them.

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{delete, get, post};
use mem_core::Diagnose as _;
use mem_stores::strict::ObjectFields;
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::EventType;
use crate::access::{Caller, secret};
use crate::app::{App, Shared};
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::{body, json as answer};
use crate::storage::{DeadLetter, NewWebhook, Verb, Webhook, WebhookError};

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

/// A webhook as clients and `mem server webhook list --json` see it, without its secrets.
pub fn webhook_json(webhook: &Webhook) -> Value {
    json!({
        "id": webhook.id,
        "workspace": webhook.workspace,
        "url": webhook.url,
        "description": webhook.description,
        "event_types": webhook.event_types,
        "created_at": webhook.created_at,
        "disabled_at": webhook.disabled_at,
        "last_attempt_at": webhook.last_attempt_at,
        "last_outcome": webhook.last_outcome,
        "pending": webhook.pending,
        "dead": webhook.dead,
    })
}

/// A dead letter as clients and `mem server webhook dead --json` see it.
pub fn dead_letter_json(letter: &DeadLetter) -> Value {
    json!({
        "event_id": letter.event_id,
        "type": letter.event_type,
        "subject": letter.subject,
        "created_at": letter.created_at,
        "dead_at": letter.dead_at,
        "attempts": letter.attempts,
        "last_outcome": letter.last_outcome,
    })
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
async fn list_webhooks(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = admit_caller(&app, request.headers(), Verb::Read).await?;
    Parameters::read(request.uri().query(), &[])?;
    let webhooks = app.database.webhooks(Some(&caller.workspace)).await?;
    let webhooks: Vec<Value> = webhooks.iter().map(webhook_json).collect();
    json_answer(&json!({ "webhooks": webhooks }))
}

/// `POST /api/webhooks`: makes one. Only the answer has its secret.
async fn create_webhook(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, sent) = request.into_parts();
    let caller = admit_caller(&app, &head.headers, Verb::Write).await?;
    let wants = "the body has to be an object with `url`, and where it is wanted `description` and `event_types`";
    let wanted: WebhookRequest = read(&app, &head, sent, wants).await?;
    let url = app.webhook_addresses.parse(&wanted.url).map_err(|error| {
        let hint = error.hint().unwrap_or_default();
        HttpProblem::invalid(format!("{error}: {hint}"))
    })?;
    let description = secret::name(&wanted.description).ok_or_else(|| {
        HttpProblem::invalid("`description` has to be one line of at most 100 characters")
    })?;
    let types = wanted.event_types.iter().map(|text| EventType::parse(text));
    let event_types = types.collect::<Option<Vec<EventType>>>();
    let event_types = event_types.ok_or_else(|| {
        HttpProblem::invalid("`event_types` names an event that there is none of")
    })?;
    let new = NewWebhook {
        workspace: caller.workspace,
        url: url.into(),
        description,
        event_types,
    };
    let (id, secret) = app.database.create_webhook(&new, (app.now)()).await?;
    let types: Vec<&str> = new.event_types.iter().map(|one| one.as_str()).collect();
    json_answer(&json!({
        "id": id,
        "secret": secret.expose_secret(),
        "url": new.url,
        "description": new.description,
        "event_types": if types.is_empty() { vec!["*"] } else { types },
    }))
}

/// `DELETE /api/webhooks/{webhook}`: deletes one with what waits for it.
async fn delete_webhook(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = admit_caller(&app, request.headers(), Verb::Write).await?;
    let workspace = Some(caller.workspace.as_str());
    app.database.delete_webhook(workspace, &id).await?;
    json_answer(&json!({ "deleted": id }))
}

/// `POST /api/webhooks/{webhook}/rotate`: makes another secret; the former one signs too for a day.
async fn rotate_secret(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = admit_caller(&app, request.headers(), Verb::Write).await?;
    let workspace = Some(caller.workspace.as_str());
    let secret = app
        .database
        .rotate_webhook(workspace, &id, (app.now)())
        .await?;
    json_answer(&json!({ "id": id, "secret": secret.expose_secret() }))
}

/// `POST /api/webhooks/{webhook}/test`: sends an event of the type `webhook.test`.
async fn send_test(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = admit_caller(&app, request.headers(), Verb::Write).await?;
    let workspace = Some(caller.workspace.as_str());
    let now = (app.now)();
    let event = app
        .database
        .test_webhook(workspace, &id, &caller.actor, now)
        .await?;
    json_answer(&json!({ "event_id": event }))
}

/// `GET /api/webhooks/{webhook}/dead`: what could not be delivered.
async fn list_dead_letters(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = admit_caller(&app, request.headers(), Verb::Read).await?;
    Parameters::read(request.uri().query(), &[])?;
    let letters = app
        .database
        .dead_letters(Some(&caller.workspace), &id)
        .await?;
    let letters: Vec<Value> = letters.iter().map(dead_letter_json).collect();
    json_answer(&json!({ "dead": letters }))
}

/// `POST /api/webhooks/{webhook}/retry`: delivers dead letters again, one or all.
async fn retry_deliveries(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, sent) = request.into_parts();
    let caller = admit_caller(&app, &head.headers, Verb::Write).await?;
    let wants = "the body has to be an object, with `event_id` where one dead letter is meant";
    let wanted: RetryRequest = read(&app, &head, sent, wants).await?;
    let (workspace, event) = (Some(caller.workspace.as_str()), wanted.event_id.as_deref());
    let now = (app.now)();
    let retried = app
        .database
        .retry_dead_letters(workspace, &id, event, now)
        .await?;
    json_answer(&json!({ "retried": retried }))
}

async fn admit_caller(app: &App, headers: &HeaderMap, verb: Verb) -> Result<Caller, HttpProblem> {
    let caller = Caller::authenticate(app, headers).await?;
    caller.require_webhooks(verb)?;
    Ok(caller)
}

async fn read<T: DeserializeOwned>(
    app: &App,
    head: &Parts,
    sent: Body,
    wants: &'static str,
) -> Result<T, HttpProblem> {
    let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    let fields = ObjectFields::read(&bytes).map_err(|_| HttpProblem::invalid(wants))?;
    serde_json::from_value(Value::Object(fields.into_map()))
        .map_err(|_| HttpProblem::invalid(wants))
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

fn json_answer(value: &Value) -> Result<Response, HttpProblem> {
    let bytes = serde_json::to_vec(value).map_err(|_| HttpProblem::internal())?;
    Ok(answer(bytes, None))
}
