//! Sign-in over HTTP: `/api/identity`. The console and `mem login` are its clients.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use mem_stores::strict::ObjectFields;
use secrecy::ExposeSecret as _;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

use super::Identity;
use super::provider::CREDENTIAL_CHARS_MAX;
use super::session::BegunSession;
use super::sign_in::{Callback, DevicePoll};
use crate::access::{Caller, grant};
use crate::app::{App, Shared};
use crate::http::observed::note_caller;
use crate::http::problem::HttpProblem;
use crate::http::{body, json as answer};
use crate::storage::Token;

/// Where sign-in is.
const IDENTITY_PATH: &str = "/api/identity";
/// For a code and what a browser keeps.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Of a page's address.
const PLACE_CHARS_MAX: usize = 1024;
/// Of a workspace's name.
const WORKSPACE_CHARS_MAX: usize = 200;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoginRequest {
    #[serde(default)]
    to: String,
    workspace: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceTokenRequest {
    device_code: String,
    workspace: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// The routes of sign-in.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route(IDENTITY_PATH, get(show_provider))
        .route(&format!("{IDENTITY_PATH}/login"), post(begin_login))
        .route(&format!("{IDENTITY_PATH}/callback"), post(finish_login))
        .route(&format!("{IDENTITY_PATH}/device"), post(begin_device))
        .route(&format!("{IDENTITY_PATH}/device/token"), post(device_token))
        .route(
            &format!("{IDENTITY_PATH}/session"),
            get(show_session).delete(end_session),
        )
}

/// `GET /api/identity`: the provider that people sign in with, for everybody.
async fn show_provider(State(app): State<Shared>) -> Result<Response, HttpProblem> {
    let provider = app.identity.as_ref().map(
        |identity| json!({ "name": identity.provider_name(), "issuer": identity.settings.issuer }),
    );
    json_answer(StatusCode::OK, &json!({ "provider": provider }))
}

/// `POST /api/identity/login`: begins a sign-in in a browser.
async fn begin_login(State(app): State<Shared>, request: Request) -> Result<Response, HttpProblem> {
    let (identity, asked): (_, LoginRequest) = read_request(&app, request).await?;
    if asked.to.len() > PLACE_CHARS_MAX {
        return Err(HttpProblem::invalid("`to` is too long"));
    }
    let workspace = checked_workspace(asked.workspace)?;
    let begun = identity.begin_sign_in(asked.to, workspace).await?;
    json_answer(
        StatusCode::OK,
        &json!({ "location": begun.location, "binding": begun.binding }),
    )
}

/// `POST /api/identity/callback`: finishes it.
async fn finish_login(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (identity, back): (_, Callback) = read_request(&app, request).await?;
    let (begun, to) = identity.finish_sign_in(back).await?;
    note_session(&begun);
    let mut shown = session_json(&begun);
    shown["to"] = json!(to);
    json_answer(StatusCode::OK, &shown)
}

/// `POST /api/identity/device`: begins a sign-in at a terminal.
async fn begin_device(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (identity, _): (_, Nothing) = read_request(&app, request).await?;
    let begun = identity.begin_device().await?;
    let begun = serde_json::to_value(&begun).map_err(|_| HttpProblem::internal())?;
    json_answer(StatusCode::OK, &begun)
}

/// `POST /api/identity/device/token`: whether the person has signed in; 202 where not yet.
async fn device_token(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (identity, asked): (_, DeviceTokenRequest) = read_request(&app, request).await?;
    if asked.device_code.len() > CREDENTIAL_CHARS_MAX {
        return Err(HttpProblem::invalid("`device_code` is too long"));
    }
    let workspace = checked_workspace(asked.workspace)?;
    match identity
        .poll_device(&asked.device_code, workspace.as_deref())
        .await?
    {
        DevicePoll::Pending { slower } => {
            json_answer(StatusCode::ACCEPTED, &json!({ "slower_seconds": slower }))
        }
        DevicePoll::Done(begun) => {
            note_session(&begun);
            json_answer(StatusCode::OK, &session_json(&begun))
        }
    }
}

/// `GET /api/identity/session`: who asks, and what they may.
async fn show_session(
    State(app): State<Shared>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = Caller::authenticate(&app, request.headers()).await?;
    let token = caller.token();
    let grants = token.map(|token| token.grants.iter().map(grant::shown).collect::<Vec<_>>());
    let session = token.and_then(|token| token.session.as_ref());
    let shown = json!({
        "id": token.map_or(&caller.actor.id, |token| &token.id),
        "name": caller.actor.name,
        "workspace": caller.workspace,
        "grants": grants,
        "kind": session.map(|session| session.kind.as_str()),
        "expires_at": token.and_then(|token| token.expires_at),
        "renew_until": session.and_then(|session| session.renew_until),
    });
    json_answer(StatusCode::OK, &shown)
}

/// `DELETE /api/identity/session`: ends the session that asks, at once.
async fn end_session(State(app): State<Shared>, request: Request) -> Result<Response, HttpProblem> {
    let caller = Caller::authenticate(&app, request.headers()).await?;
    let Some(session) = caller.token().filter(|token| token.session.is_some()) else {
        let message = "this token is no session: `DELETE /api/tokens/{token}` revokes it";
        return Err(HttpProblem::new(StatusCode::CONFLICT, message));
    };
    let Token { id, .. } = session;
    app.database.revoke_token(id, (app.now)()).await?;
    let place = match &app.identity {
        Some(identity) => identity.sign_out_url().await,
        None => None,
    };
    json_answer(
        StatusCode::OK,
        &json!({ "ended": id, "sign_out_url": place }),
    )
}

/// What somebody asks for who is not signed in yet.
async fn read_request<T: DeserializeOwned>(
    app: &App,
    request: Request,
) -> Result<(Arc<Identity>, T), HttpProblem> {
    let Some(identity) = &app.identity else {
        let message = "this server has no identity provider: its settings have no `[identity]`";
        return Err(HttpProblem::new(StatusCode::FORBIDDEN, message));
    };
    identity.pace.admit("sign-in")?;
    let (head, sent) = request.into_parts();
    let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    let wants =
        || HttpProblem::invalid("the body is not the object that is described in /openapi.json");
    let fields = ObjectFields::read(&bytes).map_err(|_| wants())?;
    let asked = serde_json::from_value(Value::Object(fields.into_map())).map_err(|_| wants())?;
    Ok((Arc::clone(identity), asked))
}

fn checked_workspace(name: Option<String>) -> Result<Option<String>, HttpProblem> {
    match name {
        Some(name) if name.is_empty() => Ok(None),
        Some(name) if name.len() > WORKSPACE_CHARS_MAX => {
            Err(HttpProblem::invalid("`workspace` is too long"))
        }
        name => Ok(name),
    }
}

/// Notes for the logs who has signed in.
fn note_session(begun: &BegunSession) {
    let token = &begun.token;
    note_caller(&token.id, &token.name, &token.workspace);
}

fn session_json(begun: &BegunSession) -> Value {
    let grants: Vec<String> = begun.token.grants.iter().map(grant::shown).collect();
    json!({
        "token": begun.secret.expose_secret(),
        "id": begun.token.id,
        "name": begun.token.name,
        "workspace": begun.token.workspace,
        "grants": grants,
        "expires_at": begun.token.expires_at,
    })
}

fn json_answer(status: StatusCode, value: &Value) -> Result<Response, HttpProblem> {
    let bytes = serde_json::to_vec(value).map_err(|_| HttpProblem::internal())?;
    let mut response = answer(bytes, None);
    *response.status_mut() = status;
    // Some of it is a secret.
    let never = axum::http::HeaderValue::from_static("no-store");
    response
        .headers_mut()
        .insert(axum::http::header::CACHE_CONTROL, never);
    Ok(response)
}
