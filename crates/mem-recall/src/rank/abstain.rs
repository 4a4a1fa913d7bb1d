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

/// The best of many documents that do not fit is nearer than that of few. Between 36 and 416 notes the sum
/// that one in twenty such prompts reaches grew by 0.7 to 0.9 times the logarithm of their number.
const AMONG: f32 = -0.8;
/// The number of documents that the bases are for.
const AMONG_BASE: f32 = 179.0;
/// Of fewer it was not measured.
const AMONG_MIN: usize = 24;

/// A long document has more of any prompt's words, so each counts less: of 1.6 to 2 KB the nearest to a prompt that it
/// does not fit covers half as much again as of the 150 to 700 bytes that the factors are fitted on.
const LENGTH: f32 = 0.12;
/// Terms of a document from which on it counts as long: some 400 bytes of English.
const LENGTH_BASE: f32 = 80.0;

/// Query and document are encoded. Bases are moved so that the default threshold is one half.
const ENCODED: Factors = Factors {
    base: -3.11 - 1.955,
    coverage: -6.10,
    full: 3.86,
    both: 7.71,
    statics: 1.50,
    sentence: 18.72,
    common: -12.39,
    gate: 3.62,
};

/// The query is encoded, the document not yet.
const WAITING: Factors = Factors {
    base: -2.89 - 2.143,
    coverage: -4.66,
    full: 2.99,
    both: 7.61,
    statics: 12.06,
    sentence: 0.00,
    common: -8.34,
    gate: 4.22,
};

/// Nothing is encoded.
const PLAIN: Factors = Factors {
    base: -5.13 - 2.825,
    coverage: -11.53,
    full: 4.65,
    both: 12.49,
    statics: 10.83,
    sentence: 0.00,
    common: 0.00,
    gate: 0.00,
};

/// From 0 to 1, of the best of `ranked` documents.
pub(super) fn rank_confidence(signals: &RankSignals, ranked: usize) -> f32 {
    let factors = match (signals.prompt, signals.sentence) {
        (Some(_), Some(_)) => &ENCODED,
        (Some(_), None) => &WAITING,
        (None, _) => &PLAIN,
    };
    let prompt = signals.prompt.unwrap_or_default();
    let say = signals.latin * signals.latin;
    // In scripts without spaces a document has as many terms as letters.
    let length = say * (signals.terms as f32 / LENGTH_BASE).max(1.0).ln();
    let coverage = signals.coverage / (1.0 + LENGTH * length);
    // How much a prompt holds counts only as far as the document answers it: a long log of an error
    // that nobody wrote down holds much, too.
    let sum = factors.base
        + AMONG * (ranked.max(AMONG_MIN) as f32 / AMONG_BASE).ln()
        + factors.coverage * coverage
        // Whether all of the prompt is there: a name asked for by itself is.
        + factors.full * coverage.powi(4)
        + factors.both * coverage * signals.content.ln_1p()
        + say
            * (factors.statics * signals.statics
                + factors.sentence * signals.sentence.unwrap_or(0.0))
        + say * (factors.common * prompt.common + factors.gate * prompt.gate);
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_many_is_less_sure_than_that_of_few() {
        let signals = RankSignals {
            coverage: 0.4,
            statics: 0.2,
            content: 3.0,
            latin: 1.0,
            ..RankSignals::default()
        };
        let sure = |ranked| rank_confidence(&signals, ranked);
        assert!(sure(36) > sure(400) && sure(400) > sure(10_000));
        assert_eq!(sure(1).to_bits(), sure(AMONG_MIN).to_bits());
    }
}
