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
    both: f32,
    statics: f32,
    sentence: f32,
    common: f32,
    gate: f32,
}

/// Query and document are encoded. Bases are moved so that the default threshold is one half.
const ENCODED: Factors = Factors {
    base: -2.25 - 1.65,
    coverage: 1.07,
    both: 4.21,
    statics: 2.24,
    sentence: 11.17,
    common: -9.50,
    gate: 4.38,
};

/// The query is encoded, the document not yet.
const WAITING: Factors = Factors {
    base: -2.45 - 1.386,
    coverage: 1.10,
    both: 4.93,
    statics: 8.16,
    sentence: 0.0,
    common: -6.65,
    gate: 5.17,
};

/// Nothing is encoded.
const PLAIN: Factors = Factors {
    base: -4.69 - 1.901,
    coverage: -3.13,
    both: 7.99,
    statics: 7.96,
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
    // How much a prompt holds counts only as far as the document answers it: a long log of an error
    // that nobody wrote down holds much, too.
    let sum = factors.base
        + factors.coverage * signals.coverage
        + factors.both * signals.coverage * signals.content.ln_1p()
        + say
            * (factors.statics * signals.statics
                + factors.sentence * signals.sentence.unwrap_or(0.0))
        + say * (factors.common * prompt.common + factors.gate * prompt.gate);
    1.0 / (1.0 + (-sum).exp())
}
