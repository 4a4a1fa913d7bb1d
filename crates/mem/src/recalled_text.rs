//! Why notes were chosen and others were not, for people.

use mem_core::compact_sort::CompactSort as _;
use mem_core::run::remedy_text;
use mem_find::reasons::reason_lines;
use mem_find::recall_answer::{OmittedMemory, RecallAnswer, RecalledMemory};

use crate::sanitize::clean;

/// A note that was chosen, in one line.
pub(crate) fn memory_line(one: &RecalledMemory) -> String {
    let mut why = reason_lines(one);
    if let Some(drift) = &one.drift {
        let first = drift.reasons.first().map(|reason| format!(": {reason}"));
        why.push(format!(
            "{}{}",
            drift.verdict.as_str(),
            first.unwrap_or_default()
        ));
    }
    let line = format!(
        "{:.2}  {}  {}",
        one.hit.confidence,
        one.note.label(),
        why.join("; ")
    );
    clean(&line).replace('\n', " ")
}

/// The parts of a score, in one line.
pub(crate) fn parts_line(one: &RecalledMemory) -> String {
    let parts = one.hit.parts.iter();
    let parts: Vec<String> = parts
        .map(|part| format!("{} {:+.2}", part.weight, part.value))
        .collect();
    parts.join(", ")
}

/// What was left out, one a line, the nearest first; nothing where there was nothing to leave out.
pub(crate) fn left_out(answer: &RecallAnswer, min_score: f32) -> Vec<String> {
    if let Some(by) = &answer.off_by {
        let line = clean(&format!("memory is off here: {by}; {}", remedy_text(by))).into_owned();
        return vec![line];
    }
    let mut all: Vec<&OmittedMemory> = answer.left.iter().collect();
    let score = |left: &OmittedMemory| left.score.unwrap_or(f32::INFINITY);
    all.compact_sort_by(|a, b| score(b).total_cmp(&score(a)));
    let mut lines: Vec<String> = all
        .into_iter()
        .map(|one| omitted_line(one, min_score))
        .collect();
    let told = answer.memories.len() + answer.left.len();
    if let Some(more @ 1..) = answer.notes.checked_sub(told) {
        lines.push(format!("   -  and {more} that come less near"));
    }
    lines
}

/// A note that was left out, in one line.
fn omitted_line(left: &OmittedMemory, min_score: f32) -> String {
    let score = match left.score {
        Some(score) => format!("{score:.2}"),
        None => "   -".to_owned(),
    };
    let by = match left.by {
        "score" => format!("not sure enough: below {min_score:.2}"),
        "outranked" => "the best fits twice as well or better".to_owned(),
        "shown" => "this session has seen it".to_owned(),
        "no-text" => "it is no text that can be read".to_owned(),
        "tool-in-use" => "documents a tool that is in use".to_owned(),
        "limit" => "others fit better (--limit)".to_owned(),
        "budget" => "no room (--budget-chars)".to_owned(),
        "excluded" => "not wanted (--exclude)".to_owned(),
        "expired" => "it has expired".to_owned(),
        by => format!("another {by} is wanted"),
    };
    clean(&format!("{score}  {}  {by}", left.label())).replace('\n', " ")
}
