//! What `mem verify --fix` rewrites, for people and as JSON.

use mem_find::verdicts::citation_moves::MovePlan;
use serde_json::{Value, json};

use crate::sanitize::clean;

/// The plan for people, a line a citation: `FILE:LINE  OLD -> NEW`.
pub(crate) fn plan_lines(plan: &MovePlan) -> Vec<String> {
    let lines = plan.entries().map(|(note, one)| {
        let text = format!(
            "{}:{}  {} -> {}",
            note.label(),
            one.line,
            one.text,
            one.replacement
        );
        clean(&text).into_owned()
    });
    lines.collect()
}

/// The citations that stay though their files moved, for people: `FILE:LINE  TEXT stays: REASON`.
pub(crate) fn kept_lines(plan: &MovePlan) -> impl Iterator<Item = String> {
    plan.kept().iter().map(|one| {
        let text = format!(
            "{}:{}  `{}` stays: {}",
            one.note, one.line, one.text, one.reason
        );
        clean(&text).into_owned()
    })
}

/// The same in its stable shape: `[{"file","line","text","reason"}]`.
pub(crate) fn kept_json(plan: &MovePlan) -> Vec<Value> {
    let kept = plan.kept().iter().map(
        |one| json!({"file": one.note, "line": one.line, "text": one.text, "reason": one.reason}),
    );
    kept.collect()
}

/// The stable shape: `[{"file","line","text","replacement"}]`.
pub(crate) fn plan_json(plan: &MovePlan) -> Vec<Value> {
    let entries = plan.entries().map(|(note, one)| {
        json!({
            "file": note.label(), "line": one.line, "text": one.text, "replacement": one.replacement,
        })
    });
    entries.collect()
}
