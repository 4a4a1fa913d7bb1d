//! How sure it is that a document helps: a logistic regression over what was measured, fitted by
//! `eval/fit.py` on the tuned half of `eval/`. It looks at the text alone: a pinned note is no more
//! about a prompt than another.

use super::answer::RankSignals;

/// Hits below this confidence are left out by default: of prompts that no note fits, about one in
/// twenty brings anything.
pub const DEFAULT_MIN_SCORE: f32 = 0.5;

/// What each measure adds.
struct Factors {
    base: f32,
    coverage: f32,
    full: f32,
    both: f32,
    statics: f32,
    sentence: f32,
    common: f32,
    gate: f32,
}

/// Query and document are encoded. Bases are moved so that the default threshold is one half.
const ENCODED: Factors = Factors {
    base: -2.83 - 2.254,
    coverage: -7.34,
    full: 4.10,
    both: 7.70,
    statics: 6.52,
    sentence: 13.04,
    common: -10.77,
    gate: 3.05,
};

/// The query is encoded, the document not yet.
const WAITING: Factors = Factors {
    base: -2.41 - 2.132,
    coverage: -5.89,
    full: 3.23,
    both: 7.60,
    statics: 11.96,
    sentence: 0.00,
    common: -6.94,
    gate: 3.75,
};

/// Nothing is encoded.
const PLAIN: Factors = Factors {
    base: -4.26 - 2.903,
    coverage: -12.42,
    full: 5.29,
    both: 12.01,
    statics: 10.69,
    sentence: 0.00,
    common: 0.00,
    gate: 0.00,
};

/// From 0 to 1.
pub(super) fn rank_confidence(signals: &RankSignals) -> f32 {
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
        // Whether all of the prompt is there: a name asked for by itself is.
        + factors.full * signals.coverage.powi(4)
        + factors.both * signals.coverage * signals.content.ln_1p()
        + say
            * (factors.statics * signals.statics
                + factors.sentence * signals.sentence.unwrap_or(0.0))
        + say * (factors.common * prompt.common + factors.gate * prompt.gate);
    1.0 / (1.0 + (-sum).exp())
}
