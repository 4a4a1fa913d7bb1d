//! The tokens of a workspace over HTTP, for callers with a grant for them: list, make, rotate, revoke.
//!
//! Nobody makes a token that may do more or lasts longer than their own, or revokes one that may do more. A token may
//! rotate itself, whenever it ends: a program renews its own.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::{delete, get, post};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::access::secret::NoRandomness;
use crate::access::{Caller, grant, secret};
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::{HttpAnswer, body, json_answer};
use crate::storage::{Grant, NewToken, Token};

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
    json!({
        "id": token.id,
        "name": token.name,
        "workspace": token.workspace,
        "grants": token.grants,
        "created_at": token.created_at,
        "expires_at": token.expires_at,
        "revoked_at": token.revoked_at,
        "last_used_at": token.last_used_at,
        "rotated_from": token.rotated_from,
        "session": token.session.as_ref().map(|session| session.kind.as_str()),
        "valid": token.is_valid(now),
    })
}

/// A request of a caller who was granted the tokens of their workspace.
struct TokenCall {
    app: Shared,
    caller: Caller,
    now: Timestamp,
}

impl FromRequestParts<Shared> for TokenCall {
    type Rejection = HttpProblem;

    async fn from_request_parts(head: &mut Parts, app: &Shared) -> Result<Self, HttpProblem> {
        let caller = Caller::authenticate_manager(app, head, grant::TOKENS).await?;
        let (now, app) = ((app.now)(), Arc::clone(app));
        Ok(Self { app, caller, now })
    }
}

impl TokenCall {
    /// The tokens of the workspace, the oldest first.
    async fn tokens(&self) -> Result<Vec<Token>, HttpProblem> {
        let mut tokens = self.app.database.tokens().await?;
        tokens.retain(|token| token.workspace == self.caller.workspace);
        Ok(tokens)
    }

    /// Whom the tokens that the caller makes end with.
    fn owner(&self) -> Option<&str> {
        self.caller.token()?.user_id.as_deref()
    }

    /// When the tokens that the caller makes end at the latest; `None` for a session, too, since that is renewed and its
    /// tokens end with its user.
    fn latest_end(&self) -> Option<Timestamp> {
        let token = self
            .caller
            .token()
            .filter(|token| token.session.is_none())?;
        token.expires_at
    }

    /// Refuses a token that ends later than the caller's own.
    fn require_end(&self, end: Option<Timestamp>) -> Result<(), HttpProblem> {
        match self.latest_end() {
            Some(latest) if end.is_none_or(|end| end > latest) => {
                let message =
                    format!("this token may not make one that outlives it: it ends at {latest}");
                Err(HttpProblem::new(StatusCode::FORBIDDEN, message))
            }
            _ => Ok(()),
        }
    }

    /// Refuses an act on grants that the caller does not have.
    fn require_held(&self, act: &str, grants: &[Grant]) -> Result<(), HttpProblem> {
        match grants.iter().find(|one| !self.caller.includes(one)) {
            None => Ok(()),
            Some(more) => {
                let message =
                    format!("this token may not {act} `{more}`: it may not do that itself");
                Err(HttpProblem::new(StatusCode::FORBIDDEN, message))
            }
        }
    }
}

/// The routes of tokens.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route(TOKENS_PATH, get(list).post(create))
        .route(&format!("{TOKENS_PATH}/{{token}}"), delete(revoke))
        .route(&format!("{TOKENS_PATH}/{{token}}/rotate"), post(rotate))
}

/// `GET /api/tokens`: those of the workspace, the oldest first.
async fn list(call: TokenCall) -> HttpAnswer {
    let tokens = call.tokens().await?;
    let shown = tokens.iter().map(|token| token_json(token, call.now));
    json_answer(&json!({ "tokens": shown.collect::<Vec<Value>>() }))
}

/// `POST /api/tokens`: makes one. Only the answer has its secret.
async fn create(call: TokenCall, request: Request) -> HttpAnswer {
    let wants = "the body has to be an object with `grants`, and where it is wanted `name` and `expires_at`";
    let wanted: TokenRequest = body::read_object(&call.app, request, BODY_BYTES_MAX, wants).await?;
    let name = secret::name(&wanted.name).ok_or_else(|| {
        HttpProblem::invalid("`name` has to be one line of at most 100 characters")
    })?;
    let grants = wanted.grants.iter().map(|text| grant::parse(text));
    let grants = grants.collect::<Result<Vec<_>, _>>();
    let grants = grants.map_err(|error| HttpProblem::invalid(error.to_string()))?;
    call.require_held("grant", &grants)?;
    if wanted.expires_at.is_some_and(|end| end <= call.now) {
        return Err(HttpProblem::invalid("`expires_at` is not in the future"));
    }
    let expires_at = wanted.expires_at.or(call.latest_end());
    call.require_end(expires_at)?;
    let workspace = call.caller.workspace.clone();
    let made = FreshToken::generate(workspace, name, grants, expires_at)?;
    let database = &call.app.database;
    let done = database.create_token_of(&made.token, call.owner(), call.now);
    done.await?;
    json_answer(&made.to_json())
}

