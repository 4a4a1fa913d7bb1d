//! How sure it is that a document helps: a logistic regression over what was measured, fitted on
//! the first half of `eval/`. It looks at the text alone: a pinned note is no more about a prompt.

use super::answer::Signals;

/// Hits below this confidence are left out by default: chosen so that of prompts that no note fits
/// at most one in twenty brings anything.
pub const DEFAULT_MIN_SCORE: f32 = 0.5;

/// Intercept, then factors of coverage, static cosine, sentence cosine.
const WITH_SENTENCE: [f32; 4] = [-6.0, 4.0, 0.0, 10.0];
const WITHOUT: [f32; 4] = [-5.0, 5.0, 5.0, 0.0];

/// From 0 to 1.
pub(super) fn confidence(signals: &Signals) -> f32 {
    let [base, coverage, statics, sentence] = if signals.sentence.is_some() {
        WITH_SENTENCE
    } else {
        WITHOUT
    };
    let sum = base
        + coverage * signals.coverage
        + statics * signals.statics
        + sentence * signals.sentence.unwrap_or(0.0);
    1.0 / (1.0 + (-sum).exp())
}
