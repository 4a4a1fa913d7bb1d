//! The tokens of one conversation, counted as the server tells them: [`TokenBudget`].

use serde_json::Value;

use super::ApiError;
use super::message::ModelMessage;
use crate::tokens::estimate_tokens;

/// Fewer are no answer.
const ANSWER_TOKENS_MIN: u64 = 256;

/// What may be read and written, and what was.
#[derive(Debug)]
pub(super) struct TokenBudget {
    tokens_max: u64,
    spent: u64,
}

impl TokenBudget {
    /// All of it is left.
    pub(super) fn new(tokens_max: u64) -> Self {
        Self {
            tokens_max,
            spent: 0,
        }
    }

    /// How long the answer to a request may be, `wanted` at most. A server that tells no tokens is counted by
    /// an estimate.
    pub(super) fn answer_room(&self, request: &Value, wanted: u64) -> Result<u64, ApiError> {
        let asked = self.spent.saturating_add(value_tokens(request));
        match self.tokens_max.checked_sub(asked) {
            Some(left) if left >= ANSWER_TOKENS_MIN => Ok(left.min(wanted)),
            _ => Err(ApiError::Budget {
                tokens_max: self.tokens_max,
            }),
        }
    }

    /// Takes in what a turn cost.
    pub(super) fn spend_turn(&mut self, request: &Value, answer: &ModelMessage) {
        let cost = match answer.usage.total_tokens() {
            0 => {
                let said: u64 = answer.content.iter().map(value_tokens).sum();
                value_tokens(request).saturating_add(said)
            }
            told => told,
        };
        self.spent = self.spent.saturating_add(cost);
    }
}

fn value_tokens(value: &Value) -> u64 {
    u64::try_from(estimate_tokens(&value.to_string())).unwrap_or(u64::MAX)
}
