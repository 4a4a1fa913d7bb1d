//! What nobody read of a body is taken off the line before the answer goes out.
//!
//! A connection that is closed with unread bytes in it is reset, and a client that is still sending would
//! see the reset in place of the answer that says why.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use crate::locks::lock;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use futures_util::{Stream, StreamExt as _};

/// So much is read and thrown away; who sends more is cut off.
const LEFTOVER_BYTES_MAX: usize = 32 * 1024 * 1024;
/// And for so long.
const LEFTOVER_TIME_MAX: Duration = Duration::from_secs(2);

/// A body of which both the handler and the middleware hold an end.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<BodyDataStream>>);

impl Stream for SharedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut stream = lock(&self.0);
        stream.poll_next_unpin(context)
    }
}

/// Around what reads the body.
pub(crate) async fn take(
    request: Request,
    next: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next(request).await;
    }
    // Whoever waits to be told to go on has sent nothing.
    let waits = request.headers().contains_key("expect");
    let (parts, body) = request.into_parts();
    let held = SharedBody(Arc::new(Mutex::new(body.into_data_stream())));
    let request = Request::from_parts(parts, Body::from_stream(held.clone()));
    let response = next(request).await;
    if response.status().is_client_error() && !waits {
        let _ = tokio::time::timeout(LEFTOVER_TIME_MAX, drain(held)).await;
    }
    response
}

async fn drain(mut held: SharedBody) {
    let mut bytes = 0;
    while let Some(Ok(data)) = held.next().await {
        bytes += data.len();
        if bytes > LEFTOVER_BYTES_MAX {
            return;
        }
    }
}
