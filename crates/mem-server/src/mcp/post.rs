//! One message in, one out.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use http_body_util::BodyExt as _;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::message;
use super::server::StoreMcpServer;
use crate::access::Caller;
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::http::{HttpAnswer, body, json};

/// The longest content with every character escaped, in a call.
const MESSAGE_BYTES_MAX: usize = mem_stores::limits::BODY_BYTES_MAX;
/// What the SDK asks of every client. Answers are always JSON, so that nobody has to say so.
const ACCEPTED: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Answers one.
pub(crate) async fn answer(State(app): State<Shared>, request: Request) -> HttpAnswer {
    let (mut head, body) = request.into_parts();
    let identity = app.settings.identity.as_ref();
    let public_url = identity.map(|identity| identity.public_url.as_str());
    app.loopback.check_origin(&head.headers, public_url)?;
    let caller = Caller::authenticate(&app, &head.headers).await?;
    let patience = app.limits.body;
    let bytes = body::read(&head.headers, body, MESSAGE_BYTES_MAX, patience).await?;
    match message::require(&bytes) {
        Ok(()) => {
            head.headers.insert(ACCEPT, ACCEPTED);
            let request = Request::from_parts(head, Body::from(bytes));
            let server = StoreMcpServer::new(&app, caller);
            convert_response(service(server).handle(request).await).await
        }
        Err(error) => {
            let told = serde_json::to_vec(&error).map_err(|_| HttpProblem::internal())?;
            let mut response = json(told, None);
            *response.status_mut() = StatusCode::BAD_REQUEST;
            Ok(response)
        }
    }
}

/// Who asks was found out before, and hosts are checked for all routes alike.
fn service(server: StoreMcpServer) -> StreamableHttpService<StoreMcpServer, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_sse_keep_alive(None)
        .with_max_request_body_bytes(MESSAGE_BYTES_MAX)
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    StreamableHttpService::new(move || Ok(server.clone()), sessions, config)
}

/// The answer of the SDK, which has plain texts where something is wrong with a request.
async fn convert_response<B>(response: axum::http::Response<B>) -> HttpAnswer
where
    B: axum::body::HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE);
    let is_plain = status.as_u16() >= 400 && kind.is_none_or(|kind| kind != "application/json");
    if !is_plain {
        return Ok(response.map(Body::new));
    }
    let text = Body::new(response.into_body()).collect().await;
    let text = text.map_err(|_| HttpProblem::internal())?.to_bytes();
    let text = String::from_utf8_lossy(&text).into_owned();
    Err(match status.is_server_error() {
        true => HttpProblem::internal(),
        false => HttpProblem::new(status, text),
    })
}
