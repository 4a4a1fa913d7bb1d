//! Why notes were chosen and others were not, for people.

use crate::recall::chosen::{Left, Recalled};
use crate::recall::reasons::reasons;
use crate::sanitize::clean;

/// A note that was chosen, in one line.
pub(crate) fn chosen(one: &Recalled) -> String {
    let mut why = reasons(one);
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
pub(crate) fn parts(one: &Recalled) -> String {
    let parts = one.hit.parts.iter();
    let parts: Vec<String> = parts
        .map(|part| format!("{} {:+.2}", part.weight, part.value))
        .collect();
    parts.join(", ")
}

/// A note that was left out, in one line.
pub(crate) fn left(left: &Left, min_score: f32) -> String {
    let score = match left.score {
        Some(score) => format!("{score:.2}"),
        None => "   -".to_owned(),
    };
    let by = match left.by {
        "score" => format!("not sure enough: below {min_score:.2}"),
        "shown" => "this session has seen it".to_owned(),
        "tool-in-use" => "documents a tool that is in use".to_owned(),
        "limit" => "others fit better (--limit)".to_owned(),
        "budget" => "no room (--budget-chars)".to_owned(),
        "excluded" => "not wanted (--exclude)".to_owned(),
        "expired" => "it has expired".to_owned(),
        by => format!("another {by} is wanted"),
    };
    clean(&format!("{score}  {}  {by}", left.label())).replace('\n', " ")
}
