//! Sign-in over HTTP: `/api/identity`. The console and `mem login` are its clients.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Identity;
use super::provider::CREDENTIAL_CHARS_MAX;
use super::sign_in::{Callback, DevicePoll};
use crate::access::Caller;
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::request_log::{PeerAddress, note_caller, peer_address};
use crate::http::{HttpAnswer, body, json_answer};
use crate::tokens::FreshToken;

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

/// A request of somebody who is not signed in yet.
struct SignInCall {
    app: Shared,
    identity: Arc<Identity>,
}

impl FromRequestParts<Shared> for SignInCall {
    type Rejection = HttpProblem;

    async fn from_request_parts(_: &mut Parts, app: &Shared) -> Result<Self, HttpProblem> {
        let identity = app.identity.as_ref().ok_or_else(|| {
            let message = "this server has no identity provider: its settings have no `[identity]`";
            HttpProblem::new(StatusCode::FORBIDDEN, message)
        })?;
        let network = peer_address().map_or_else(String::new, PeerAddress::network);
        identity.pace.admit(&network)?;
        Ok(Self {
            app: Arc::clone(app),
            identity: Arc::clone(identity),
        })
    }
}

impl SignInCall {
    async fn read_object<T: DeserializeOwned>(&self, request: Request) -> Result<T, HttpProblem> {
        let wants = "the body is not the object that is described in /openapi.json";
        body::read_object(&self.app, request, BODY_BYTES_MAX, wants).await
    }
}

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
async fn show_provider(State(app): State<Shared>) -> HttpAnswer {
    let provider = app.identity.as_ref().map(
        |identity| json!({ "name": identity.provider_name, "issuer": identity.settings.issuer }),
    );
    secret_answer(&json!({ "provider": provider }))
}

/// `POST /api/identity/login`: begins a sign-in in a browser.
async fn begin_login(call: SignInCall, request: Request) -> HttpAnswer {
    let asked: LoginRequest = call.read_object(request).await?;
    if asked.to.len() > PLACE_CHARS_MAX {
        return Err(HttpProblem::invalid("`to` is too long"));
    }
    let workspace = checked_workspace(asked.workspace)?;
    secret_answer(&call.identity.begin_sign_in(asked.to, workspace).await?)
}

/// `POST /api/identity/callback`: finishes it.
async fn finish_login(call: SignInCall, request: Request) -> HttpAnswer {
    let back: Callback = call.read_object(request).await?;
    let (begun, to) = call.identity.finish_sign_in(back).await?;
    let mut shown = noted_session(&begun);
    shown["to"] = json!(to);
    secret_answer(&shown)
}

/// `POST /api/identity/device`: begins a sign-in at a terminal.
async fn begin_device(call: SignInCall, request: Request) -> HttpAnswer {
    let _: Nothing = call.read_object(request).await?;
    secret_answer(&call.identity.begin_device().await?)
}

/// `POST /api/identity/device/token`: whether the person has signed in; 202 where not yet.
async fn device_token(call: SignInCall, request: Request) -> HttpAnswer {
    let asked: DeviceTokenRequest = call.read_object(request).await?;
    if asked.device_code.len() > CREDENTIAL_CHARS_MAX {
        return Err(HttpProblem::invalid("`device_code` is too long"));
    }
    let workspace = checked_workspace(asked.workspace)?;
    let polled = call
        .identity
        .poll_device(&asked.device_code, workspace.as_deref());
    match polled.await? {
        DevicePoll::Done(begun) => secret_answer(&noted_session(&begun)),
        DevicePoll::Pending { slower } => {
            let mut answer = secret_answer(&json!({ "slower_seconds": slower }))?;
            *answer.status_mut() = StatusCode::ACCEPTED;
            Ok(answer)
        }
    }
}

/// `GET /api/identity/session`: who asks, and what they may.
async fn show_session(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let caller = Caller::authenticate(&app, request.headers()).await?;
    let token = caller.token();
    let session = token.and_then(|token| token.session.as_ref());
    secret_answer(&json!({
        "id": token.map_or(&caller.actor.id, |token| &token.id),
        "name": caller.actor.name,
        "workspace": caller.workspace,
        "grants": token.map(|token| &token.grants),
        "kind": session.map(|session| session.kind.as_str()),
        "expires_at": token.and_then(|token| token.expires_at),
        "renew_until": session.and_then(|session| session.renew_until),
    }))
}

/// `DELETE /api/identity/session`: ends the session that asks, at once.
async fn end_session(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let caller = Caller::authenticate(&app, request.headers()).await?;
    let Some(session) = caller.token().filter(|token| token.session.is_some()) else {
        let message = "this token is no session: `DELETE /api/tokens/{token}` revokes it";
        return Err(HttpProblem::new(StatusCode::CONFLICT, message));
    };
    app.database.revoke_token(&session.id, (app.now)()).await?;
    let place = match &app.identity {
        Some(identity) => identity.sign_out_url().await,
        None => None,
    };
    secret_answer(&json!({ "ended": session.id, "sign_out_url": place }))
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

/// A session that was begun, as its holder sees it. Notes for the logs who has signed in.
fn noted_session(begun: &FreshToken) -> Value {
    let token = &begun.token;
    note_caller(&token.id, &token.name, &token.workspace);
    begun.to_json()
}

/// An answer that nobody keeps: some of it is a secret.
fn secret_answer(object: &impl Serialize) -> HttpAnswer {
    let mut answer = json_answer(object)?;
    let never = HeaderValue::from_static("no-store");
    answer.headers_mut().insert(CACHE_CONTROL, never);
    Ok(answer)
}
