//! What a server said, read to its end or to its limit.

use std::time::Duration;

use mem_core::memory_path::printable;
use reqwest::header::{CONTENT_TYPE, DATE, ETAG, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use tokio::time::Instant;

use crate::limits::LABEL_CHARS_MAX;
use crate::remote::RemoteError;
use crate::wire::{ETag, Envelope};

/// Of an answer that is none; nobody needs more of it.
const ERROR_BYTES_MAX: usize = 64 * 1024;

/// A piece of an answer.
const PIECE_BYTES: usize = 16 * 1024;

/// A status, its headers, and the body as far as it counts.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Reply {
    /// Reads a body of at most so many bytes, counted after it was unpacked. Each piece of it has to come within
    /// `stall`.
    pub(super) async fn read(
        mut response: Response,
        max: usize,
        stall: Duration,
    ) -> Result<Self, RemoteError> {
        let status = response.status();
        let headers = response.headers().clone();
        let max = match status.is_success() {
            true => max,
            false => ERROR_BYTES_MAX,
        };
        let (mut body, mut pace) = (Vec::new(), Pace::new(stall));
        while let Some(bytes) = pace.next(&mut response).await? {
            let bytes = bytes.as_ref();
            if body.len() + bytes.len() > max {
                if status.is_success() {
                    return Err(RemoteError::AnswerTooLarge);
                }
                break;
            }
            body.extend_from_slice(bytes);
        }
        Ok(Self {
            status,
            headers,
            body,
        })
    }

    fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The name of the state, which every answer has to have.
    pub(super) fn etag(&self) -> Result<ETag, RemoteError> {
        let tag = self.header(&ETAG).and_then(|text| ETag::parse(text).ok());
        tag.ok_or_else(|| RemoteError::Nonsense("its answer has no ETag".to_owned()))
    }

    /// The body, if it says to be JSON.
    pub(super) fn json(&self) -> Result<&[u8], RemoteError> {
        let kind = self.header(&CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        match kind.eq_ignore_ascii_case("application/json") {
            true => Ok(&self.body),
            false => Err(RemoteError::Nonsense("its answer is not JSON".to_owned())),
        }
    }

    /// What any status but the one that was hoped for means.
    pub(super) fn error(&self) -> RemoteError {
        match self.status.as_u16() {
            401 => RemoteError::Unauthorized,
            403 => RemoteError::Forbidden,
            404 => RemoteError::NotFound,
            412 => RemoteError::Raced {
                etag: self.etag().ok(),
            },
            413 => RemoteError::TooLarge,
            status @ (408 | 425 | 429 | 500..) => RemoteError::Busy {
                status,
                retry_after_seconds: self.retry_after(),
            },
            status @ 400.. => RemoteError::Refused {
                status,
                message: self.message(),
            },
            status @ 300..=399 => RemoteError::Refused {
                status,
                message: self.elsewhere(),
            },
            status => RemoteError::Nonsense(format!("it answers with status {status}")),
        }
    }

    fn message(&self) -> String {
        let envelope = serde_json::from_slice::<Envelope>(&self.body);
        let message = envelope
            .map(|envelope| envelope.error.message)
            .unwrap_or_default();
        match message.is_empty() {
            true => "it does not say why".to_owned(),
            false => message,
        }
    }

    /// Nobody is followed: the next address would be given the token.
    fn elsewhere(&self) -> String {
        let to: String = self
            .header(&LOCATION)
            .unwrap_or("nowhere")
            .chars()
            .take(LABEL_CHARS_MAX)
            .collect();
        let to = to.split(['?', '#']).next().unwrap_or_default();
        format!("it redirects to `{}`, which is not followed", printable(to))
    }

    /// Seconds, or a date, which is compared with the server's own: clocks differ.
    fn retry_after(&self) -> Option<u64> {
        let text = self.header(&RETRY_AFTER)?.trim();
        if let Ok(seconds) = text.parse() {
            return Some(seconds);
        }
        let date = |text: &str| {
            jiff::fmt::rfc2822::parse(text)
                .ok()
                .map(|date| date.timestamp())
        };
        let wait = date(text)?.as_second() - date(self.header(&DATE)?)?.as_second();
        Some(u64::try_from(wait).unwrap_or_default())
    }
}

/// Whether a server goes on: a piece has to be there in time, however it comes.
struct Pace {
    stall: Duration,
    /// When the piece that is being waited for is late.
    late: Instant,
    /// What has come of it.
    bytes: usize,
}

impl Pace {
    fn new(stall: Duration) -> Self {
        Self {
            stall,
            late: Instant::now() + stall,
            bytes: 0,
        }
    }

    /// What comes next; `None` at the end.
    async fn next(
        &mut self,
        response: &mut Response,
    ) -> Result<Option<impl AsRef<[u8]>>, RemoteError> {
        let next = tokio::time::timeout_at(self.late, response.chunk()).await;
        let Ok(next) = next else {
            let (bytes, seconds) = (self.bytes, self.stall.as_secs());
            let said = match bytes {
                0 => "it did not answer in time".to_owned(),
                bytes => format!("it sent {bytes} bytes of its answer in {seconds} seconds"),
            };
            return Err(RemoteError::Unreachable(said));
        };
        let next = next.map_err(unreachable)?;
        if let Some(bytes) = &next {
            self.bytes += bytes.len();
        }
        if self.bytes >= PIECE_BYTES {
            *self = Self::new(self.stall);
        }
        Ok(next)
    }
}

/// A line that broke. Without the address, and with what the system says.
pub(super) fn unreachable(error: reqwest::Error) -> RemoteError {
    if error.is_timeout() {
        return RemoteError::Unreachable("it did not answer in time".to_owned());
    }
    let error = error.without_url();
    let mut said = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(cause) = source {
        said = cause.to_string();
        source = cause.source();
    }
    let said: String = said.chars().take(LABEL_CHARS_MAX).collect();
    RemoteError::Unreachable(printable(&said))
}
