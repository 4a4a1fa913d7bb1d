//! The threshold of supersession, on the labelled pairs.

use std::collections::BTreeMap;

use mem_records::conflict::{
    RecordSimilarity, find_superseded, supersedes_content, word_similarity as likeness,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Pair {
    label: String,
    old: String,
    new: String,
}

fn pairs() -> Vec<Pair> {
    read(include_str!("../eval/pairs.jsonl"))
}

/// Sentences that are one but for a thing, or but for a value.
fn subjects() -> Vec<Pair> {
    read(include_str!("../eval/subjects.jsonl"))
}

fn read(lines: &str) -> Vec<Pair> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Of every label, how many pairs there are and how many supersede.
fn counted(pairs: &[Pair]) -> BTreeMap<&str, (usize, usize)> {
    let mut counts = BTreeMap::new();
    for Pair { label, old, new } in pairs {
        let (all, same): &mut (usize, usize) = counts.entry(label.as_str()).or_default();
        *all += 1;
        *same += usize::from(supersedes_content(old, new));
    }
    counts
}

#[test]
fn what_says_about_the_same_supersedes_and_what_is_related_stays() {
    let all = pairs();
    assert!(all.len() >= 150);
    let held_out: Vec<Pair> = all.into_iter().skip(1).step_by(2).collect();
    for (pairs, least_recall) in [(pairs(), 0.75), (held_out, 0.7)] {
        let counts = counted(&pairs);
        let (related, wrong) = counts["related"];
        let others = ["same", "updated", "contradicting"].map(|label| counts[label]);
        let (of, right) = others
            .iter()
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let recall = right as f64 / of as f64;
        let precision = right as f64 / (right + wrong) as f64;
        assert!(precision >= 0.97, "{counts:?}");
        assert!(recall >= least_recall, "{counts:?}");
        assert!(
            others.iter().all(|(of, _)| *of * 4 >= pairs.len() / 2),
            "{counts:?}"
        );
        assert!(related * 4 >= pairs.len(), "{counts:?}");
        assert!(wrong * 100 <= related, "{counts:?}");
    }
}

#[test]
fn contents_without_words_are_like_nothing() {
    assert!(!RecordSimilarity::from_old("", "").is_same());
    assert!(!RecordSimilarity::from_old("\u{7f13}", "x").is_same());
}

#[test]
fn another_name_of_one_thing_supersedes() {
    let names = |pair: &Pair| {
        let is_named = ["called", "named", "heißt"]
            .iter()
            .any(|word| pair.old.contains(word));
        pair.label == "updated" && is_named
    };
    let named: Vec<Pair> = pairs().into_iter().filter(names).collect();
    assert_eq!(named.len(), 5);
    for Pair { old, new, .. } in named {
        assert!(
            !RecordSimilarity::from_old(&old, &new).is_same(),
            "vectors see {old} in {new}"
        );
        assert!(supersedes_content(&old, &new), "{old} -> {new}");
    }
}

#[test]
fn what_is_said_of_another_thing_stands_beside_it() {
    let mut sum = (0, 0);
    for skip in [0, 1] {
        let half: Vec<Pair> = subjects().into_iter().skip(skip).step_by(2).collect();
        let counts = counted(&half);
        let ((apart, wrong), (of, right)) = (counts["related"], counts["updated"]);
        assert!(of >= 40 && right * 100 >= of * 60, "{counts:?}");
        sum = (sum.0 + apart, sum.1 + wrong);
    }
    let (apart, wrong) = sum;
    assert!(apart >= 100 && wrong * 100 <= apart, "{wrong} of {apart}");
}

#[test]
fn words_that_turn_a_statement_round_supersede_and_names_do_not() {
    let pairs = read(include_str!("../../mem-recall/eval/versus.jsonl"));
    let stands = |pair: &&Pair| match pair.label.as_str() {
        "contrary" => !supersedes_content(&pair.old, &pair.new),
        "another" => supersedes_content(&pair.old, &pair.new),
        _ => false,
    };
    let wrong: Vec<_> = pairs.iter().filter(stands).collect();
    let wrong = wrong.iter().map(|pair| (&pair.old, &pair.new));
    assert_eq!(wrong.collect::<Vec<_>>(), []);
}

#[test]
fn what_is_denied_in_other_words_is_superseded_and_what_is_true_beside_it_stays() {
    let pairs = read(include_str!("../../mem-recall/eval/denial.jsonl"));
    let taken = |label: &str| -> (usize, Vec<&Pair>) {
        let of: Vec<&Pair> = pairs.iter().filter(|pair| pair.label == label).collect();
        let all = of.len();
        let taken = of
            .into_iter()
            .filter(|pair| supersedes_content(&pair.old, &pair.new));
        (all, taken.collect())
    };
    let (contraries, found) = taken("contrary");
    assert!(found.len() * 100 >= contraries * 85, "{}", found.len());
    let (_, wrong) = taken("both");
    let wrong: Vec<_> = wrong.iter().map(|pair| (&pair.old, &pair.new)).collect();
    assert_eq!(wrong, []);
}

#[test]
fn what_is_reversed_supersedes_and_other_roles_stand_beside_it() {
    #[derive(Deserialize)]
    struct Half {
        half: String,
        #[serde(flatten)]
        pair: Pair,
    }
    let lines = include_str!("../../mem-recall/eval/reversed.jsonl").lines();
    let all: Vec<Half> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for half in ["tuned", "held-out"] {
        let of = |labels: &[&str]| -> Vec<&Pair> {
            let of_half = all.iter().filter(|one| one.half == half);
            of_half
                .map(|one| &one.pair)
                .filter(|pair| labels.contains(&pair.label.as_str()))
                .collect()
        };
        let goes = |pair: &&&Pair| supersedes_content(&pair.old, &pair.new);
        let contraries = of(&["contrary"]);
        let kept: Vec<_> = contraries
            .iter()
            .filter(|pair| !goes(pair))
            .map(|pair| (&pair.old, &pair.new))
            .collect();
        assert!(
            contraries.len() >= 40 && kept.len() * 100 <= contraries.len() * 10,
            "{half}: {kept:#?}"
        );
        let both = of(&["both", "onward"]);
        let gone: Vec<_> = both
            .iter()
            .filter(goes)
            .map(|pair| (&pair.old, &pair.new))
            .collect();
        assert!(both.len() >= 30 && gone.is_empty(), "{half}: {gone:#?}");
    }
}

#[test]
fn what_is_one_at_a_time_supersedes_and_what_may_be_two_stands() {
    let newer = [
        ("The API is written in Go", "The API is written in Rust"),
        ("Lives in Berlin", "Lives in Hamburg"),
        (
            "Anna is the lead of platform",
            "Ben is the lead of platform",
        ),
        (
            "Node 18 is the minimum version",
            "Node 20 is the minimum version",
        ),
    ];
    let kept: Vec<_> = newer
        .iter()
        .filter(|(old, new)| !supersedes_content(old, new))
        .collect();
    assert!(kept.is_empty(), "{kept:?}");
    let beside = [
        ("The team uses Slack", "The team uses Jira"),
        (
            "The docs are written in English",
            "The docs are written in Markdown",
        ),
        ("The worker uses Redis", "The worker uses Kafka"),
        ("Anna is a lead of platform", "Ben is a lead of platform"),
        (
            "The app is deployed in Frankfurt",
            "The app is deployed in Dublin",
        ),
        ("Use ruff", "Use mypy"),
    ];
    let gone: Vec<_> = beside
        .iter()
        .filter(|(old, new)| supersedes_content(old, new))
        .collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn one_sentence_about_many_things_supersedes_none() {
    let things = [
        ("staging", "production"),
        ("billing", "search"),
        ("red", "blue"),
        ("mobile", "web"),
        ("primary", "secondary"),
        ("old", "new"),
        ("German", "French"),
        ("nightly", "weekly"),
        ("internal", "external"),
        ("left", "right"),
        ("Alpha", "Beta"),
        ("eu-west", "us-east"),
    ];
    let sentences = [
        "The {} server listens on port 8080.",
        "Backups of the {} cluster are kept for 30 days.",
        "The {} team has six engineers.",
        "The password of the {} account changes every month.",
        "The logs of {} are in Grafana.",
        "Nobody but Dan may change the {} settings.",
        "The {} pipeline was rewritten in Rust.",
        "Ask Carol about the {} contract.",
    ];
    let told = |sentence: &str, thing: &str| sentence.replace("{}", thing);
    let all = sentences.iter().flat_map(|one| {
        things
            .iter()
            .map(move |(a, b)| (told(one, a), told(one, b)))
    });
    let wrong: Vec<_> = all
        .filter(|(old, new)| supersedes_content(old, new))
        .collect();
    assert!(
        wrong.len() * 100 <= things.len() * sentences.len(),
        "{wrong:#?}"
    );
}

#[test]
fn random_words_supersede_nothing() {
    let words: Vec<&str> = "amber lake river stone cloud paper green metal garden window silver bridge copper forest \
        lamp ocean violet marble engine harbor pepper candle meadow rocket saddle tunnel velvet walnut yellow zebra"
        .split_whitespace()
        .collect();
    let mut state = 7_u64;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        words[usize::try_from(state >> 33).unwrap() % words.len()]
    };
    let mut kept: Vec<String> = Vec::new();
    let mut wrong = Vec::new();
    for _ in 0..300 {
        let content = (0..6).map(|_| draw()).collect::<Vec<_>>().join(" ");
        let mut near: Vec<_> = kept
            .iter()
            .map(|old| (likeness(old, &content), old.clone()))
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        let near = near.into_iter().map(|(_, old)| ((), old)).take(8);
        if find_superseded(&content, near).is_some() {
            wrong.push(content.clone());
        }
        kept.push(content);
    }
    assert!(wrong.len() <= 3, "{wrong:?}");
}
