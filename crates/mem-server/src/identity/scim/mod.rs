//! What a directory says of users, in the form of SCIM 2.0 (RFC 7643, RFC 7644): `/scim/v2`.
//!
//! It is for de-provisioning: `active: false` ends the sessions and tokens of a user at once, and refuses further
//! sign-ins. The bearer token of `[scim]` asks, and no other. Answers have the form of SCIM, errors too.
//!
//! # Layout
//! - `resource`: a user as SCIM writes it. `patch`: changes of a part of one. Here: routes and answers.

mod patch;
mod resource;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, Path, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use jiff::Timestamp;
use mem_stores::strict::ObjectFields;
use secrecy::ExposeSecret as _;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::Identity;
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::http::request_log::note_caller;
use crate::http::{HttpAnswer, body};
use crate::storage::{IdentityUser, UserError, UserProfile};
use patch::patched;
use resource::{USER_SCHEMA, user_json, user_profile};

/// Where SCIM is.
const SCIM_PATH: &str = "/scim/v2/";
const CONFIG_PATH: &str = "/scim/v2/ServiceProviderConfig";
const USERS_PATH: &str = "/scim/v2/Users";
/// Of a user.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Users of one page of a list.
const PAGE_MAX: i64 = 200;
/// The type of all bodies (RFC 7644, 3.1).
const SCIM_JSON: HeaderValue = HeaderValue::from_static("application/scim+json");
/// What the logs call a directory.
const SCIM_CALLER: &str = "scim";

/// 400, with the word of SCIM for it (RFC 7644, 3.12).
fn invalid(kind: &'static str, detail: impl Into<String>) -> HttpProblem {
    HttpProblem::invalid(detail.into()).with_kind(kind)
}

impl From<UserError> for HttpProblem {
    fn from(error: UserError) -> Self {
        let message = error.to_string();
        match error {
            UserError::Storage(error) => error.into(),
            UserError::Unknown => Self::new(StatusCode::NOT_FOUND, message),
            _ => Self::new(StatusCode::CONFLICT, message).with_kind("uniqueness"),
        }
    }
}

/// A problem in the form of SCIM, where the request is one of SCIM, whether its route is there or not.
pub(crate) fn scim_error(uri: &Uri, problem: &HttpProblem) -> Option<Value> {
    uri.path().starts_with(SCIM_PATH).then(|| {
        let mut error = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
            "status": problem.status().as_u16().to_string(),
            "detail": problem.message(),
        });
        if let Some(kind) = problem.special_kind() {
            error["scimType"] = json!(kind);
        }
        error
    })
}

/// A body of SCIM.
pub(crate) fn scim_answer(value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    response.headers_mut().insert(CONTENT_TYPE, SCIM_JSON);
    response
}

/// A request of the holder of the token of `[scim]`.
struct DirectoryCall {
    app: Shared,
    identity: Arc<Identity>,
    now: Timestamp,
}

impl FromRequestParts<Shared> for DirectoryCall {
    type Rejection = HttpProblem;

    async fn from_request_parts(head: &mut Parts, app: &Shared) -> Result<Self, HttpProblem> {
        let identity = app.identity.as_ref();
        let Some(identity) = identity.filter(|identity| is_directory(identity, &head.headers))
        else {
            app.metrics.unauthenticated.inc();
            let detail = "the token of `[scim]` is needed, as `Authorization: Bearer`";
            let problem = HttpProblem::new(StatusCode::UNAUTHORIZED, detail);
            return Err(problem.with(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        };
        note_caller(SCIM_CALLER, SCIM_CALLER, "");
        app.pace.admit(SCIM_CALLER)?;
        Ok(Self {
            app: Arc::clone(app),
            identity: Arc::clone(identity),
            now: (app.now)(),
        })
    }
}

/// Whether a request has the token of `[scim]`.
fn is_directory(identity: &Identity, headers: &HeaderMap) -> bool {
    let digest = |text: &str| Sha256::digest(text.as_bytes());
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (Some(token), Some(first), None) = (&identity.scim, sent.next(), sent.next()) else {
        return false;
    };
    let bearer = first.to_str().ok().and_then(|text| text.split_once(' '));
    bearer.is_some_and(|(scheme, sent)| {
        let is_same = digest(token.expose_secret()).ct_eq(&digest(sent.trim()));
        scheme.eq_ignore_ascii_case("bearer") && is_same.into()
    })
}

impl DirectoryCall {
    fn issuer(&self) -> &str {
        &self.identity.settings.issuer
    }

    /// The body of a request: an object, as `application/scim+json` or `application/json`.
    async fn read_object(&self, request: Request) -> Result<Map<String, Value>, HttpProblem> {
        let (mut head, sent) = request.into_parts();
        let kind = head.headers.get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()?.split(';').next());
        if kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/scim+json")) {
            let json = HeaderValue::from_static("application/json");
            head.headers.insert(CONTENT_TYPE, json);
        }
        let patience = self.app.limits.body;
        let bytes = body::read(&head.headers, sent, BODY_BYTES_MAX, patience).await?;
        let fields = ObjectFields::read(&bytes);
        let fields = fields.map_err(|_| invalid("invalidSyntax", "the body is no JSON object"))?;
        Ok(fields.into_map())
    }

