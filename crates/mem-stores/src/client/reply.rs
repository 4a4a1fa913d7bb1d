//! What a server said, read to its end or to its limit.

use std::time::Duration;

use mem_core::memory_path::escaped;
use reqwest::header::{DATE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde::de::DeserializeOwned;

use super::error::{ClientError, Refusal};
use super::retry::Attempt;
use crate::dialect::{REQUEST_ID_HEADER, SHOULD_RETRY_HEADER};
use crate::wire::Envelope;

/// A page of 20 of the longest contents, every character escaped, is shorter.
const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Of an answer that is none; nobody needs more of it.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// Of what a server says about itself so much is shown.
const SAID_CHARS_MAX: usize = 500;
/// Milliseconds, as the SDKs read it.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// A status, its headers, and the body as far as it counts.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Reply {
    /// Reads a body within its limit, counted after it was unpacked.
    pub(super) async fn read(mut response: Response) -> Result<Self, ClientError> {
        let status = response.status();
        let headers = response.headers().clone();
        let max = match status.is_success() {
            true => ANSWER_BYTES_MAX,
            false => ERROR_BYTES_MAX,
        };
        let mut body = Vec::new();
        while let Some(bytes) = response.chunk().await.map_err(unreachable)? {
            if body.len() + bytes.len() > max {
                if status.is_success() {
                    return Err(ClientError::TooLong);
                }
                break;
            }
            body.extend_from_slice(&bytes);
        }
        Ok(Self {
            status,
            headers,
            body,
        })
    }

    /// What the attempt came to.
    pub(super) fn attempt(&self) -> Attempt {
        let should_retry = self.header(&HeaderName::from_static(SHOULD_RETRY_HEADER));
        Attempt::Answered {
            status: self.status.as_u16(),
            should_retry: match should_retry.map(str::trim) {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            retry_after: self.retry_after(),
        }
    }

    /// The object that was hoped for, or what came instead.
    pub(super) fn object<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        if self.status.is_success() {
            let object = serde_json::from_slice(&self.body);
            return object.map_err(|error| ClientError::Nonsense(said(&error.to_string())));
        }
        if self.status.is_redirection() {
            let to = self.header(&LOCATION).unwrap_or("nowhere");
            let to = to.split(['?', '#']).next().unwrap_or_default();
            return Err(ClientError::Elsewhere(said(to)));
        }
        Err(ClientError::Refused(Box::new(self.refusal())))
    }

    fn refusal(&self) -> Refusal {
        let envelope: Option<Envelope> = serde_json::from_slice(&self.body).ok();
        let request_id = self.header(&HeaderName::from_static(REQUEST_ID_HEADER));
        let request_id = request_id.map(said);
        let status = self.status.as_u16();
        let Some(envelope) = envelope else {
            return Refusal {
                status,
                word: String::new(),
                kind: None,
                message: "it does not say why".to_owned(),
                conflicting_memory_id: None,
                conflicting_path: None,
                request_id,
            };
        };
        let failure = envelope.error;
        Refusal {
            status,
            kind: failure.known_kind(),
            word: said(&failure.kind),
            message: match failure.message.trim() {
                "" => "it does not say why".to_owned(),
                message => said(message),
            },
            conflicting_memory_id: failure.conflicting_memory_id.filter(|id| !id.is_empty()),
            conflicting_path: failure.conflicting_path.filter(|path| !path.is_empty()),
            request_id: request_id.or(envelope.request_id.as_deref().map(said)),
        }
    }

    fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Milliseconds, seconds, or a date, which is compared with the server's own: clocks differ.
    fn retry_after(&self) -> Option<Duration> {
        let millis = self.header(&RETRY_AFTER_MS);
        if let Some(millis) = millis.and_then(|text| text.trim().parse().ok()) {
            return Some(Duration::from_millis(millis));
        }
        let text = self.header(&RETRY_AFTER)?.trim();
        if let Ok(seconds) = text.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let date = |text: &str| {
            let date = jiff::fmt::rfc2822::parse(text);
            date.ok().map(|date| date.timestamp())
        };
        let wait = date(text)?.as_second() - date(self.header(&DATE)?)?.as_second();
        Some(Duration::from_secs(u64::try_from(wait).unwrap_or_default()))
    }
}

/// Foreign words, short, on one line and harmless.
fn said(text: &str) -> String {
    let cut: String = text.chars().take(SAID_CHARS_MAX).collect();
    escaped(&cut)
}

/// A line that broke. Without the address, and with what the system says.
pub(super) fn unreachable(error: reqwest::Error) -> ClientError {
    if error.is_timeout() {
        return ClientError::Unreachable("it did not answer in time".to_owned());
    }
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    ClientError::Unreachable(said(&cause.to_string()))
}
