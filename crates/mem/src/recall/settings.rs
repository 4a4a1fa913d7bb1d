//! The settings of recall. Those that nobody set are not looked up: a prompt is waiting.

use super::kept::Storing;
use mem_core::Config;
use mem_recall::{DEFAULT_MIN_SCORE, RankWeights};

/// Notes that a recall brings at most.
const LIMIT_DEFAULT: usize = 5;
/// Characters of context that they may fill.
const BUDGET_DEFAULT_CHARS: usize = 2_500;

/// Characters of context that the memories about one file may fill.
const FILE_DEFAULT_CHARS: usize = 1_600;

/// Characters that a subagent is given when it starts, about 400 tokens.
const SUBAGENT_DEFAULT_CHARS: usize = 1_600;
/// Characters of context that one session may be given altogether.
const SESSION_DEFAULT_CHARS: usize = 12_000;

/// `recall.limit`.
pub(crate) fn recall_limit(config: &Config) -> usize {
    count_setting(config, "recall.limit").unwrap_or(LIMIT_DEFAULT)
}

/// `recall.budget_chars`.
pub(crate) fn budget_chars(config: &Config) -> usize {
    count_setting(config, "recall.budget_chars").unwrap_or(BUDGET_DEFAULT_CHARS)
}

/// `recall.file_chars`.
pub(crate) fn file_chars(config: &Config) -> usize {
    count_setting(config, "recall.file_chars").unwrap_or(FILE_DEFAULT_CHARS)
}

/// `recall.subagent_chars`.
pub(crate) fn subagent_chars(config: &Config) -> usize {
    count_setting(config, "recall.subagent_chars").unwrap_or(SUBAGENT_DEFAULT_CHARS)
}

/// `recall.session_chars`.
pub(crate) fn session_chars(config: &Config) -> usize {
    count_setting(config, "recall.session_chars").unwrap_or(SESSION_DEFAULT_CHARS)
}

/// `recall.min_score`.
pub(crate) fn min_score(config: &Config) -> f32 {
    number_setting(config, "recall.min_score").unwrap_or(DEFAULT_MIN_SCORE)
}

/// `recall.background`.
pub(crate) fn is_background_allowed(config: &Config) -> bool {
    let set = config.explicit("recall.background");
    set.and_then(|setting| setting.value.boolean())
        .unwrap_or(true)
}

/// What a command stores that reads the index: small changes are left to the background.
pub(crate) fn storing_mode(config: &Config) -> Storing {
    match is_background_allowed(config) {
        true => Storing::Much,
        false => Storing::Always,
    }
}

/// `recall.weights`.
pub(crate) fn rank_weights(config: &Config) -> RankWeights {
    let mut weights = RankWeights::default();
    for (key, weight) in weight_fields(&mut weights) {
        if let Some(number) = number_setting(config, key) {
            *weight = number;
        }
    }
    weights
}

fn weight_fields(weights: &mut RankWeights) -> [(&'static str, &mut f32); 17] {
    [
        ("recall.weights.lexical", &mut weights.lexical),
        ("recall.weights.coverage", &mut weights.coverage),
        ("recall.weights.soft", &mut weights.soft),
        ("recall.weights.name", &mut weights.name),
        ("recall.weights.description", &mut weights.description),
        ("recall.weights.body", &mut weights.body),
        ("recall.weights.k1", &mut weights.k1),
        ("recall.weights.b", &mut weights.b),
        ("recall.weights.statics", &mut weights.statics),
        ("recall.weights.sentence", &mut weights.sentence),
        ("recall.weights.latin", &mut weights.latin),
        ("recall.weights.freshness", &mut weights.freshness),
        ("recall.weights.half_life_days", &mut weights.half_life_days),
        ("recall.weights.importance", &mut weights.importance),
        ("recall.weights.pinned", &mut weights.pinned),
        ("recall.weights.used", &mut weights.used),
        ("recall.weights.drift", &mut weights.drift),
    ]
}

fn number_setting(config: &Config, key: &str) -> Option<f32> {
    let number = config.explicit(key)?.value.number()?;
    Some(number as f32).filter(|number| number.is_finite())
}

fn count_setting(config: &Config, key: &str) -> Option<usize> {
    usize::try_from(config.explicit(key)?.value.integer()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_settings_file_documents_is_what_counts() {
        let config = Config::default();
        let documented = |key: &str| config.number(key).unwrap() as f32;
        let mut weights = rank_weights(&config);
        for (key, weight) in weight_fields(&mut weights) {
            assert!((documented(key) - *weight).abs() < 1e-6, "{key}");
        }
        assert_eq!(documented("recall.limit"), recall_limit(&config) as f32);
        assert_eq!(
            documented("recall.budget_chars"),
            budget_chars(&config) as f32
        );
        assert_eq!(documented("recall.file_chars"), file_chars(&config) as f32);
        assert_eq!(
            documented("recall.subagent_chars"),
            subagent_chars(&config) as f32
        );
        assert_eq!(
            documented("recall.session_chars"),
            session_chars(&config) as f32
        );
        assert_eq!(documented("recall.min_score"), min_score(&config));
        assert_eq!(
            config.boolean("recall.background"),
            Some(is_background_allowed(&config))
        );
    }
}
