//! What an answer of the API says: [`ModelMessage`].

use secrecy::SecretString;
use serde::Deserialize;
use serde_json::Value;

use super::ApiError;

/// One message of the model. Its blocks go back as they came: some are signed.
#[derive(Debug, Deserialize)]
pub(super) struct ModelMessage {
    /// The blocks.
    pub(super) content: Vec<Value>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    pub(super) usage: TokenUsage,
}

/// What it cost.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenUsage {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    /// Summing up is told here and nowhere else.
    iterations: Option<Vec<Iteration>>,
}

#[derive(Debug, Deserialize)]
struct Iteration {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
}

/// How a message ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageEnd {
    /// All is said.
    Done,
    /// It waits for its tools.
    Calls,
    /// It is to be sent on as it is.
    Paused,
}

impl ModelMessage {
    /// How it ends.
    pub(super) fn message_end(&self) -> Result<MessageEnd, ApiError> {
        match self.stop_reason.as_deref() {
            Some("end_turn" | "stop_sequence") => Ok(MessageEnd::Done),
            Some("tool_use") => Ok(MessageEnd::Calls),
            Some("pause_turn" | "compaction") => Ok(MessageEnd::Paused),
            Some("refusal") => Err(ApiError::Declined),
            Some("max_tokens" | "model_context_window_exceeded") => Err(ApiError::CutOff),
            _ => Err(ApiError::Nonsense("it does not say why it ends".to_owned())),
        }
    }

    /// Takes the key out of what it says and of what it calls tools with; the rest goes back as it came.
    pub(super) fn mask_content(&mut self, key: &SecretString) {
        for block in &mut self.content {
            for part in ["text", "input"] {
                if let Some(value) = block.get_mut(part) {
                    mask_key(value, key);
                }
            }
        }
    }

    /// Its words, white space around them removed.
    pub(super) fn joined_text(&self) -> String {
        let blocks = self.content.iter().filter(|block| block["type"] == "text");
        let texts = blocks.filter_map(|block| block["text"].as_str());
        texts.collect::<String>().trim().to_owned()
    }
}

impl TokenUsage {
    /// All tokens that were read and written.
    pub(super) fn total_tokens(&self) -> u64 {
        let of_turn = [
            self.input_tokens,
            self.cache_creation_input_tokens,
            self.cache_read_input_tokens,
            self.output_tokens,
        ];
        let summing_up = self.iterations.iter().flatten();
        let summing_up = summing_up.filter(|one| one.kind == "compaction");
        let summing_up = summing_up.flat_map(|one| [one.input_tokens, one.output_tokens]);
        let all = of_turn.into_iter().chain(summing_up).flatten();
        all.fold(0, u64::saturating_add)
    }
}

/// Takes the key and its parts out of all texts in a value.
fn mask_key(value: &mut Value, key: &SecretString) {
    match value {
        Value::String(text) => *text = mem_http::mask_key(text, key),
        Value::Array(all) => all.iter_mut().for_each(|one| mask_key(one, key)),
        Value::Object(all) => all.values_mut().for_each(|one| mask_key(one, key)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_token_is_counted_those_of_summing_up_too() {
        let usage: TokenUsage = serde_json::from_value(json!({
            "input_tokens": 1, "cache_creation_input_tokens": 20, "cache_read_input_tokens": null,
            "output_tokens": 300, "service_tier": "standard",
            "iterations": [{"type": "message", "input_tokens": 7},
                {"type": "compaction", "input_tokens": 4000, "output_tokens": 50000}],
        }))
        .unwrap();
        assert_eq!(usage.total_tokens(), 54_321);
    }

    #[test]
    fn no_text_of_a_value_has_it() {
        let key = SecretString::from(["sk-of-", "nobody"].concat());
        let mut value: Value =
            serde_json::from_str("{\"a\":[\"is sk-\\u006ff-nobody\",1]}").unwrap();
        mask_key(&mut value, &key);
        assert_eq!(value, json!({ "a": ["is [key]", 1] }));
    }
}
