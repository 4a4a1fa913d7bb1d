//! The envelope of every answer that is none: that of the memory stores API.

use serde::{Deserialize, Serialize};

use super::deserialize_label;

/// `{"type":"error","error":{"type","message"},"request_id"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireEnvelope {
    /// `error`.
    #[serde(rename = "type", deserialize_with = "deserialize_label")]
    pub kind: String,
    /// What is wrong.
    pub error: WireFailure,
    /// What the server's log calls this request.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub request_id: String,
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireFailure {
    /// Such as `authentication_error`, `rate_limit_error` or `invalid_request_error`.
    #[serde(rename = "type", deserialize_with = "deserialize_label")]
    pub kind: String,
    /// For people.
    #[serde(default, deserialize_with = "deserialize_label")]
    pub message: String,
}

impl WireEnvelope {
    /// An envelope.
    pub fn new(kind: &str, message: &str, request_id: &str) -> Self {
        Self {
            kind: "error".to_owned(),
            error: WireFailure {
                kind: kind.to_owned(),
                message: message.to_owned(),
            },
            request_id: request_id.to_owned(),
        }
    }
}
