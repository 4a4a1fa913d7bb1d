//! What an answer of a server says: an object, or why there is none.

use mem_http::HttpReply;
use reqwest::header::HeaderName;
use serde::de::DeserializeOwned;

use super::error::{ClientError, ServerRefusal};
use crate::dialect::REQUEST_ID_HEADER;
use crate::wire::FailureEnvelope;

/// The object that was hoped for, or what came instead.
pub(super) fn object<T: DeserializeOwned>(reply: &HttpReply) -> Result<T, ClientError> {
    if reply.status.is_success() {
        let object = serde_json::from_slice(&reply.body);
        return object
            .map_err(|error| ClientError::Nonsense(reply.sanitize_text(&error.to_string())));
    }
    if reply.status.is_redirection() {
        return Err(ClientError::Elsewhere(reply.redirect_target()));
    }
    Err(ClientError::Refused(Box::new(refusal(reply))))
}

fn refusal(reply: &HttpReply) -> ServerRefusal {
    let said = |text: &str| reply.sanitize_text(text);
    let envelope: Option<FailureEnvelope> = serde_json::from_slice(&reply.body).ok();
    let request_id = reply.header(&HeaderName::from_static(REQUEST_ID_HEADER));
    let request_id = request_id.map(said);
    let status = reply.status.as_u16();
    let Some(envelope) = envelope else {
        return ServerRefusal {
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
    ServerRefusal {
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
