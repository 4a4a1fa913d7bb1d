//! From a line to a message of JSON-RPC, or to the error that answers it.

use std::io::{self, BufRead as _, BufReader, Read};

use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, RequestId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::error::Category;

/// A longer message is refused: a topic file has its place in it many times over.
pub(super) const MESSAGE_BYTES_MAX: usize = 16 << 20;

/// What a message starts with that is no part of it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// How far a message over the limit is read for its `id`.
const ID_SEARCH_BYTES_MAX: u64 = 64 << 20;
/// A longer `id` is not sent back.
const ID_BYTES_MAX: usize = 1024;

/// A line that is no message, and what its sender is told.
#[derive(Debug)]
pub(super) struct Unfit {
    /// The request that it was meant as, where that can be told. Without one the answer has no `id`: JSON-RPC 2.0 asks for
    /// `null` there, and MCP's schema allows a string, an integer or no member.
    pub id: Option<RequestId>,
    /// The error.
    pub error: ErrorData,
}

/// What is kept of a message over the limit.
#[derive(Deserialize)]
struct MessageId {
    id: Option<RequestId>,
    /// What a client answers to a request has none.
    method: Option<IgnoredAny>,
}

impl Unfit {
    /// A line over the limit, read to its end. Clients write the `id` before or behind the parameters.
    pub(super) fn too_long(mut line: impl Read) -> Self {
        let id = read_id(line.by_ref());
        // The rest of the line. An error of the stream comes again with the next line.
        let _ = io::copy(&mut line, &mut io::sink());
        let limit = MESSAGE_BYTES_MAX >> 20;
        Self::invalid_message(id, format!("a message is one line of at most {limit} MiB"))
    }

    fn invalid_message(id: Option<RequestId>, message: impl Into<String>) -> Self {
        let error = ErrorData::invalid_request(message.into(), None);
        Self { id, error }
    }
}

/// The `id` of a request, as far as it is read.
fn read_id(line: impl Read) -> Option<RequestId> {
    let mut line = BufReader::new(line.take(ID_SEARCH_BYTES_MAX));
    if line.fill_buf().ok()?.starts_with(BYTE_ORDER_MARK) {
        line.consume(BYTE_ORDER_MARK.len());
    }
    let message: MessageId = serde_json::from_reader(line).ok()?;
    message.method?;
    message.id.filter(|id| id.to_string().len() <= ID_BYTES_MAX)
}

/// Reads a message; `None` for an empty line.
///
/// # Errors
/// The line is no message.
pub(super) fn parse_message(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Box<Unfit>> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
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
    fn of_a_line_over_the_limit_the_id_is_read_wherever_it_is() {
        let id = |line: &str| Unfit::too_long(line.as_bytes()).id.map(|id| id.to_string());
        let params = r#""method":"ping","params":{"id":1,"x":["\"id\":2",{"id":3}]}"#;
        assert_eq!(id(&format!(r#"{{"id":7,{params}}}"#)).as_deref(), Some("7"));
        assert_eq!(
            id(&format!(r#"{{{params},"id":"a"}}"#)).as_deref(),
            Some("a")
        );
        let marked = format!("\u{feff}{{\"id\":7,{params}}}");
        assert_eq!(id(&marked).as_deref(), Some("7"));
        let long = "a".repeat(ID_BYTES_MAX + 1);
        assert_eq!(id(&format!(r#"{{"id":"{long}",{params}}}"#)), None);
        assert_eq!(id(&format!("{{{params}}}")), None);
        assert_eq!(id(r#"{"id":7,"method":"ping","params":"#), None);
        assert_eq!(id(r#"{"id":7,"result":{}}"#), None);
    }

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
