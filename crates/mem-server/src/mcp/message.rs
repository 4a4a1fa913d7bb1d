//! From the bytes of a body to a message of JSON-RPC, or to the error that answers it.

use mem_stores::Invalid;
use mem_stores::strict::ObjectFields;
use rmcp::ErrorData;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcError, RequestId};
use serde_json::Value;

/// Makes sure that a body is one message.
///
/// # Errors
/// What its sender is told: it is no JSON that all readers read alike, or no message.
pub(super) fn require(bytes: &[u8]) -> Result<(), Box<JsonRpcError>> {
    match ObjectFields::read(bytes) {
        Ok(_) => {}
        Err(Invalid::NoObject) => {
            let error = "one message a request, which is an object: batches are not read";
            return Err(invalid(None, error));
        }
        Err(error) => {
            let error = ErrorData::parse_error(error.to_string(), None);
            return Err(Box::new(JsonRpcError::new(None, error)));
        }
    }
    match serde_json::from_slice::<ClientJsonRpcMessage>(bytes) {
        Ok(_) => Ok(()),
        Err(_) => Err(misshapen(bytes)),
    }
}

/// What is wrong with an object that is no message.
fn misshapen(bytes: &[u8]) -> Box<JsonRpcError> {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let said = value.get("id");
    let id: Option<RequestId> = said.and_then(|id| serde_json::from_value(id.clone()).ok());
    if value["jsonrpc"] != "2.0" {
        return invalid(id, "`jsonrpc` must be \"2.0\"");
    }
    if said.is_some() && id.is_none() {
        return invalid(None, "`id` must be a string or an integer");
    }
    match value["method"].is_string() {
        true => {
            let error = "the parameters of this method are not of their shape";
            Box::new(JsonRpcError::new(
                id,
                ErrorData::invalid_params(error, None),
            ))
        }
        false => invalid(id, "`method` must be a string"),
    }
}

fn invalid(id: Option<RequestId>, message: &'static str) -> Box<JsonRpcError> {
    let error = ErrorData::invalid_request(message, None);
    Box::new(JsonRpcError::new(id, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_told_why() {
        let told = |body: &str| match require(body.as_bytes()) {
            Ok(()) => (0, None),
            Err(told) => (told.error.code.0, told.id.map(|id| id.to_string())),
        };
        let id = |text: &str| Some(text.to_owned());
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            (0, None)
        );
        for body in ["", "nonsense", "{", "{}x", r#"{"id":1,"id":2}"#] {
            assert_eq!(told(body), (-32700, None), "{body}");
        }
        let deep = format!(r#"{{"jsonrpc":"2.0","x":{}"#, "[".repeat(100_000));
        assert_eq!(told(&deep), (-32700, None));
        assert_eq!((told("[]"), told("7")), ((-32600, None), (-32600, None)));
        assert_eq!(told(r#"{"id":4,"method":"ping"}"#), (-32600, id("4")));
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#),
            (-32600, None)
        );
        assert_eq!(
            told(r#"{"jsonrpc":"2.0","id":"a","method":7}"#),
            (-32600, id("a"))
        );
    }
}
