//! Answers packed with gzip for whoever asks for that.
//!
//! What decides and packs is a layer of `tower-http`. It is put around an answer that is there, and only where it may
//! have something to do: as a layer of the router each small answer would pay for it.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody as _};
use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, Request};
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::Compression;
use tower_service::Service;

/// What is smaller is not packed; the same as the layer's own limit.
const SMALL_BYTES_MAX: u64 = 31;

/// What a request says about packing.
pub(crate) struct CompressionRequest(HeaderMap);

impl CompressionRequest {
    /// Of a request with these headers.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Self {
        let mut wish = HeaderMap::new();
        for value in headers.get_all(ACCEPT_ENCODING) {
            wish.append(ACCEPT_ENCODING, value.clone());
        }
        Self(wish)
    }

    /// An answer as it goes out.
    pub(crate) async fn carry_out(self, response: Response) -> Response {
        let size = response.body().size_hint().exact();
        if self.0.is_empty() && size.is_some_and(|size| size <= SMALL_BYTES_MAX) {
            return response;
        }
        let mut request = Request::new(());
        *request.headers_mut() = self.0;
        // What a team has to say is text, and packs well enough in the shortest time.
        let mut layer =
            Compression::new(ReadyService(Some(response))).quality(CompressionLevel::Fastest);
        match layer.call(request).await {
            Ok(response) => response.map(Body::new),
            Err(never) => match never {},
        }
    }
}

/// A service that has its one answer already.
struct ReadyService(Option<Response>);

impl Service<Request<()>> for ReadyService {
    type Response = Response;
    type Error = Infallible;
    type Future = Ready<Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<()>) -> Self::Future {
        ready(Ok(self.0.take().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header::{CONTENT_ENCODING, VARY};
    use axum::http::{HeaderValue, StatusCode};

    use super::*;

    async fn answered(asked: Option<&'static str>, body: &'static str) -> Response {
        let mut headers = HeaderMap::new();
        if let Some(asked) = asked {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(asked));
        }
        let response = Response::new(Body::from(body));
        CompressionRequest::from_headers(&headers)
            .carry_out(response)
            .await
    }

    #[tokio::test]
    async fn what_is_asked_for_and_large_enough_is_packed() {
        let text = "the same words, the same words, the same words";
        let packed = answered(Some("gzip"), text).await;
        assert_eq!(packed.headers()[CONTENT_ENCODING], "gzip");
        for (asked, body) in [
            (None, text),
            (Some("identity"), text),
            (Some("gzip"), "short"),
        ] {
            let plain = answered(asked, body).await;
            assert!(
                !plain.headers().contains_key(CONTENT_ENCODING),
                "{asked:?} {body}"
            );
            // Another request for it may be answered otherwise.
            assert_eq!(
                plain.headers().contains_key(VARY),
                body == text,
                "{asked:?} {body}"
            );
        }
        let neither = answered(Some("*;q=0"), "short").await;
        assert_eq!(neither.status(), StatusCode::NOT_ACCEPTABLE);
    }
}
