//! `/console` of a server: its memory stores in the web browser, for people who sign in with a token.
//!
//! ```text
//!   request -> session (Origin, cookie, CSRF) -> page -> the server's own API, in process -> HTML
//! ```
//!
//! A page reads and changes by calls of the API with the token of the person who looks, so that each call is
//! authorised, paced, counted and logged as one over the network. Nothing is kept between requests: every replica
//! answers, and a revoked token ends its session at once.
//!
//! **Cost:** one to four calls of the API a page. Tests: `console::stores` in `tests/`.

mod api;
mod frame;
mod memory;
mod session;
mod sign_in;
mod store;
mod tokens;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, Request as HttpRequest, Response, StatusCode};
use axum::routing::any;
use jiff::Timestamp;
use maud::{Markup, html};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::json;

use super::access::Refused;
use super::pages::ConfirmationPage;
use super::request::{PageError, Request, with_query};
use super::server::{BODY_BYTES_MAX, bare_error, file, page, refusal, see_other};
use super::{assets, layout, texts};
use api::{Api, STORES};
use session::Session;

/// Where all of it is.
const ROOT: &str = "/console";
/// Where one signs in, and out; and the files that pages load, for everybody.
const ENTER: &str = "/console/enter";
const LEAVE: &str = "/console/leave";
/// Where one goes to the identity provider, and where it sends browsers back to.
const ENTER_PROVIDER: &str = "/console/enter/provider";
const CALLBACK: &str = "/console/callback";
const ASSETS: &str = "/console/assets/";
/// A call that every token may make.
const FIRST_STORE: &str = "/v1/memory_stores?limit=1";
/// A token and an address.
const SIGN_IN_BYTES_MAX: usize = 8 * 1024;

/// The present.
pub type PresentTime = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The API of the server, and the present.
type Shared = (Router, PresentTime);

/// Pages over the API of a server: the routes of `/console`.
pub fn routes(api: Router, now: PresentTime) -> Router {
    Router::new()
        .route(ROOT, any(answer))
        .route(&format!("{ROOT}/{{*page}}"), any(answer))
        .with_state((api, now))
}

/// A request of somebody who is signed in.
struct Visit {
    api: Api,
    session: Session,
    request: Request,
    now: Timestamp,
}

type PageResult = Result<Response<Body>, PageError>;

impl Visit {
    /// A page that is as it should be.
    fn page(&self, title: &str, content: &Markup) -> PageResult {
        Ok(page(StatusCode::OK, frame::framed(self, title, content)))
    }

    /// A page of a form, with what the API said against it.
    fn form_page(&self, title: &str, failure: Option<PageError>, content: &Markup) -> PageResult {
        match failure {
            None => self.page(title, content),
            Some(error) if error.status == StatusCode::UNAUTHORIZED => Err(error),
            Some(error) => {
                let content = html! { (layout::error_card(&error)) (content) };
                Ok(page(error.status, frame::framed(self, title, &content)))
            }
        }
    }

    /// Goes to a page that says what was done.
    fn done(&self, place: &str, done: &str) -> PageResult {
        Ok(see_other(&format!("{place}?done={done}")))
    }

    /// Asks for a change; the form of that page carries it out, by one call of the API.
    async fn decide(
        &self,
        asked: ConfirmationPage<'_>,
        method: Method,
        target: &str,
        done: &str,
    ) -> PageResult {
        if !self.request.is_post() {
            let content = asked.content(&self.request.address, self.session.csrf());
            return self.page(asked.title, &content);
        }
        let _: IgnoredAny = self.api.send(method, target, &json!({})).await?;
        self.done(&asked.back, done)
    }

    /// What the API says of stores, below their address.
    async fn read<T: DeserializeOwned>(
        &self,
        rest: &str,
        query: &[(&str, &str)],
    ) -> Result<T, PageError> {
        // What is empty is left out.
        let query = query.iter().copied().filter(|(_, value)| !value.is_empty());
        let path = with_query(&format!("{STORES}{rest}"), query);
        self.api.get(&path).await
    }

    fn form(&self, action: &str, content: &Markup) -> Markup {
        layout::form(action, self.session.csrf(), content)
    }
}

/// Answers one request.
async fn answer(State(shared): State<Shared>, request: HttpRequest<Body>) -> Response<Body> {
    let mut answer = answered(&shared, request).await;
    // Forms say where they come from, and no other site learns it.
    let policy = HeaderValue::from_static("same-origin");
    answer.headers_mut().insert(header::REFERRER_POLICY, policy);
    answer
}

