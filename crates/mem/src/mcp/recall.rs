//! `memory_recall`.

use anyhow::Result;
use mem_recall::RankFilter;
use serde::Deserialize;
use serde_json::{Value, json};

use super::desk::McpCall;
use super::search::scopes;
use super::shape;
use crate::question::{PromptTooLarge, found};
use crate::recall::chosen::RecalledMemory;
use crate::recall::reasons::reasons;
use crate::recall::request::{PROMPT_BYTES_MAX, RecallRequest};
use crate::recall::{context_text, settings};

const LIMIT_MAX: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallArguments {
    prompt: String,
    limit: Option<usize>,
}

/// The few notes that help, by the same road as every other recall.
pub(super) fn call(arguments: RecallArguments, desk: &McpCall) -> Result<Value> {
    if arguments.prompt.len() as u64 > PROMPT_BYTES_MAX {
        return Err(PromptTooLarge.into());
    }
    let config = &desk.place.config;
    let limit = arguments.limit.unwrap_or_else(|| settings::limit(config));
    let request = RecallRequest {
        prompt: arguments.prompt,
        limit: limit.clamp(1, LIMIT_MAX),
        min_score: settings::min_score(config),
        filter: RankFilter {
            scopes: scopes(desk),
            ..RankFilter::default()
        },
        exclude: Vec::new(),
        chosen: None,
        tools: Vec::new(),
        // Whoever asks wants the answer again after a compaction, too.
        session: None,
        weights: settings::weights(config),
    };
    let mut answer = found(&request, &desk.place, &desk.context)?;
    let rendered = context_text::render(&answer, settings::budget_chars(config));
    context_text::keep(&mut answer, &rendered);
    let memories = answer.memories.iter().map(|one| memory(one, desk));
    Ok(json!({
        "context": rendered.text, "abstained": answer.abstained,
        "memories": memories.collect::<Vec<_>>(),
    }))
}

fn memory(one: &RecalledMemory, desk: &McpCall) -> Value {
    let more = json!({
        "score": shape::rounded(one.hit.confidence), "drift": one.drift, "author": one.author,
        "why": reasons(one),
    });
    shape::note_with(&one.note, desk.context.now, more)
}
