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
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use mem_stores::strict::ObjectFields;
use secrecy::ExposeSecret as _;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::Identity;
use crate::app::{App, Shared};
use crate::http::body;
use crate::http::observed::note_caller;
use crate::http::problem::HttpProblem;
use crate::http::query::Parameters;
use crate::storage::{IdentityUser, StorageError, UserChange, UserChanged};
use patch::patched;
use resource::{USER_SCHEMA, user_change, user_json};

/// Where SCIM is.
const CONFIG_PATH: &str = "/scim/v2/ServiceProviderConfig";
const USERS_PATH: &str = "/scim/v2/Users";
/// Of a user.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Users of one page of a list.
const PAGE_MAX: i64 = 200;
/// The type of all bodies (RFC 7644, 3.1).
const SCIM_JSON: HeaderValue = HeaderValue::from_static("application/scim+json");

/// Why a request is refused, as SCIM says it (RFC 7644, 3.12).
#[derive(Debug)]
pub(super) enum ScimFault {
    /// The status, the detail, and the `scimType` where there is one.
    Refused(StatusCode, String, Option<&'static str>),
    /// What every route has in common.
    Problem(HttpProblem),
}

impl ScimFault {
    /// 400.
    fn invalid(kind: &'static str, detail: impl Into<String>) -> Self {
        Self::Refused(StatusCode::BAD_REQUEST, detail.into(), Some(kind))
    }

    fn not_found() -> Self {
        let detail = "there is no user of this id".to_owned();
        Self::Refused(StatusCode::NOT_FOUND, detail, None)
    }

    fn name_taken() -> Self {
        let detail = "another user has this `userName`".to_owned();
        Self::Refused(StatusCode::CONFLICT, detail, Some("uniqueness"))
    }
}

impl From<StorageError> for ScimFault {
    fn from(error: StorageError) -> Self {
        Self::Problem(error.into())
    }
}

impl From<HttpProblem> for ScimFault {
    fn from(problem: HttpProblem) -> Self {
        Self::Problem(problem)
    }
}

impl IntoResponse for ScimFault {
    fn into_response(self) -> Response {
        let (status, detail, kind) = match self {
            Self::Problem(problem) => return problem.into_response(),
            Self::Refused(status, detail, kind) => (status, detail, kind),
        };
        let mut error = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
            "status": status.as_u16().to_string(),
            "detail": detail,
        });
        if let Some(kind) = kind {
            error["scimType"] = json!(kind);
        }
        let mut response = scim_answer(status, &error);
        if status == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, bearer);
        }
        response
    }
}

/// What the logs call a directory.
const SCIM_CALLER: &str = "scim";

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
async fn show_config(State(app): State<Shared>, request: Request) -> Result<Response, ScimFault> {
    admit_directory(&app, request.headers())?;
    let (yes, no) = (json!({ "supported": true }), json!({ "supported": false }));
    Ok(scim_answer(
        StatusCode::OK,
        &json!({
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
        }),
    ))
}

/// `GET /scim/v2/Users`: users, or those that a filter names.
async fn list_users(State(app): State<Shared>, request: Request) -> Result<Response, ScimFault> {
    let identity = admit_directory(&app, request.headers())?;
    let known = ["filter", "startIndex", "count"];
    let parameters = Parameters::read_known(request.uri().query(), &known)?;
    let filter = resource::filter(parameters.get("filter").unwrap_or_default())?;
    let number = |name: &str, default: i64| match parameters.get(name).map(str::parse::<i64>) {
        None => Ok(default),
        Some(Ok(number)) => Ok(number),
        Some(Err(_)) => Err(ScimFault::invalid(
            "invalidValue",
            format!("`{name}` is no number"),
        )),
    };
    let first = number("startIndex", 1)?.max(1);
    let count = number("count", PAGE_MAX)?.clamp(0, PAGE_MAX);
    let page = app
        .database
        .identity_users(issuer_of(identity), &filter, first - 1, count)
        .await?;
    let shown: Vec<Value> = page
        .users
        .iter()
        .map(|user| scim_user(identity, user))
        .collect();
    Ok(scim_answer(
        StatusCode::OK,
        &json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
            "totalResults": page.total,
            "startIndex": first,
            "itemsPerPage": shown.len(),
            "Resources": shown,
        }),
    ))
}

