//! Signing in: with a token, or with the identity provider of the server; and signing out.
//!
//! ```text
//!   GET /console/enter/provider   POST /api/identity/login     -> cookie with the binding, on to the provider
//!   GET /console/callback         POST /api/identity/callback  -> cookie with the session, on to the page
//! ```
//!
//! The cookie of a session is strict: a browser that comes from the provider does not send it back at once. The page
//! after the callback is therefore ours, and leads on.

use axum::Router;
use axum::body::Body;
use axum::http::header::HeaderMap;
use axum::http::{Method, Response, StatusCode};
use maud::html;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::super::request::{PageError, Request};
use super::super::server::{page, see_other};
use super::super::{layout, texts};
use super::api::{Api, word};
use super::session::{self, Session};
use super::{FIRST_STORE, ROOT, frame, with_cookie};

/// What the server knows of identity providers.
const IDENTITY: &str = "/api/identity";

/// The page that was asked for before, or the first one.
fn target_place(asked: &str) -> &str {
    Some(asked)
        .filter(|to| session::is_place(to))
        .unwrap_or(ROOT)
}

/// What people call the provider, where the server has one.
async fn find_provider(api: &Router, headers: &HeaderMap) -> Option<String> {
    let api = Api::new(api, headers, "");
    let known: Value = api.get(IDENTITY).await.ok()?;
    Some(word(&known["provider"], "name")).filter(|name| !name.is_empty())
}

/// The page that asks who it is, with what went wrong before.
pub(super) async fn sign_in_page(
    api: &Router,
    headers: &HeaderMap,
    to: &str,
    error: Option<&PageError>,
) -> Response<Body> {
    let provider = find_provider(api, headers).await;
    let status = error.map_or(StatusCode::OK, |error| error.status);
    page(status, frame::sign_in(to, provider.as_deref(), error))
}

/// Asks for a token, and takes one that the API takes.
pub(super) async fn with_token(
    api: &Router,
    request: &Request,
    headers: &HeaderMap,
) -> Response<Body> {
    if !request.is_post() {
        return sign_in_page(api, headers, target_place(request.query("to")), None).await;
    }
    let to = target_place(request.field("to"));
    let token = request.field("token").trim();
    let Some(session) = Session::begin(token) else {
        let error = PageError::from_status(StatusCode::UNAUTHORIZED, texts::NO_TOKEN);
        return sign_in_page(api, headers, to, Some(&error)).await;
    };
    let asked = Api::new(api, headers, token);
    match asked.get::<IgnoredAny>(FIRST_STORE).await {
        Ok(_) => with_cookie(see_other(to), &session.cookie(headers)),
        Err(error) => sign_in_page(api, headers, to, Some(&error)).await,
    }
}

/// Sends the browser to the provider.
pub(super) async fn to_provider(
    api: &Router,
    request: &Request,
    headers: &HeaderMap,
) -> Response<Body> {
    let to = target_place(request.query("to"));
    let asked = Api::new(api, headers, "");
    let target = format!("{IDENTITY}/login");
    match asked
        .send::<Value>(Method::POST, &target, &json!({ "to": to }))
        .await
    {
        Ok(begun) => {
            let cookie = session::binding_cookie(&word(&begun, "binding"), headers);
            with_cookie(see_other(&word(&begun, "location")), &cookie)
        }
        Err(error) => sign_in_page(api, headers, to, Some(&error)).await,
    }
}

/// Takes the browser back from the provider.
pub(super) async fn from_provider(
    api: &Router,
    request: &Request,
    headers: &HeaderMap,
) -> Response<Body> {
    let asked = Api::new(api, headers, "");
    let mut body = json!({
        "binding": session::binding(headers).unwrap_or_default(),
        "state": request.query("state"),
    });
    for name in ["code", "error", "iss"] {
        if !request.query(name).is_empty() {
            body[name] = json!(request.query(name));
        }
    }
    let target = format!("{IDENTITY}/callback");
    let done: Result<Value, _> = asked.send(Method::POST, &target, &body).await;
    let begun = done.and_then(|done| {
        let failed = || PageError::from_status(StatusCode::BAD_GATEWAY, texts::UNREADABLE);
        let session = Session::begin(&word(&done, "token")).ok_or_else(failed)?;
        Ok((session, word(&done, "to")))
    });
    let ended = session::ended_binding_cookie(headers);
    match begun {
        Ok((session, to)) => {
            let to = target_place(&to);
            let refresh = html! { meta http-equiv="refresh" content=(format!("0;url={to}")); };
            let content = html! { p { a href=(to) { (texts::GO_ON) } } };
            let markup = layout::bare(texts::ENTERING, ROOT, &content, &refresh);
            let answer = with_cookie(page(StatusCode::OK, markup), &session.cookie(headers));
            with_cookie(answer, &ended)
        }
        Err(error) => {
            let answer = sign_in_page(api, headers, ROOT, Some(&error)).await;
            with_cookie(answer, &ended)
        }
    }
}

/// Ends the session, at the server too where it has one of its own.
pub(super) async fn leave(api: &Router, session: &Session, headers: &HeaderMap) -> Response<Body> {
    let asked = Api::new(api, headers, session.token());
    let target = format!("{IDENTITY}/session");
    // A token that is no session stays valid: its holder has it elsewhere.
    let ended: Result<Value, _> = asked.send(Method::DELETE, &target, &Value::Null).await;
    let further = ended
        .map(|ended| word(&ended, "sign_out_url"))
        .unwrap_or_default();
    let answer = match further.is_empty() {
        true => see_other(super::ENTER),
        false => {
            let content = html! {
                p { (texts::SIGNED_OUT_HERE) }
                p { a href=(further) { (texts::SIGN_OUT_THERE) } }
                p.quiet { a href=(super::ENTER) { (texts::SIGN_IN) } }
            };
            page(
                StatusCode::OK,
                layout::bare(texts::SIGNED_OUT, ROOT, &content, &html! {}),
            )
        }
    };
    with_cookie(answer, &session::ended_cookie(headers))
}
