//! How alike a query and a record are: the `score` of a retrieval, which is no place in its order.
//!
//! The order is recall's ranking, which also looks at importance, age and use. The score says one thing: how near
//! the two texts are. It is the cosine of their sentences' vectors; where one of them has none yet, of their words'
//! vectors. Scripts that no vector speaks of count by the words that the record has of the query.

use mem_recall::RankSignals;

/// A record that has less of the query's words than this, and is less alike than [`ALIKE_MIN`], shares nothing with
/// it: two sentences that have nothing to do with each other share words such as "the".
const WORDS_MIN: f32 = 0.1;
/// See `WORDS_MIN`. `eval/README.md` says what it rests on.
pub const ALIKE_MIN: f32 = 0.2;

/// From 0 to 1; `None` for a record that shares nothing with the query.
pub fn likeness_score(signals: &RankSignals) -> Option<f32> {
    let cosine = signals.sentence.unwrap_or(signals.statics).clamp(0.0, 1.0);
    let latin = signals.latin.clamp(0.0, 1.0);
    let blend = latin * cosine + (1.0 - latin) * signals.coverage;
    // Words that nobody has a vector of are alike only as far as they are the same.
    let score = match cosine > 0.0 {
        true => blend,
        false => signals.coverage,
    };
    let shares = signals.coverage >= WORDS_MIN || score >= ALIKE_MIN;
    shares.then_some(score.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(coverage: f32, statics: f32, sentence: Option<f32>, latin: f32) -> RankSignals {
        RankSignals {
            coverage,
            statics,
            sentence,
            latin,
            ..RankSignals::default()
        }
    }

    #[test]
    fn a_score_is_how_alike_two_texts_are() {
        assert_eq!(
            likeness_score(&signals(0.4, 0.5, Some(0.7), 1.0)),
            Some(0.7)
        );
        assert_eq!(likeness_score(&signals(0.4, 0.5, None, 1.0)), Some(0.5));
        assert_eq!(
            likeness_score(&signals(0.4, 0.0, Some(0.0), 0.0)),
            Some(0.4)
        );
        assert_eq!(
            likeness_score(&signals(1.0, 0.0, None, 1.0)),
            Some(1.0),
            "a name"
        );
        assert_eq!(
            likeness_score(&signals(1.0, 0.0, Some(-0.1), 1.0)),
            Some(1.0)
        );
    }

    #[test]
    fn what_shares_nothing_has_none() {
        assert_eq!(likeness_score(&signals(0.0, 0.1, Some(0.05), 1.0)), None);
        assert_eq!(likeness_score(&signals(0.05, 0.1, None, 1.0)), None);
        assert_eq!(likeness_score(&signals(0.0, 0.0, None, 0.0)), None);
        assert_eq!(likeness_score(&signals(0.0, 0.3, None, 1.0)), Some(0.3));
    }
}
