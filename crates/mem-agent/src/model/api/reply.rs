//! What the server said, read to its end or to its limit.

use std::time::Duration;

use mem_core::memory_path::escaped;
use reqwest::header::{DATE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use secrecy::SecretString;
use serde::Deserialize;

use super::ApiError;
use super::mask::masked;
use super::message::Message;
use super::retry::Attempt;
use crate::model::ANSWER_BYTES_MAX;

/// Of an answer that is none; nobody needs more of it.
const ERROR_BYTES_MAX: usize = 64 * 1024;
/// Of what a server says about itself so much is shown.
const SAID_CHARS_MAX: usize = 300;
/// Milliseconds, as the SDKs read it.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// A status, its headers, and the body as far as it counts.
pub(super) struct Reply {
    /// It is in nothing that is passed on, whoever says it.
    key: SecretString,
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

/// The body of an error.
#[derive(Deserialize)]
struct Envelope {
    error: Complaint,
}

#[derive(Deserialize)]
struct Complaint {
    message: String,
}

impl Reply {
    /// Reads a body within its limit, counted after it was unpacked.
    pub(super) async fn read(mut response: Response, key: &SecretString) -> Result<Self, ApiError> {
        let status = response.status();
        let headers = response.headers().clone();
        let max = match status.is_success() {
            true => ANSWER_BYTES_MAX,
            false => ERROR_BYTES_MAX,
        };
        let mut bytes = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(unreachable)? {
            if bytes.len() + piece.len() > max {
                if status.is_success() {
                    return Err(ApiError::TooLong);
                }
                break;
            }
            bytes.extend_from_slice(&piece);
        }
        Ok(Self {
            key: key.clone(),
            status,
            headers,
            body: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }

    /// What the attempt came to.
    pub(super) fn attempt(&self) -> Attempt {
        Attempt::Answered {
            status: self.status.as_u16(),
            should_retry: match self.header(&SHOULD_RETRY).map(str::trim) {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            retry_after: self.retry_after(),
        }
    }

    /// The message that was hoped for, or what came instead.
    pub(super) fn message(&self) -> Result<Message, ApiError> {
        if self.status.is_success() {
            let message: Result<Message, _> = serde_json::from_str(&self.body);
            let nonsense = |error: serde_json::Error| self.said(&error.to_string());
            let mut message = message.map_err(|error| ApiError::Nonsense(nonsense(error)))?;
            message.mask(&self.key);
            return Ok(message);
        }
        if self.status.is_redirection() {
            let to = self.header(&LOCATION).unwrap_or("nowhere");
            let to = to.split(['?', '#']).next().unwrap_or_default();
            return Err(ApiError::Elsewhere(self.said(to)));
        }
        let envelope: Option<Envelope> = serde_json::from_str(&self.body).ok();
        let message = envelope.map(|envelope| envelope.error.message);
        let message = message.filter(|message| !message.trim().is_empty());
        Err(ApiError::Refused {
            status: self.status.as_u16(),
            message: self.said(message.as_deref().unwrap_or("it does not say why")),
        })
    }

    /// Foreign words, without the key.
    fn said(&self, text: &str) -> String {
        said(&masked(text, &self.key))
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
pub(super) fn unreachable(error: reqwest::Error) -> ApiError {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    ApiError::Unreachable(said(&cause.to_string()))
}
