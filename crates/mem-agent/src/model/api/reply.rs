//! What an answer of the API says: a message, or why there is none.

use mem_http::HttpReply;
use secrecy::SecretString;
use serde_json::Value;

use super::ApiError;
use super::message::ModelMessage;

/// The message that was hoped for, or what came instead. The key is in nothing that is passed on, whoever says it.
pub(super) fn read_message(
    reply: &HttpReply,
    key: &SecretString,
) -> Result<ModelMessage, ApiError> {
    let body = String::from_utf8_lossy(&reply.body);
    if reply.status.is_success() {
        let message: Result<ModelMessage, _> = serde_json::from_str(&body);
        let nonsense = |error: serde_json::Error| reply.sanitize_text(&error.to_string());
        let mut message = message.map_err(|error| ApiError::Nonsense(nonsense(error)))?;
        message.mask_content(key);
        return Ok(message);
    }
    if reply.status.is_redirection() {
        return Err(ApiError::Elsewhere(reply.redirect_target()));
    }
    let envelope: Value = serde_json::from_str(&body).unwrap_or_default();
    let message = envelope.pointer("/error/message").and_then(Value::as_str);
    let message = message.filter(|message| !message.trim().is_empty());
    Err(ApiError::Refused {
        status: reply.status.as_u16(),
        message: reply.sanitize_text(message.unwrap_or("it does not say why")),
    })
}
