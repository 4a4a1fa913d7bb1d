//! The tokens of a workspace over HTTP, for callers with a grant for them: list, make, rotate, revoke.
//!
//! Nobody makes a token that may do more than their own.

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{delete, get, post};
use jiff::{SignedDuration, Timestamp};
use mem_stores::strict::ObjectFields;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::secret::NoRandomness;
use crate::access::{Caller, grant, secret};
use crate::app::{App, Shared};
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::{body, json as answer};
use crate::storage::{Grant, NewToken, Token, Verb};

/// Where tokens are.
const TOKENS_PATH: &str = "/api/tokens";
/// For a name and some hundred grants.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Both tokens of a rotation are valid for a month at most.
pub const OVERLAP_SECONDS_MAX: i64 = 30 * 24 * 3600;

/// What a token is made with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenRequest {
    #[serde(default)]
    name: String,
    grants: Vec<String>,
    expires_at: Option<Timestamp>,
}

/// How long both tokens of a rotation are valid.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RotateRequest {
    #[serde(default = "overlap_default")]
    overlap_seconds: u64,
}

/// A day, as for `mem server token rotate`.
fn overlap_default() -> u64 {
    24 * 60 * 60
}

/// A token as clients and `mem server token list --json` see it, without its secret.
pub fn token_json(token: &Token, now: Timestamp) -> Value {
    let grants: Vec<String> = token.grants.iter().map(grant::shown).collect();
    json!({
        "id": token.id,
        "name": token.name,
        "workspace": token.workspace,
        "grants": grants,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "last_used_at": token.last_used_at,
        "rotated_from": token.rotated_from,
        "session": token.session.as_ref().map(|session| session.kind.as_str()),
        "valid": token.is_valid(now),
    })
}

/// The routes of tokens.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route(TOKENS_PATH, get(list).post(create))
        .route(&format!("{TOKENS_PATH}/{{token}}"), delete(revoke))
        .route(&format!("{TOKENS_PATH}/{{token}}/rotate"), post(rotate))
}

/// `GET /api/tokens`: those of the workspace, the oldest first.
async fn list(State(app): State<Shared>, request: Request) -> Result<Response, HttpProblem> {
    let caller = admitted(&app, request.headers(), Verb::Read).await?;
    Parameters::read(request.uri().query(), &[])?;
    let now = (app.now)();
    let tokens = of_workspace(&app, &caller).await?;
    let tokens: Vec<Value> = tokens.iter().map(|token| token_json(token, now)).collect();
    told(&json!({ "tokens": tokens }))
}

/// `POST /api/tokens`: makes one. Only the answer has its secret.
async fn create(State(app): State<Shared>, request: Request) -> Result<Response, HttpProblem> {
    let (head, sent) = request.into_parts();
    let caller = admitted(&app, &head.headers, Verb::Write).await?;
    let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    let now = (app.now)();
    let new = new_token(&bytes, &caller, now)?;
    let fresh = secret::fresh().map_err(|_| HttpProblem::internal())?;
    let new = NewToken {
        id: fresh.id,
        sha256: fresh.sha256,
        ..new
    };
    app.database
        .create_token_of(&new, owner(&caller), now)
        .await?;
    told(&made_json(&fresh.secret, &new))
}

/// Whom the tokens that a caller makes end with.
fn owner(caller: &Caller) -> Option<&str> {
    caller.token()?.user_id.as_deref()
}

fn made_json(secret: &SecretString, new: &NewToken) -> Value {
    let grants: Vec<String> = new.grants.iter().map(grant::shown).collect();
    json!({
        "token": secret.expose_secret(),
        "id": new.id,
        "name": new.name,
        "workspace": new.workspace,
        "grants": grants,
        "expires_at": new.expires_at,
    })
}

/// `POST /api/tokens/{token}/rotate`: makes another for the same, and ends this one after an overlap.
async fn rotate(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let (head, sent) = request.into_parts();
    let caller = admitted(&app, &head.headers, Verb::Write).await?;
    let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    let wants = "the body has to be an object with `overlap_seconds`, a number from 0 to 2592000";
    let fields = ObjectFields::read(&bytes).map_err(|_| HttpProblem::invalid(wants))?;
    let wanted: RotateRequest = serde_json::from_value(Value::Object(fields.into_map()))
        .map_err(|_| HttpProblem::invalid(wants))?;
    let overlap = i64::try_from(wanted.overlap_seconds).ok();
    let overlap = overlap.filter(|seconds| (0..=OVERLAP_SECONDS_MAX).contains(seconds));
    let overlap = overlap.ok_or_else(|| HttpProblem::invalid(wants))?;
    let now = (app.now)();
    let unknown = || {
        let message = "there is no valid token of this id";
        HttpProblem::new(StatusCode::NOT_FOUND, message)
    };
    let tokens = of_workspace(&app, &caller).await?;
    let old = tokens
        .iter()
        .find(|token| token.id == id && token.is_valid(now));
    let old = old.ok_or_else(unknown)?;
    // The answer has a secret: whoever gets it could do all of that.
    if let Some(more) = old.grants.iter().find(|one| !caller.includes(one)) {
        return Err(more_than_held(more));
    }
    let rotated = rotation(old, now).map_err(|_| HttpProblem::internal())?;
    let end = now + SignedDuration::from_secs(overlap);
    let (new, database) = (&rotated.token, &app.database);
    if !database
        .rotate_token(&id, new, owner(&caller), end, now)
        .await?
    {
        return Err(unknown());
    }
    told(&made_json(&rotated.secret, new))
}

