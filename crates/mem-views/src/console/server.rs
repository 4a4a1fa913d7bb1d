//! The loop that serves the console, and what every answer has.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, Request as HttpRequest, Response, StatusCode};
use jiff::Timestamp;
use tokio::net::TcpListener;

use super::access::{Access, Refused};
use super::activity::Activity;
use super::assets::Asset;
use super::layout::{self, Navigation, Notice};
use super::pages;
use super::request::{Answer, PageError, Request};
use crate::program::Program;

/// A form holds a memory, which has an upper limit of 1 MiB, with every byte written as three.
pub(crate) const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How long a browser keeps a file: as long as this run may take.
const ASSET_CACHE: &str = "private, max-age=3600";
/// What a page may load: files of this console alone, nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Set by htmx: a script asks for a piece of a page.
const FRAGMENT: HeaderName = HeaderName::from_static("hx-request");

/// What a console is started with.
pub struct ConsoleOptions {
    /// `mem`, in the directory of the project that is shown first.
    pub program: Program,
    /// How long after the last request it ends. An open page asks every half a minute.
    pub idle: Duration,
    /// The present, for ages.
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// Called once with the address that lets one browser in.
    pub on_listening: Box<dyn FnOnce(&str)>,
}

/// Why a console does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// No port, no runtime or a broken listener.
    #[error("cannot serve on 127.0.0.1")]
    Listen(#[from] io::Error),
    /// The system has no random bytes.
    #[error("cannot make a token: {0}")]
    Random(getrandom::Error),
}

/// What requests share.
pub(crate) struct Console {
    pub program: Program,
    pub access: Access,
    pub now: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// Where the projects are that were seen, by slug.
    pub projects: Mutex<Vec<(String, PathBuf)>>,
    /// What the last form came to; the next page shows it once.
    notice: Mutex<Option<Notice>>,
    activity: Activity,
    started: Instant,
}

impl Console {
    /// Has the next page say something.
    pub(crate) fn set_notice(&self, notice: Notice) {
        *self.notice.lock().unwrap_or_else(PoisonError::into_inner) = Some(notice);
    }

    fn take_notice(&self) -> Option<Notice> {
        self.notice
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

/// Serves until nobody looks any longer, or Ctrl-C.
///
/// # Errors
/// There is no port, or the system has no random bytes.
pub fn serve(options: ConsoleOptions) -> Result<(), ConsoleError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
        let access = Access::generate(listener.local_addr()?).map_err(ConsoleError::Random)?;
        (options.on_listening)(&access.entry_url());
        let console = Arc::new(Console {
            program: options.program,
            access,
            now: options.now,
            projects: Mutex::default(),
            notice: Mutex::default(),
            activity: Activity::new(options.idle),
            started: Instant::now(),
        });
        let routes = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&console));
        tokio::select! {
            served = async { axum::serve(listener, routes).await } => Ok(served?),
            () = nobody_looks(&console) => Ok(()),
            pressed = tokio::signal::ctrl_c() => Ok(pressed?),
        }
    })
}

/// Ends when the page was closed for a while.
async fn nobody_looks(console: &Console) {
    while let Some(left) = console.activity.remaining(console.started.elapsed()) {
        tokio::time::sleep(left).await;
    }
}

