//! Every request has a name, a line in the log and its place in the figures.
//!
//! The line names the route, never the address: what is behind the `?` is nobody's business.

use std::cell::RefCell;
use std::net::IpAddr;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use ipnet::Ipv6Net;

use super::problem::HttpProblem;
use crate::app::App;
use crate::audit::{AuditEntry, AuditUnwritten};
use crate::identity::{scim_answer, scim_error};

/// The header that names a request, in its answer.
pub(crate) const REQUEST_ID: &str = "request-id";

/// The header that says what is left of the caller's quotas.
const QUOTA_LEFT: &str = "x-mem-quota";
/// Of an address in the audit log.
const ADDRESS_BYTES_MAX: usize = 200;
/// Of the random number in a name.
const ID_BYTES: usize = 12;

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerAddress(pub(crate) IpAddr);

impl PeerAddress {
    /// What counts as one peer: an address of IPv4, or the part of one of IPv6 that a customer gets whole (RFC 6177).
    pub(crate) fn network(self) -> String {
        match self.0 {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => Ipv6Net::new_assert(address, 64).trunc().to_string(),
        }
    }
}

/// What is known of a request once it was answered.
#[derive(Debug, Default)]
struct RequestNotes {
    /// Where it comes from; `None` where that is not known.
    peer: Option<PeerAddress>,
    /// The public id of the caller.
    caller: String,
    name: String,
    workspace: String,
    /// What the request is about, where its address does not say so.
    resource: Option<String>,
    /// What is left of the caller's quotas.
    quota: Option<HeaderValue>,
}

tokio::task_local! {
    static NOTES: RefCell<RequestNotes>;
}

fn note(change: impl FnOnce(&mut RequestNotes)) {
    // What answers no request has no line.
    let _ = NOTES.try_with(|notes| change(&mut notes.borrow_mut()));
}

/// Where the request comes from that is being answered.
pub(crate) fn peer_address() -> Option<PeerAddress> {
    NOTES.try_with(|notes| notes.borrow().peer).ok().flatten()
}

/// Notes for the logs who asks.
pub(crate) fn note_caller(id: &str, name: &str, workspace: &str) {
    note(|notes| {
        id.clone_into(&mut notes.caller);
        name.clone_into(&mut notes.name);
        workspace.clone_into(&mut notes.workspace);
    });
}

/// Notes for the answer what is left of the caller's quotas.
pub(crate) fn note_quota(left: HeaderValue) {
    note(|notes| notes.quota = Some(left));
}

/// Notes for the audit log what a request is about.
pub(crate) fn note_resource(resource: &str) {
    note(|notes| notes.resource = Some(resource.to_owned()));
}

/// Around everything else.
pub(crate) async fn log_request(
    app: &App,
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let id = request_id();
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let span = app.tracer.begin(request.headers(), || (app.now)());
    let uri = request.uri().clone();
    let peer = request.extensions().get::<PeerAddress>().copied();
    let notes = RefCell::new(RequestNotes {
        // A page of the console asks for its visitor.
        peer: peer.or_else(peer_address),
        ..RequestNotes::default()
    });
    let under_way = app.metrics.enter();
    let answering = NOTES.scope(notes, async {
        let response = match is_change(&method) && app.audit.admit_change().await.is_err() {
            true => {
                unwritten("the audit log cannot be written: nothing is changed").into_response()
            }
            false => next(request).await,
        };
        (response, NOTES.with(RefCell::take))
    });
    let (mut response, notes) = answering.await;
    drop(under_way);
    if let Some(problem) = response.extensions_mut().remove::<HttpProblem>() {
        let scim = scim_error(&uri, &problem);
        let mut told = problem.told(&id);
        if let Some(error) = scim {
            let (head, body) = scim_answer(&error).into_parts();
            told.headers_mut().extend(head.headers);
            *told.body_mut() = body;
        }
        response = with_request_id(told, response);
    }
    let audited = audit(
        app,
        (&method, route, uri.path()),
        response.status(),
        &id,
        &notes,
    )
    .await;
    if audited.is_err() {
        let problem =
            unwritten("the audit log cannot be written; the request may have been carried out");
        response = problem.told(&id);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    if let Some(left) = notes.quota.clone() {
        response.headers_mut().insert(QUOTA_LEFT, left);
    }
    let status = response.status().as_u16();
    let elapsed = began.elapsed();
    app.metrics.answered(&method, route, status, elapsed);
    app.tracer.end(span, (&method, route), status, &id, elapsed);
    let token = notes.caller;
    let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    tracing::info!(id, %method, route, status, micros, token, "request");
    response
}

fn unwritten(message: &'static str) -> HttpProblem {
    HttpProblem::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(5)
}

fn is_change(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Writes the line of a change of somebody who is known, and of what was refused.
async fn audit(
    app: &App,
    (method, route, address): (&Method, &str, &str),
    status: StatusCode,
    id: &str,
    notes: &RequestNotes,
) -> Result<(), AuditUnwritten> {
    let is_refused = matches!(status.as_u16(), 401 | 403 | 429);
    let is_known = !notes.caller.is_empty();
    if !app.audit.is_open() || !(is_refused || is_change(method) && is_known) {
        return Ok(());
    }
    let action = format!("{} {route}", crate::metrics::known(method));
    let outcome = match status.as_u16() {
        _ if is_refused => "refused",
        400.. => "failed",
        _ => "allowed",
    };
    // Addresses of ours hold ids. Whatever else somebody writes in their place is not for the log.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/_-.".contains(c);
    let is_ours = route != "none" && address.len() <= ADDRESS_BYTES_MAX;
    let address = match is_ours && address.chars().all(is_plain) {
        true => address,
        false => "",
    };
    let entry = AuditEntry {
        time: (app.now)(),
        action: &action,
        resource: notes.resource.as_deref().unwrap_or(address),
        outcome,
        status: Some(status.as_u16()),
        request_id: id,
        workspace: &notes.workspace,
        actor_id: &notes.caller,
        actor_name: &notes.name,
    };
    app.audit.record(&entry).await
}

/// An envelope in place of an answer without one; headers that stood there stay.
fn with_request_id(mut told: Response, bare: Response) -> Response {
    let (parts, _) = bare.into_parts();
    for (name, value) in &parts.headers {
        if !told.headers().contains_key(name) && name != "content-length" {
            told.headers_mut().append(name, value.clone());
        }
    }
    told
}

/// A new name for a request.
pub(crate) fn request_id() -> String {
    let mut bytes = [0; ID_BYTES];
    // Without random numbers a name says nothing; the request is answered all the same.
    let _ = getrandom::fill(&mut bytes);
    crate::hex::of("req_", &bytes)
}
