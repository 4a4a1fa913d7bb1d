//! From a line to a message of JSON-RPC, or to the error that answers it.

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, RequestId};
use serde_json::Value;
use serde_json::error::Category;

/// A longer message is refused: a topic file has its place in it many times over.
pub(super) const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// A line that is no message, and what its sender is told.
#[derive(Debug)]
pub(super) struct Unfit {
    /// The request that it was meant as, where that can be told. Without one the answer has no `id`: JSON-RPC 2.0 asks for
    /// `null` there, and MCP's schema allows a string, an integer or no member.
    pub id: Option<RequestId>,
    /// The error.
    pub error: ErrorData,
}

impl Unfit {
    /// A line over the limit.
    pub(super) fn too_long() -> Self {
        let limit = MESSAGE_BYTES_MAX >> 20;
        Self::invalid_message(
            None,
            format!("a message is one line of at most {limit} MiB"),
        )
    }

    fn invalid_message(id: Option<RequestId>, message: impl Into<String>) -> Self {
        let error = ErrorData::invalid_request(message.into(), None);
        Self { id, error }
    }
}

/// Reads a message; `None` for an empty line.
///
/// # Errors
/// The line is no message.
pub(super) fn parse_message(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Box<Unfit>> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    let error = match serde_json::from_slice(line) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    match (error.classify(), serde_json::from_slice(line)) {
        (Category::Data, Ok(value)) => Err(Box::new(describe_misshapen(&value))),
        _ => {
            let error = ErrorData::parse_error(format!("the line is no JSON: {error}"), None);
            Err(Box::new(Unfit { id: None, error }))
        }
    }
}

/// What is wrong with a value that is JSON and no message.
fn describe_misshapen(value: &Value) -> Unfit {
    let Value::Object(fields) = value else {
        return match value {
            Value::Array(_) => {
                Unfit::invalid_message(None, "one message a line: batches are not read")
            }
            _ => Unfit::invalid_message(None, "a message of JSON-RPC 2.0 is an object"),
        };
    };
    let id = fields.get("id");
    let id = id.and_then(|id| serde_json::from_value(id.clone()).ok());
    let method = fields.get("method").and_then(Value::as_str);
    let fault = if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        "`jsonrpc` must be \"2.0\""
    } else if fields.contains_key("id") && id.is_none() {
        "`id` must be a string or an integer"
    } else if let Some(method) = method {
        let message = format!("the parameters of `{method}` are not of their shape");
        let error = ErrorData::invalid_params(message, None);
        return Unfit { id, error };
    } else {
        "`method` must be a string"
    };
    Unfit::invalid_message(id, fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_told_why() {
        let told = |line: &str| {
            let unfit = parse_message(line.as_bytes()).unwrap_err();
            (unfit.error.code.0, unfit.id.map(|id| id.to_string()))
        };
        assert_eq!(told("nonsense"), (-32700, None));
        assert_eq!(told("{\"jsonrpc\":"), (-32700, None));
        assert_eq!(told("[]"), (-32600, None));
        assert_eq!(told("7"), (-32600, None));
        let id = |text: &str| Some(text.to_owned());
        assert_eq!(told(r#"{"id":4,"method":"ping"}"#), (-32600, id("4")));
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#),
            (-32600, None)
        );
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":"a","method":7}"#),
            (-32600, id("a"))
        );
        assert!(parse_message(b" \r").unwrap().is_none());
        let ping = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        assert!(parse_message(ping.as_bytes()).unwrap().is_some());
    }
}
