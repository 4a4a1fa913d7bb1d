//! `memory_recall`.

use crate::CallError;
use mem_find::reasons::reason_lines;
use mem_find::recall::answer_without_warnings;
use mem_find::recall_answer::RecalledMemory;
use mem_find::request::{PROMPT_BYTES_MAX, PromptTooLarge, RecallRequest};
use mem_find::{context_text, settings};
use mem_recall::RankFilter;
use serde::Deserialize;
use serde_json::{Value, json};

use super::mcp_call::McpCall;
use super::search::scope_names;
use super::shape;

const LIMIT_MAX: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallArguments {
    prompt: String,
    limit: Option<usize>,
}

/// The few notes that help, by the same road as every other recall.
pub(super) fn call_recall(arguments: RecallArguments, desk: &McpCall) -> Result<Value, CallError> {
    if arguments.prompt.len() as u64 > PROMPT_BYTES_MAX {
        return Err(PromptTooLarge.into());
    }
    let config = &desk.place.config;
    let limit = arguments.limit.unwrap_or(config.values.recall.limit);
    let request = RecallRequest {
        prompt: arguments.prompt,
        limit: limit.clamp(1, LIMIT_MAX),
        min_score: config.values.recall.min_score.0 as f32,
        filter: RankFilter {
            scopes: scope_names(desk),
            ..RankFilter::default()
        },
        exclude: Vec::new(),
        choice: None,
        tools: Vec::new(),
        // Whoever asks wants the answer again after a compaction, too.
        session: None,
        weights: settings::rank_weights(config),
    };
    let mut answer = answer_without_warnings(&request, &desk.place, desk.environment.run())?;
    let rendered = context_text::render_answer(&answer, config.values.recall.budget_chars);
    context_text::drop_unrendered(&mut answer, &rendered);
    let memories = answer.memories.iter().map(|one| memory_json(one, desk));
    Ok(json!({
        "context": rendered.text, "abstained": answer.abstained,
        "memories": memories.collect::<Vec<_>>(),
    }))
}

fn memory_json(one: &RecalledMemory, desk: &McpCall) -> Value {
    let more = json!({
        "score": shape::rounded_number(one.hit.confidence), "drift": one.drift, "author": one.author,
        "why": reason_lines(one),
    });
    shape::note_with(&one.note, desk.run().now, more)
}
