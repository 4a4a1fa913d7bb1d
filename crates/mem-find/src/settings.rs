//! What the settings say of ranking, as recall takes it.

use mem_core::Config;
use mem_core::config::RecallWeightSettings;
use mem_recall::RankWeights;

use crate::current_index::Storing;

/// What a command stores that reads the index: small changes are left to the background.
pub fn storing_mode(config: &Config) -> Storing {
    match config.values.recall.background {
        true => Storing::Much,
        false => Storing::Always,
    }
}

/// `recall.weights`.
pub fn rank_weights(config: &Config) -> RankWeights {
    let RecallWeightSettings {
        lexical,
        coverage,
        soft,
        name,
        description,
        body,
        k1,
        b,
        statics,
        sentence,
        length,
        latin,
        freshness,
        half_life_days,
        importance,
        pinned,
        used,
        unused,
        drift,
    } = config.values.recall_weights.clone();
    let weight = |number: f64| number as f32;
    RankWeights {
        lexical: weight(lexical),
        coverage: weight(coverage),
        soft: weight(soft),
        name: weight(name),
        description: weight(description),
        body: weight(body),
        k1: weight(k1),
        b: weight(b),
        statics: weight(statics),
        sentence: weight(sentence),
        length: weight(length),
        latin: weight(latin),
        freshness: weight(freshness),
        half_life_days: weight(half_life_days),
        importance: weight(importance),
        pinned: weight(pinned),
        used: weight(used),
        unused: weight(unused),
        drift: weight(drift),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_recall::DEFAULT_MIN_SCORE;

    #[test]
    fn the_defaults_are_those_that_recall_was_measured_with() {
        let config = Config::default();
        assert_eq!(rank_weights(&config), RankWeights::default());
        assert_eq!(config.values.recall.min_score.0 as f32, DEFAULT_MIN_SCORE);
    }
}