async fn answered((api, now): &Shared, request: HttpRequest<Body>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let (method, headers, path) = (head.method, head.headers, head.uri.path());
    if method != Method::GET && method != Method::POST {
        return bare_error(StatusCode::METHOD_NOT_ALLOWED);
    }
    if let Some(asset) = path.strip_prefix(ASSETS).and_then(assets::find) {
        return file(asset);
    }
    let is_own = session::is_own_page(&method, &headers);
    if method == Method::POST && !is_own {
        return refusal(Refused::Origin);
    }
    // A page of another site may lead here, and finds nobody signed in.
    let session = Session::from_headers(&headers).filter(|_| is_own);
    let most = session
        .as_ref()
        .map_or(SIGN_IN_BYTES_MAX, |_| BODY_BYTES_MAX);
    let Ok(body) = axum::body::to_bytes(body, most).await else {
        return bare_error(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let query = head.uri.query().unwrap_or_default();
    let request = Request::new(method, path, query, &body, false);
    match path {
        ENTER => return sign_in::with_token(api, &request, &headers).await,
        ENTER_PROVIDER => return sign_in::to_provider(api, &request, &headers).await,
        CALLBACK => return sign_in::from_provider(api, &request, &headers).await,
        _ => {}
    }
    match session {
        None => see_other(&with_query(ENTER, [("to", &*request.address)])),
        Some(session) if request.is_post() && !session.csrf().is(request.field("csrf")) => {
            refusal(Refused::Csrf)
        }
        Some(session) if request.is_post() && path == LEAVE => {
            sign_in::leave(api, &session, &headers).await
        }
        Some(session) => {
            let visit = Visit {
                api: Api::new(api, &headers, session.token()),
                session,
                request,
                now: now(),
            };
            respond(api, &visit, &headers).await
        }
    }
}

fn with_cookie(mut answer: Response<Body>, cookie: &str) -> Response<Body> {
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        answer.headers_mut().append(header::SET_COOKIE, cookie);
    }
    answer
}

/// Makes the page, or one about why there is none.
async fn respond(api: &Router, visit: &Visit, headers: &HeaderMap) -> Response<Body> {
    match page_of(visit).await {
        Ok(answer) => answer,
        // The token was revoked, or its time is over.
        Err(error) if error.status == StatusCode::UNAUTHORIZED => {
            let asked = &visit.request.address;
            let answer = sign_in::sign_in_page(api, headers, asked, Some(&error)).await;
            with_cookie(answer, &session::ended_cookie(headers))
        }
        Err(error) => {
            let title = error.status.canonical_reason().unwrap_or(texts::REFUSED);
            let content = html! { h1 { (title) } (layout::error_card(&error)) };
            page(error.status, frame::framed(visit, title, &content))
        }
    }
}

async fn page_of(visit: &Visit) -> PageResult {
    let is_post = visit.request.is_post();
    let segments = visit.request.segments();
    // Ids become parts of the API's addresses: nothing else is one.
    let is_id = |kind: &str, id: &str| {
        let rest = id.strip_prefix(kind);
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let is_memory = |id: &str| is_id("mem_", id);
    let is_version = |id: &str| is_id("memver_", id);
    match (is_post, &segments[1..]) {
        (false, []) => store::list(visit).await,
        (_, ["tokens"]) => tokens::show(visit).await,
        (_, ["tokens", id, "revoke"]) if is_id("apikey_", id) => tokens::revoke(visit, id).await,
        (_, [id, rest @ ..]) if is_id("memstore_", id) => match (is_post, rest) {
            (false, []) => store::show(visit, id).await,
            (false, ["search"]) => store::search(visit, id).await,
            (false, ["audit"]) => store::audit(visit, id).await,
            (_, ["archive"]) => store::archive(visit, id).await,
            (_, ["new"]) => memory::write(visit, id, None).await,
            (false, [one]) if is_memory(one) => memory::show(visit, id, one).await,
            (_, [one, "edit"]) if is_memory(one) => memory::write(visit, id, Some(one)).await,
            (_, [one, "delete"]) if is_memory(one) => memory::delete(visit, id, one).await,
            (false, [one]) if is_version(one) => memory::version(visit, id, one).await,
            (_, [one, "redact"]) if is_version(one) => memory::redact(visit, id, one).await,
            _ => Err(PageError::not_found()),
        },
        _ => Err(PageError::not_found()),
    }
}
