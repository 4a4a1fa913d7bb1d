//! The bytes between a connection and its client: a client that takes nothing of an answer for too long is given up,
//! and where its request is none it gets a whole answer. hyper would answer with a bare status line, and nobody could
//! tell it from that of another server, or find it in the log.
//!
//! Every answer of the routes has the header that names its request; a head without it is hyper's own.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use crate::connection_limit::ConnectionActivity;
use crate::http::problem::HttpProblem;
use crate::http::request_log::{REQUEST_ID, request_id};

/// A whole answer, after which the connection ends.
pub(crate) fn answer(status: StatusCode, message: &'static str) -> Vec<u8> {
    let id = request_id();
    tracing::info!(id, status = status.as_u16(), "no request");
    let body = HttpProblem::new(status, message).envelope(&id);
    let head = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: application/json\r\n{REQUEST_ID}: {id}\r\n\
         content-length: {}\r\n\r\n",
        body.len()
    );
    [head.into_bytes(), body].concat()
}

/// The stream to a client.
pub(crate) struct ClientStream<S> {
    inner: S,
    activity: Arc<ConnectionActivity>,
    /// The time that one write may take.
    patience: Duration,
    /// Set while a write waits.
    waits: Option<Pin<Box<Sleep>>>,
    /// What goes out in place of a bare head, and how much of it has.
    instead: Vec<u8>,
    sent: usize,
}

impl<S: AsyncWrite + Unpin> ClientStream<S> {
    /// Guards a stream.
    pub(crate) fn new(inner: S, patience: Duration, activity: Arc<ConnectionActivity>) -> Self {
        Self {
            inner,
            activity,
            patience,
            waits: None,
            instead: Vec::new(),
            sent: 0,
        }
    }

    /// Whether these bytes go out as something else.
    fn takes(&mut self, bytes: &[u8]) -> bool {
        let Some((status, message)) = bare(bytes) else {
            return false;
        };
        self.instead = answer(status, message);
        self.sent = 0;
        true
    }

    /// What comes of a write; one that waits too long is an error.
    fn poll_guarded<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let outcome = write(Pin::new(&mut self.inner), context);
        if outcome.is_ready() {
            self.activity.note_bytes();
            self.waits = None;
            return outcome;
        }
        let patience = self.patience;
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(waits.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Sends what goes out instead.
    fn poll_instead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.sent < self.instead.len() {
            let rest = self.instead[self.sent..].to_vec();
            let write =
                self.poll_guarded(context, |inner, context| inner.poll_write(context, &rest));
            match ready!(write)? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.sent += written,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The status of a head that is hyper's own, and what it means.
fn bare(bytes: &[u8]) -> Option<(StatusCode, &'static str)> {
    let status = bytes.strip_prefix(b"HTTP/1.")?.get(2..5)?;
    let said = match status {
        b"400" => (StatusCode::BAD_REQUEST, "this is no request in HTTP"),
        b"414" => (StatusCode::URI_TOO_LONG, "the address is too long"),
        b"431" => (
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "the head of the request is larger than 32 KiB, or has more than 100 headers",
        ),
        _ => return None,
    };
    let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
    let is_named = head.lines().any(|line| {
        let (name, _) = line.split_once(':').unwrap_or_default();
        name.eq_ignore_ascii_case(REQUEST_ID)
    });
    (!is_named).then_some(said)
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if read.is_ready() {
            self.activity.note_bytes();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_instead(context))?;
        match self.takes(bytes) {
            true => Poll::Ready(Ok(bytes.len())),
            false => self.poll_guarded(context, |inner, context| inner.poll_write(context, bytes)),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_instead(context))?;
        match slices.iter().find(|slice| !slice.is_empty()) {
            Some(first) if self.takes(first) => Poll::Ready(Ok(first.len())),
            _ => self.poll_guarded(context, |inner, context| {
                inner.poll_write_vectored(context, slices)
            }),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(context))?;
        self.poll_guarded(context, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(context))?;
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt as _;

    use super::*;
    use crate::connection_limit::ConnectionLimit;

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_given_up() {
        let (near, _far) = tokio::io::duplex(4);
        let place = ConnectionLimit::new(1).take_place().await;
        let activity = Arc::clone(&place.activity);
        let mut near = ClientStream::new(near, Duration::from_millis(5), activity);
        let error = near.write_all(b"more than four").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn only_a_head_without_a_name_is_answered_for() {
        let of = |head: &str| bare(head.as_bytes()).map(|(status, _)| status.as_u16());
        assert_eq!(
            of("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
            Some(400)
        );
        assert_eq!(
            of("HTTP/1.0 431 Too Large\r\ncontent-length: 0\r\n\r\n"),
            Some(431)
        );
        for head in [
            "HTTP/1.1 400 Bad Request\r\nrequest-id: req_1\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\nRequest-Id: req_1\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\n\r\n",
            "400",
            "",
        ] {
            assert_eq!(of(head), None, "{head}");
        }
    }
}
