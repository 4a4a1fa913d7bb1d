//! How sure it is that a document helps: a logistic regression over what was measured, fitted by
//! `eval/fit.py` on the tuned half of `eval/`. It looks at the text alone: a pinned note is no more
//! about a prompt than another.

use super::answer::Signals;

/// Hits below this confidence are left out by default: of prompts that no note fits, about one in
/// twenty brings anything.
pub const DEFAULT_MIN_SCORE: f32 = 0.5;

/// What each measure adds.
struct Factors {
    base: f32,
    coverage: f32,
    content: f32,
    both: f32,
    latin: f32,
    statics: f32,
    sentence: f32,
    common: f32,
    gate: f32,
}

/// Query and document are encoded. Bases are moved so that the default threshold is one half.
const ENCODED: Factors = Factors {
    base: -9.65 - 1.824,
    coverage: 2.46,
    content: 3.15,
    both: 2.35,
    latin: 2.20,
    statics: 4.52,
    sentence: 9.29,
    common: -7.41,
    gate: 7.69,
};

/// The query is encoded, the document not yet.
const WAITING: Factors = Factors {
    base: -10.58 - 1.735,
    coverage: 3.73,
    content: 3.49,
    both: 2.02,
    latin: 2.78,
    statics: 9.27,
    sentence: 0.0,
    common: -5.62,
    gate: 8.33,
};

/// Nothing is encoded.
const PLAIN: Factors = Factors {
    base: -13.25 - 1.875,
    coverage: 3.57,
    content: 4.46,
    both: 2.19,
    latin: 2.26,
    statics: 9.20,
    sentence: 0.0,
    common: 0.0,
    gate: 0.0,
};

/// From 0 to 1.
pub(super) fn confidence(signals: &Signals) -> f32 {
    let factors = match (signals.prompt, signals.sentence) {
        (Some(_), Some(_)) => &ENCODED,
        (Some(_), None) => &WAITING,
        (None, _) => &PLAIN,
    };
    let prompt = signals.prompt.unwrap_or_default();
    let say = signals.latin * signals.latin;
    let content = signals.content.ln_1p();
    let sum = factors.base
        + factors.coverage * signals.coverage
        + factors.content * content
        + factors.both * signals.coverage * content
        + factors.latin * signals.latin
        + say
            * (factors.statics * signals.statics
                + factors.sentence * signals.sentence.unwrap_or(0.0))
        + say * (factors.common * prompt.common + factors.gate * prompt.gate);
    1.0 / (1.0 + (-sum).exp())
}
