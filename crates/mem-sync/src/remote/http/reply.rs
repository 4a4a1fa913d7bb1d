//! What an answer of a server means to the protocol.

use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, ETAG};

use crate::remote::RemoteError;
use crate::wire::{ETag, WireEnvelope};

/// An answer that was read.
#[derive(Debug)]
pub(super) struct SyncReply(pub(super) mem_http::HttpReply);

impl SyncReply {
    pub(super) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The name of the state, which every answer has to have.
    pub(super) fn state_etag(&self) -> Result<ETag, RemoteError> {
        let tag = self.0.header(&ETAG);
        let tag = tag.and_then(|text| ETag::parse(text).ok());
        tag.ok_or_else(|| RemoteError::Nonsense("its answer has no ETag".to_owned()))
    }

    /// The body, if it says to be JSON.
    pub(super) fn json_body(&self) -> Result<&[u8], RemoteError> {
        let kind = self.0.header(&CONTENT_TYPE).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        match kind.eq_ignore_ascii_case("application/json") {
            true => Ok(&self.0.body),
            false => Err(RemoteError::Nonsense("its answer is not JSON".to_owned())),
        }
    }

    /// What any status but the one that was hoped for means.
    pub(super) fn status_error(&self) -> RemoteError {
        match self.status().as_u16() {
            401 => RemoteError::Unauthorized,
            403 => RemoteError::Forbidden,
            404 => RemoteError::NotFound,
            412 => RemoteError::Raced {
                etag: self.state_etag().ok(),
            },
            409 => RemoteError::InTheWay(self.error_message()),
            413 => RemoteError::TooLarge,
            // Nothing that passes by itself, as other errors of a server may.
            507 => RemoteError::NoRoom(self.error_message()),
            status @ (408 | 425 | 429 | 500..) => RemoteError::Busy {
                status,
                message: self.said_message().unwrap_or_default(),
                retry_after_seconds: self.retry_after_seconds(),
            },
            status @ 400.. => RemoteError::Refused {
                status,
                message: self.error_message(),
            },
            status @ 300..=399 => {
                let to = self.0.redirect_target();
                let message = format!("it redirects to `{to}`, which is not followed");
                RemoteError::Refused { status, message }
            }
            status => RemoteError::Nonsense(format!("it answers with status {status}")),
        }
    }

    fn error_message(&self) -> String {
        let said = self.said_message();
        said.unwrap_or_else(|| "it does not say why".to_owned())
    }

    fn said_message(&self) -> Option<String> {
        let envelope = serde_json::from_slice::<WireEnvelope>(&self.0.body);
        let message = envelope.ok()?.error.message;
        (!message.is_empty()).then(|| self.0.sanitize_text(&message))
    }

    /// A part of a second is one that is waited for.
    fn retry_after_seconds(&self) -> Option<u64> {
        let wait = self.0.retry_hint().retry_after?;
        Some(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }
}