    async fn change_user(
        &self,
        id: &str,
        decide: impl FnOnce(&UserProfile) -> Result<UserProfile, HttpProblem>,
    ) -> HttpAnswer {
        let database = &self.app.database;
        let changed = database.change_identity_user(self.issuer(), id, self.now, decide);
        let user = changed.await?;
        if !user.profile.active {
            tracing::info!(user = user.id, "a user is not active any more");
        }
        Ok(scim_answer(&self.user(&user)))
    }

    /// A user as SCIM shows it.
    fn user(&self, user: &IdentityUser) -> Value {
        let mut shown = user_json(&user.profile);
        let meta = json!({
            "resourceType": "User",
            "created": user.created_at,
            "lastModified": user.updated_at,
            "location": self.identity.public_place(&format!("{USERS_PATH}/{}", user.id)),
        });
        shown.insert("schemas".to_owned(), json!([USER_SCHEMA]));
        shown.insert("id".to_owned(), json!(user.id));
        shown.insert("meta".to_owned(), meta);
        Value::Object(shown)
    }
}

/// The routes of SCIM.
pub(crate) fn routes() -> Router<Shared> {
    let user = get(show_user)
        .put(replace_user)
        .patch(patch_user)
        .delete(delete_user);
    Router::new()
        .route(CONFIG_PATH, get(show_config))
        .route(USERS_PATH, get(list_users).post(create_user))
        .route(&format!("{USERS_PATH}/{{user}}"), user)
}

/// `GET /scim/v2/ServiceProviderConfig`: what of SCIM there is.
async fn show_config(_: DirectoryCall) -> Response {
    let (yes, no) = (json!({ "supported": true }), json!({ "supported": false }));
    scim_answer(&json!({
        "schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        "patch": yes,
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": PAGE_MAX },
        "changePassword": no,
        "sort": no,
        "etag": no,
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "The token in the file that `token_file` of `[scim]` names",
        }],
    }))
}

/// `GET /scim/v2/Users`: users, or those that a filter names.
async fn list_users(call: DirectoryCall, request: Request) -> HttpAnswer {
    let known = ["filter", "startIndex", "count"];
    let parameters = Parameters::read_known(request.uri().query(), &known)?;
    let filter = resource::filter(parameters.get("filter").unwrap_or_default())?;
    let number = |name: &str, default: i64| match parameters.get(name).map(str::parse) {
        None => Ok(default),
        Some(Ok(number)) => Ok(number),
        Some(Err(_)) => Err(invalid("invalidValue", format!("`{name}` is no number"))),
    };
    let first = number("startIndex", 1)?.max(1);
    let count = number("count", PAGE_MAX)?.clamp(0, PAGE_MAX);
    let database = &call.app.database;
    let users = database.identity_users(call.issuer(), &filter, first - 1, count);
    let (total, users) = users.await?;
    let shown: Vec<Value> = users.iter().map(|user| call.user(user)).collect();
    Ok(scim_answer(&json!({
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        "totalResults": total,
        "startIndex": first,
        "itemsPerPage": shown.len(),
        "Resources": shown,
    })))
}

/// `GET /scim/v2/Users/{user}`.
async fn show_user(call: DirectoryCall, Path(id): Path<String>) -> HttpAnswer {
    let user = call.app.database.identity_user(call.issuer(), &id).await?;
    Ok(scim_answer(&call.user(&user)))
}

/// `POST /scim/v2/Users`: adds one, before or without a sign-in.
async fn create_user(call: DirectoryCall, request: Request) -> HttpAnswer {
    let profile = user_profile(call.read_object(request).await?)?;
    let database = &call.app.database;
    let made = database.create_identity_user(call.issuer(), profile, call.now);
    let user = call.user(&made.await?);
    let mut response = scim_answer(&user);
    *response.status_mut() = StatusCode::CREATED;
    let place = user["meta"]["location"].as_str();
    if let Some(place) = place.and_then(|place| HeaderValue::from_str(place).ok()) {
        response.headers_mut().insert(LOCATION, place);
    }
    Ok(response)
}

/// `PUT /scim/v2/Users/{user}`: replaces all that is known of one.
async fn replace_user(call: DirectoryCall, Path(id): Path<String>, request: Request) -> HttpAnswer {
    let profile = user_profile(call.read_object(request).await?)?;
    call.change_user(&id, |_| Ok(profile)).await
}

/// `PATCH /scim/v2/Users/{user}`: changes a part of one. Decided on the user as the database has it: a change at the
/// same time that makes them inactive is not undone.
async fn patch_user(call: DirectoryCall, Path(id): Path<String>, request: Request) -> HttpAnswer {
    let asked = call.read_object(request).await?;
    let patch = |user: &UserProfile| user_profile(patched(user_json(user), &asked)?);
    call.change_user(&id, patch).await
}

/// `DELETE /scim/v2/Users/{user}`: removes one; sessions and tokens end at once.
async fn delete_user(call: DirectoryCall, Path(id): Path<String>) -> HttpAnswer {
    let database = &call.app.database;
    let removed = database.remove_identity_user(call.issuer(), &id, call.now);
    removed.await?;
    tracing::info!(user = id, "a user was removed by SCIM");
    Ok(StatusCode::NO_CONTENT.into_response())
}