/// A token that nobody has seen yet.
#[derive(Debug)]
pub struct FreshToken {
    /// What its owner is told, once.
    pub secret: SecretString,
    /// What is kept of it.
    pub token: NewToken,
}

impl FreshToken {
    /// Makes one.
    ///
    /// # Errors
    /// The system has no random bytes to give.
    pub fn generate(
        workspace: String,
        name: String,
        grants: Vec<Grant>,
        expires_at: Option<Timestamp>,
    ) -> Result<Self, NoRandomness> {
        let secret = secret::fresh_secret()?;
        let token = NewToken {
            id: secret::fresh_id()?,
            workspace,
            name,
            sha256: Sha256::digest(secret.expose_secret()).into(),
            grants,
            expires_at,
        };
        Ok(Self { secret, token })
    }

    /// One that does what `old` does, for as long as `old` was made for.
    ///
    /// # Errors
    /// As [`FreshToken::generate`].
    pub fn rotate(old: &Token, now: Timestamp) -> Result<Self, NoRandomness> {
        let length = old.expires_at.map(|end| end.duration_since(old.created_at));
        let expires_at = length.and_then(|length| now.checked_add(length).ok());
        let (workspace, name) = (old.workspace.clone(), old.name.clone());
        Self::generate(workspace, name, old.grants.clone(), expires_at)
    }

    /// As its owner is told of it, once.
    pub fn to_json(&self) -> Value {
        json!({
            "token": self.secret.expose_secret(),
            "id": self.token.id,
            "name": self.token.name,
            "workspace": self.token.workspace,
            "grants": self.token.grants,
            "expires_at": self.token.expires_at,
        })
    }
}

impl From<NoRandomness> for HttpProblem {
    fn from(_: NoRandomness) -> Self {
        Self::internal()
    }
}

/// `POST /api/tokens/{token}/rotate`: makes another for the same, and ends this one after an overlap.
async fn rotate(call: TokenCall, Path(id): Path<String>, request: Request) -> HttpAnswer {
    let wants = "the body has to be an object with `overlap_seconds`, a number from 0 to 2592000";
    let wanted: RotateRequest =
        body::read_object(&call.app, request, BODY_BYTES_MAX, wants).await?;
    let overlap = i64::try_from(wanted.overlap_seconds).ok();
    let overlap = overlap.filter(|seconds| (0..=OVERLAP_SECONDS_MAX).contains(seconds));
    let overlap = overlap.ok_or_else(|| HttpProblem::invalid(wants))?;
    let unknown = || {
        let message = "there is no valid token of this id";
        HttpProblem::new(StatusCode::NOT_FOUND, message)
    };
    let mut tokens = call.tokens().await?.into_iter();
    let old = tokens.find(|token| token.id == id && token.is_valid(call.now));
    let old = old.ok_or_else(unknown)?;
    // The answer has a secret: whoever gets it could do all of that.
    call.require_held("grant", &old.grants)?;
    let made = FreshToken::rotate(&old, call.now)?;
    if call.caller.token().is_none_or(|own| own.id != old.id) {
        call.require_end(made.token.expires_at)?;
    }
    let end = call.now + SignedDuration::from_secs(overlap);
    let database = &call.app.database;
    let done = database.rotate_token(&id, &made.token, call.owner(), end, call.now);
    match done.await? {
        true => json_answer(&made.to_json()),
        false => Err(unknown()),
    }
}

/// `DELETE /api/tokens/{token}`: revokes one, at once.
async fn revoke(call: TokenCall, Path(id): Path<String>) -> HttpAnswer {
    let unknown = || {
        let message = "there is no token of this id that was not revoked";
        HttpProblem::new(StatusCode::NOT_FOUND, message)
    };
    let mut tokens = call.tokens().await?.into_iter();
    let token = tokens.find(|token| token.id == id && token.revoked_at.is_none());
    let token = token.ok_or_else(unknown)?;
    call.require_held("revoke a token with", &token.grants)?;
    if !call.app.database.revoke_token(&id, call.now).await? {
        return Err(unknown());
    }
    json_answer(&json!({ "revoked": id }))
}