/// Answers one request.
async fn answer(State(console): State<Arc<Console>>, request: HttpRequest<Body>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let (method, headers) = (head.method, head.headers);
    let (path, query) = (
        head.uri.path().to_owned(),
        head.uri.query().unwrap_or_default().to_owned(),
    );
    if let Err(refused) = console.access.check_host(&headers) {
        return refusal(refused);
    }
    if method != Method::GET && method != Method::POST {
        return bare_error(StatusCode::METHOD_NOT_ALLOWED);
    }
    if path == "/enter" && method == Method::GET {
        return enter(&console, &query);
    }
    if let Err(refused) = console.access.check_browser(&method, &headers) {
        return refusal(refused);
    }
    console.activity.touch(console.started.elapsed());
    let Ok(body) = axum::body::to_bytes(body, BODY_BYTES_MAX).await else {
        return bare_error(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let is_fragment = headers.contains_key(FRAGMENT);
    let request = Request::new(method, &path, &query, &body, is_fragment);
    if request.is_post()
        && let Err(refused) = console.access.check_form(request.field("csrf"))
    {
        return refusal(refused);
    }
    // Pages wait for processes.
    let worked = tokio::task::spawn_blocking(move || respond(&console, &request)).await;
    worked.unwrap_or_else(|_| bare_error(StatusCode::INTERNAL_SERVER_ERROR))
}

/// Lets one browser in. The page sends it on by itself: a redirect would count as coming from wherever the address was
/// clicked, and a strict cookie would stay behind.
fn enter(console: &Console, query: &str) -> Response<Body> {
    let request = Request::new(Method::GET, "/enter", query, b"", false);
    match console.access.enter(request.query("token")) {
        Ok(cookie) => {
            let mut answer = page(StatusCode::OK, layout::entrance());
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                answer.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            answer
        }
        Err(refused) => refusal(refused),
    }
}

pub(crate) fn bare_error(status: StatusCode) -> Response<Body> {
    page(status, layout::bare_error(status))
}

pub(crate) fn refusal(refused: Refused) -> Response<Body> {
    page(refused.status(), layout::refusal(refused))
}

/// Runs the page and puts the frame around it.
fn respond(console: &Console, request: &Request) -> Response<Body> {
    let (navigation, answer) = pages::both(
        || pages::navigation(console, request),
        || pages::answer(console, request),
    );
    let mut navigation = navigation.unwrap_or_default();
    navigation.projects = pages::seen_projects(console);
    match answer {
        Ok(Answer::Page(made)) => {
            let notice = console.take_notice();
            let csrf = console.access.csrf();
            page(
                made.status,
                layout::frame(&made, &navigation, notice.as_ref(), csrf),
            )
        }
        Ok(Answer::Fragment(markup)) => page(StatusCode::OK, markup),
        Ok(Answer::SeeOther(place)) => see_other(&place),
        Ok(Answer::Asset(asset)) => file(asset),
        Ok(Answer::Nothing) => finished(StatusCode::NO_CONTENT, "text/plain", Body::empty()),
        Err(error) => failure(console, request, &navigation, &error),
    }
}

/// A page about an error; a piece of one for a script.
fn failure(
    console: &Console,
    request: &Request,
    navigation: &Navigation,
    error: &PageError,
) -> Response<Body> {
    if request.is_fragment {
        // htmx shows what it is told only where the status is a good one.
        return page(StatusCode::OK, layout::error_card(error));
    }
    let made = pages::error_page(console, request, error);
    page(
        error.status,
        layout::frame(&made, navigation, None, console.access.csrf()),
    )
}

pub(crate) fn page(status: StatusCode, markup: maud::Markup) -> Response<Body> {
    finished(
        status,
        "text/html; charset=utf-8",
        Body::from(markup.into_string()),
    )
}

/// Sends the browser on.
pub(crate) fn see_other(place: &str) -> Response<Body> {
    let mut answer = finished(StatusCode::SEE_OTHER, "text/plain", Body::empty());
    let place = HeaderValue::from_str(place).unwrap_or(HeaderValue::from_static("/"));
    answer.headers_mut().insert(header::LOCATION, place);
    answer
}

/// A file that pages load.
pub(crate) fn file(asset: &'static Asset) -> Response<Body> {
    let mut answer = finished(StatusCode::OK, asset.media_type, Body::from(asset.bytes));
    answer
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static(ASSET_CACHE));
    answer
}

/// An answer with what every answer has.
fn finished(status: StatusCode, media_type: &'static str, body: Body) -> Response<Body> {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    for (name, value) in [
        ("content-type", media_type),
        ("cache-control", "no-store"),
        ("content-security-policy", POLICY),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}
