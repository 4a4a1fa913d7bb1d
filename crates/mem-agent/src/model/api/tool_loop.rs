//! A task with the memory tool: the model asks for it, is answered, and goes on, for a few turns.
//!
//! The shapes are those of the Messages API with its betas for context editing and compaction. What went before
//! is cached up to the newest message; results of the memory tool are never cleared, they are what the model
//! decides by; a conversation that grows all the same is summed up by the server.

use serde_json::{Value, json};

use super::connection::ModelConnection;
use super::message::{MessageEnd, ModelMessage};
use super::tokens::TokenBudget;
use super::{Api, ApiError};
use crate::tool::ToolAnswer;
use mem_secrets::redacted;

/// Requests of one task.
pub const TURNS_MAX: usize = 5;
/// Of one message, so many calls are carried out.
const CALLS_MAX: usize = 32;
/// Of one turn, so much may be written.
const ANSWER_TOKENS_MAX: u64 = 8_192;
/// From here on old results of tools are cleared; those of the memory tool are not.
const CLEARED_FROM_TOKENS: u64 = 30_000;
/// From here on the conversation is summed up: the least that the API takes.
const COMPACTED_FROM_TOKENS: u64 = 50_000;

const BETAS: &str = "context-management-2025-06-27,compact-2026-01-12";
const TOOL: &str = "memory";

/// A task.
#[derive(Clone, Copy, Debug)]
pub struct ModelTask<'w> {
    /// What is to be done; the same every time, so that it stays cached.
    pub instructions: &'w str,
    /// What it is to be done with.
    pub material: &'w str,
}

impl Api {
    /// Has the model work with the memory tool until it says that it has finished; what it says beside that
    /// is not asked for. In its last turn it is told to use no tool any more.
    ///
    /// # Errors
    /// See [`ApiError`]; what the tool did until then is the caller's to judge.
    pub fn work_with_tool(
        &self,
        work: ModelTask<'_>,
        tool: &dyn Fn(&Value) -> ToolAnswer,
    ) -> Result<(), ApiError> {
        let line = ModelConnection::open(self, Some(BETAS))?;
        let mut budget = TokenBudget::new(self.options.tokens_max);
        let mut said = vec![json!({ "role": "user", "content": [
            { "type": "text", "text": redacted(work.material), "cache_control": cache_marker() },
        ]})];
        for turn in 1..=TURNS_MAX {
            let mut body = self.request_body(work.instructions, &said);
            if turn == TURNS_MAX {
                body["tool_choice"] = json!({ "type": "none" });
            }
            body["max_tokens"] = json!(budget.answer_room(&body, ANSWER_TOKENS_MAX)?);
            let message = line.send_request(&body)?;
            budget.spend_turn(&body, &message);
            match message.message_end()? {
                MessageEnd::Done => return Ok(()),
                MessageEnd::Paused => said.push(assistant_turn(&message)),
                MessageEnd::Calls => {
                    let results = run_tool_calls(&message, tool)?;
                    said.push(assistant_turn(&message));
                    said.push(json!({ "role": "user", "content": results }));
                }
            }
        }
        Err(ApiError::Endless)
    }

    fn request_body(&self, instructions: &str, said: &[Value]) -> Value {
        let mut said = said.to_vec();
        if let Some(last) = said.last_mut().filter(|last| last["role"] == "user")
            && let Some(block) = last["content"]
                .as_array_mut()
                .and_then(|all| all.last_mut())
        {
            block["cache_control"] = cache_marker();
        }
        let over = |tokens: u64| json!({ "type": "input_tokens", "value": tokens });
        json!({
            "model": self.options.name,
            "max_tokens": ANSWER_TOKENS_MAX,
            "system": [{ "type": "text", "text": instructions, "cache_control": cache_marker() }],
            "tools": [{ "type": "memory_20250818", "name": TOOL }],
            "context_management": { "edits": [
                {
                    "type": "clear_tool_uses_20250919", "trigger": over(CLEARED_FROM_TOKENS),
                    "exclude_tools": [TOOL],
                },
                { "type": "compact_20260112", "trigger": over(COMPACTED_FROM_TOKENS) },
            ]},
            "messages": said,
        })
    }
}

fn cache_marker() -> Value {
    json!({ "type": "ephemeral" })
}

fn assistant_turn(message: &ModelMessage) -> Value {
    json!({ "role": "assistant", "content": message.content })
}

/// Carries out what a message asks for. Whatever a call is, it is answered; no secret is in the answer.
fn run_tool_calls(
    message: &ModelMessage,
    tool: &dyn Fn(&Value) -> ToolAnswer,
) -> Result<Vec<Value>, ApiError> {
    let nonsense = |why: &str| ApiError::Nonsense(why.to_owned());
    let calls = message.content.iter();
    let calls = calls.filter(|block| block["type"] == "tool_use");
    let mut results = Vec::new();
    for (at, call) in calls.enumerate() {
        let id = call["id"].as_str();
        let id = id.ok_or_else(|| nonsense("it calls a tool without an id"))?;
        let answer = match call["name"].as_str() {
            _ if at >= CALLS_MAX => ToolAnswer::from_error_text(format!(
                "Error: only {CALLS_MAX} calls of one message are carried out."
            )),
            Some(TOOL) => tool(&call["input"]),
            _ => ToolAnswer::from_error_text(
                "Error: there is no such tool; `memory` is the only one.",
            ),
        };
        results.push(json!({
            "type": "tool_result", "tool_use_id": id, "content": redacted(&answer.content),
            "is_error": answer.is_error,
        }));
    }
    match results.is_empty() {
        true => Err(nonsense("it waits for tools and calls none")),
        false => Ok(results),
    }
}