/// `GET /scim/v2/Users/{user}`.
async fn show_user(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ScimFault> {
    let identity = admit_directory(&app, request.headers())?;
    let user = find_user(&app, identity, &id).await?;
    Ok(scim_answer(StatusCode::OK, &scim_user(identity, &user)))
}

/// `POST /scim/v2/Users`: adds one, before or without a sign-in.
async fn create_user(State(app): State<Shared>, request: Request) -> Result<Response, ScimFault> {
    let (head, sent) = request.into_parts();
    let identity = admit_directory(&app, &head.headers)?;
    let change = user_change(read_object(&app, &head.headers, sent).await?)?;
    let now = (app.now)();
    let made = app
        .database
        .create_identity_user(issuer_of(identity), &change, now)
        .await?;
    let made = made.ok_or_else(ScimFault::name_taken)?;
    let user = scim_user(identity, &made);
    let place = user["meta"]["location"]
        .as_str()
        .and_then(|place| HeaderValue::from_str(place).ok());
    let mut response = scim_answer(StatusCode::CREATED, &user);
    if let Some(place) = place {
        response.headers_mut().insert(LOCATION, place);
    }
    Ok(response)
}

/// `PUT /scim/v2/Users/{user}`: replaces all that is known of one.
async fn replace_user(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ScimFault> {
    let (head, sent) = request.into_parts();
    let identity = admit_directory(&app, &head.headers)?;
    let change = user_change(read_object(&app, &head.headers, sent).await?)?;
    store_change(&app, identity, &id, |_| Ok(change)).await
}

/// `PATCH /scim/v2/Users/{user}`: changes a part of one. Decided on the user as the database has it: a change at the same
/// time that makes them inactive is not undone.
async fn patch_user(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ScimFault> {
    let (head, sent) = request.into_parts();
    let identity = admit_directory(&app, &head.headers)?;
    let asked = read_object(&app, &head.headers, sent).await?;
    let change = |user: &IdentityUser| user_change(patched(user_json(user), &asked)?);
    store_change(&app, identity, &id, change).await
}

/// `DELETE /scim/v2/Users/{user}`: removes one; sessions and tokens end at once.
async fn delete_user(
    State(app): State<Shared>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, ScimFault> {
    let identity = admit_directory(&app, request.headers())?;
    if !app
        .database
        .delete_identity_user(issuer_of(identity), &id, (app.now)())
        .await?
    {
        return Err(ScimFault::not_found());
    }
    tracing::info!(user = id, "a user was removed by SCIM");
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn store_change(
    app: &App,
    identity: &Identity,
    id: &str,
    change: impl FnOnce(&IdentityUser) -> Result<UserChange, ScimFault>,
) -> Result<Response, ScimFault> {
    let database = &app.database;
    let done = database.change_identity_user(issuer_of(identity), id, change, (app.now)());
    match done.await? {
        UserChanged::NotFound => return Err(ScimFault::not_found()),
        UserChanged::NameTaken => return Err(ScimFault::name_taken()),
        UserChanged::Refused(fault) => return Err(fault),
        UserChanged::Done { is_active: true } => {}
        UserChanged::Done { is_active: false } => {
            tracing::info!(user = id, "a user is not active any more");
        }
    }
    let user = find_user(app, identity, id).await?;
    Ok(scim_answer(StatusCode::OK, &scim_user(identity, &user)))
}

async fn find_user(app: &App, identity: &Identity, id: &str) -> Result<IdentityUser, ScimFault> {
    let user = app.database.identity_user(issuer_of(identity), id).await?;
    user.ok_or_else(ScimFault::not_found)
}

/// The holder of the token of `[scim]`.
fn admit_directory<'a>(app: &'a App, headers: &HeaderMap) -> Result<&'a Arc<Identity>, ScimFault> {
    let digest = |text: &str| Sha256::digest(text.as_bytes());
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (sent, more) = (sent.next(), sent.next());
    let bearer = sent.and_then(|value| value.to_str().ok()?.split_once(' '));
    let bearer =
        bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer") && more.is_none());
    let identity = app.identity.as_ref().filter(|identity| {
        identity
            .scim
            .as_ref()
            .zip(bearer)
            .is_some_and(|(token, (_, sent))| {
                digest(token.expose_secret())
                    .ct_eq(&digest(sent.trim()))
                    .into()
            })
    });
    let Some(identity) = identity else {
        app.metrics.unauthenticated.inc();
        let detail = "the token of `[scim]` is needed, as `Authorization: Bearer`".to_owned();
        return Err(ScimFault::Refused(StatusCode::UNAUTHORIZED, detail, None));
    };
    note_caller(SCIM_CALLER, SCIM_CALLER, "");
    app.pace.admit(SCIM_CALLER)?;
    Ok(identity)
}

fn issuer_of(identity: &Identity) -> &str {
    &identity.settings.issuer
}

/// A body: an object, as `application/scim+json` or `application/json`.
async fn read_object(
    app: &App,
    headers: &HeaderMap,
    sent: axum::body::Body,
) -> Result<Map<String, Value>, ScimFault> {
    let mut headers = headers.clone();
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    if kind
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/scim+json"))
    {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let bytes: Bytes = body::read(&headers, sent, BODY_BYTES_MAX, app.limits.body).await?;
    let fields = ObjectFields::read(&bytes);
    let fields =
        fields.map_err(|_| ScimFault::invalid("invalidSyntax", "the body is no JSON object"))?;
    Ok(fields.into_map())
}

/// A user as SCIM shows it.
fn scim_user(identity: &Identity, user: &IdentityUser) -> Value {
    let mut shown = user_json(user);
    let base = identity.settings.public_url.trim_end_matches('/');
    let meta = json!({
        "resourceType": "User",
        "created": user.created_at,
        "lastModified": user.updated_at,
        "location": format!("{base}{USERS_PATH}/{}", user.id),
    });
    shown.insert("schemas".to_owned(), json!([USER_SCHEMA]));
    shown.insert("id".to_owned(), json!(user.id));
    shown.insert("meta".to_owned(), meta);
    Value::Object(shown)
}

fn scim_answer(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(value.to_string().into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, SCIM_JSON);
    response
}
