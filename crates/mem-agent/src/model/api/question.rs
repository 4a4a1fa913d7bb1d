//! One question, one answer: what a program of the user's would be asked.

use serde_json::json;

use super::connection::ModelConnection;
use super::message::MessageEnd;
use super::tokens::TokenBudget;
use super::{Api, ApiError};
use mem_secrets::redacted;

/// Longer answers are not asked for: the notes of a session fit.
const ANSWER_TOKENS_MAX: u64 = 16_000;

impl Api {
    /// Asks it, and waits for the answer, white space around it removed.
    ///
    /// # Errors
    /// See [`ApiError`].
    pub fn ask_api(&self, prompt: &str) -> Result<String, ApiError> {
        let mut body = json!({
            "model": self.options.name,
            "max_tokens": ANSWER_TOKENS_MAX,
            "messages": [{ "role": "user", "content": redacted(prompt) }],
        });
        let budget = TokenBudget::new(self.options.tokens_max);
        body["max_tokens"] = json!(budget.answer_room(&body, ANSWER_TOKENS_MAX)?);
        let message = ModelConnection::open(self, None)?.send_request(&body)?;
        if message.message_end()? != MessageEnd::Done {
            return Err(ApiError::Nonsense("it waits for something".to_owned()));
        }
        match message.joined_text() {
            text if text.is_empty() => Err(ApiError::Nonsense("it says nothing".to_owned())),
            text => Ok(text),
        }
    }
}
