//! Abstention: a threshold only ever takes away, and zero takes nothing.

use std::sync::OnceLock;

use mem_recall::encoder::Encoder;
use mem_recall::{
    DEFAULT_MIN_SCORE, Document, RankOptions, Ranking, RecallIndex, RecallQuery, rank_documents,
};
use proptest::prelude::*;

const NOTES: [(&str, &str, &str); 8] = [
    (
        "deploy",
        "Deploy order",
        "Migrations run before the web release, never after",
    ),
    (
        "mocks",
        "No mocks of the database",
        "Integration tests hit a real database",
    ),
    (
        "tokens",
        "Login tokens",
        "Tokens expire after twelve hours and are renewed by the gateway",
    ),
    (
        "cache",
        "\u{7f13}\u{5b58}",
        "\u{7f13}\u{5b58}\u{952e}\u{5fc5}\u{987b}\u{6709}\u{8fc7}\u{671f}\u{65f6}\u{95f4}",
    ),
    (
        "flags",
        "Feature flags",
        "`config/flags.yaml` is where a feature is switched on",
    ),
    (
        "codes",
        "E0502 in the parser",
        "Borrow the arena once; see parser/arena.rs",
    ),
    (
        "tone",
        "Short answers",
        "The user wants answers without praise",
    ),
    ("empty", "", ""),
];

const PROMPTS: [&str; 9] = [
    "should the schema change go out before the new code?",
    "may I stub out the persistence layer?",
    "how long is a session valid?",
    "\u{7f13}\u{5b58}\u{600e}\u{4e48}\u{8bbe}\u{7f6e}",
    "config/flags.yaml",
    "error[E0502]",
    "thanks, looks good",
    "\u{5929}\u{6c14}",
    "",
];

fn index() -> &'static RecallIndex {
    static MADE: OnceLock<RecallIndex> = OnceLock::new();
    MADE.get_or_init(make)
}

fn make() -> RecallIndex {
    let documents = NOTES.map(|(key, name, description)| Document {
        key: key.into(),
        name: name.into(),
        description: description.into(),
        ..Document::default()
    });
    let mut index = RecallIndex::new();
    index.add_documents(&documents);
    #[cfg(feature = "encoder")]
    index.encode_documents(
        &documents,
        Encoder::embedded().expect("the feature is on"),
        1,
    );
    index
}

fn ranked(index: &RecallIndex, prompt: &str, min_score: f32, limit: usize) -> Ranking {
    let options = RankOptions {
        limit,
        min_score,
        ..RankOptions::default()
    };
    let query = RecallQuery::new(prompt);
    #[cfg(feature = "encoder")]
    let query = query.with_encoding();
    rank_documents(index, &query, &options)
}

fn keys(ranking: &Ranking) -> Vec<&str> {
    ranking.hits.iter().map(|hit| hit.key.as_str()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a threshold lets through, a lower one does too, in the same order.
    #[test]
    fn a_higher_threshold_never_brings_more(
        prompt in prop::sample::select(&PROMPTS[..]),
        words in "[a-z \u{7f13}\u{5b58}]{0,30}",
        low in 0.0..1.0_f32,
        step in 0.0..0.5_f32,
        limit in 1..10_usize,
    ) {
        let index = index();
        for prompt in [prompt, words.as_str()] {
            let (low, high) = (ranked(index, prompt, low, NOTES.len()), ranked(index, prompt, low + step, NOTES.len()));
            let mut all = keys(&low).into_iter();
            for key in keys(&high) {
                prop_assert!(all.any(|other| other == key), "{} {:?} {:?}", prompt, keys(&low), keys(&high));
            }
            prop_assert_eq!(low.best, high.best);
            prop_assert!(low.hits.len() >= high.hits.len());
        }
        let few = |min_score| ranked(index, prompt, min_score, limit).hits.len();
        prop_assert!(few(low) >= few(low + step));
    }
}

#[test]
fn zero_never_abstains() {
    let index = index();
    for prompt in PROMPTS {
        let ranking = ranked(index, prompt, 0.0, 100);
        assert!(!ranking.abstained, "{prompt}");
        assert_eq!(ranking.hits.len(), NOTES.len(), "{prompt}");
    }
}

#[test]
fn abstaining_is_told_with_how_sure_the_best_was() {
    let index = index();
    let chatter = ranked(index, "thanks, looks good", DEFAULT_MIN_SCORE, 5);
    assert!(chatter.abstained && chatter.hits.is_empty());
    assert!(chatter.best > 0.0 && chatter.best < DEFAULT_MIN_SCORE);
    let asked = ranked(index, "config/flags.yaml", DEFAULT_MIN_SCORE, 5);
    assert_eq!(keys(&asked), ["flags"]);
    assert!(!asked.abstained && asked.best >= DEFAULT_MIN_SCORE);
    // Above what any can reach.
    assert!(ranked(index, "config/flags.yaml", 1.1, 5).abstained);
    // There is nothing to abstain from.
    assert!(!ranked(&RecallIndex::new(), "config/flags.yaml", 0.5, 5).abstained);
}

#[test]
fn confidence_is_a_share() {
    let index = index();
    for prompt in PROMPTS {
        for hit in ranked(index, prompt, 0.0, 100).hits {
            assert!((0.0..=1.0).contains(&hit.confidence), "{prompt} {hit:?}");
        }
    }
}