/// A token in the place of another one.
#[derive(Debug)]
pub struct RotatedToken {
    /// What its owner is told, once.
    pub secret: SecretString,
    /// What is kept of it.
    pub token: NewToken,
}

/// A token that does what `old` does, for as long as `old` was made for.
///
/// # Errors
/// The system has no random bytes to give.
pub fn rotation(old: &Token, now: Timestamp) -> Result<RotatedToken, NoRandomness> {
    let fresh = secret::fresh()?;
    let length = old.expires_at.map(|end| end.duration_since(old.created_at));
    let token = NewToken {
        id: fresh.id,
        workspace: old.workspace.clone(),
        name: old.name.clone(),
        sha256: fresh.sha256,
        grants: old.grants.clone(),
        expires_at: length.and_then(|length| now.checked_add(length).ok()),
    };
    Ok(RotatedToken {
        secret: fresh.secret,
        token,
    })
}

/// `DELETE /api/tokens/{token}`: revokes one, at once.
async fn revoke(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, HttpProblem> {
    let caller = admitted(&app, request.headers(), Verb::Write).await?;
    let tokens = of_workspace(&app, &caller).await?;
    let is_known = tokens.iter().any(|token| token.id == id);
    if !is_known || !app.database.revoke_token(&id, (app.now)()).await? {
        let message = "there is no token of this id that was not revoked";
        return Err(HttpProblem::new(StatusCode::NOT_FOUND, message));
    }
    told(&json!({ "revoked": id }))
}

async fn admitted(app: &App, headers: &HeaderMap, verb: Verb) -> Result<Caller, HttpProblem> {
    let caller = Caller::authenticate(app, headers).await?;
    caller.require_tokens(verb)?;
    Ok(caller)
}

async fn of_workspace(app: &App, caller: &Caller) -> Result<Vec<Token>, HttpProblem> {
    let mut tokens = app.database.tokens().await?;
    tokens.retain(|token| token.workspace == caller.workspace);
    Ok(tokens)
}

/// What a body asks for, as far as the caller may hand it on. Id and checksum are still to come.
fn new_token(bytes: &[u8], caller: &Caller, now: Timestamp) -> Result<NewToken, HttpProblem> {
    let wants = "the body has to be an object with `grants`, and where it is wanted `name` and `expires_at`";
    let fields = ObjectFields::read(bytes).map_err(|_| HttpProblem::invalid(wants))?;
    let wanted: TokenRequest = serde_json::from_value(Value::Object(fields.into_map()))
        .map_err(|_| HttpProblem::invalid(wants))?;
    let name = secret::name(&wanted.name).ok_or_else(|| {
        HttpProblem::invalid("`name` has to be one line of at most 100 characters")
    })?;
    let grants = wanted.grants.iter().map(|text| grant::parse(text));
    let grants = grants.collect::<Result<Vec<_>, _>>();
    let grants = grants.map_err(|error| HttpProblem::invalid(error.to_string()))?;
    if let Some(more) = grants.iter().find(|one| !caller.includes(one)) {
        return Err(more_than_held(more));
    }
    if wanted.expires_at.is_some_and(|end| end <= now) {
        return Err(HttpProblem::invalid("`expires_at` is not in the future"));
    }
    Ok(NewToken {
        id: String::new(),
        workspace: caller.workspace.clone(),
        name,
        sha256: [0; 32],
        grants,
        expires_at: wanted.expires_at,
    })
}

fn more_than_held(more: &Grant) -> HttpProblem {
    let message = format!(
        "this token may not grant `{}`: it may not do that itself",
        grant::shown(more)
    );
    HttpProblem::new(StatusCode::FORBIDDEN, message)
}

fn told(value: &Value) -> Result<Response, HttpProblem> {
    let bytes = serde_json::to_vec(value).map_err(|_| HttpProblem::internal())?;
    Ok(answer(bytes, None))
}
