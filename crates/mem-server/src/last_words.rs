//! What a connection says where its request is none: hyper would answer with a bare status line, and nobody could
//! tell it from that of another server, or find it in the log.
//!
//! Every answer of the routes has the header that names its request; a head without it is hyper's own.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::http::observed::{REQUEST_ID, request_id};
use crate::http::problem::HttpProblem;

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

/// A stream over which a bare status line goes as a whole answer.
pub(crate) struct StatusStream<S> {
    inner: S,
    /// What goes out in place of a bare head, and how much of it has.
    instead: Vec<u8>,
    sent: usize,
}

impl<S> StatusStream<S> {
    /// Speaks over a stream.
    pub(crate) fn new(inner: S) -> Self {
        Self {
            inner,
            instead: Vec::new(),
            sent: 0,
        }
    }

    /// The stream.
    pub(crate) fn into_inner(self) -> S {
        self.inner
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
}

impl<S: AsyncWrite + Unpin> StatusStream<S> {
    /// Sends what goes out instead.
    fn poll_instead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.sent < self.instead.len() {
            let rest = &self.instead[self.sent..];
            let written = ready!(Pin::new(&mut self.inner).poll_write(context, rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.sent += written;
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

impl<S: AsyncRead + Unpin> AsyncRead for StatusStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StatusStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_instead(context))?;
        match self.takes(bytes) {
            true => Poll::Ready(Ok(bytes.len())),
            false => Pin::new(&mut self.inner).poll_write(context, bytes),
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
            _ => Pin::new(&mut self.inner).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(context))?;
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_instead(context))?;
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
