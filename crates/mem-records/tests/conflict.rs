//! The threshold of supersession, on the labelled pairs.

use std::collections::BTreeMap;

use mem_records::conflict::{Likeness, supersedes};
use serde::Deserialize;

#[derive(Deserialize)]
struct Pair {
    label: String,
    old: String,
    new: String,
}

fn pairs() -> Vec<Pair> {
    let lines = include_str!("../eval/pairs.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Of every label, how many pairs there are and how many supersede.
fn counted(pairs: &[Pair]) -> BTreeMap<&str, (usize, usize)> {
    let mut counts = BTreeMap::new();
    for Pair { label, old, new } in pairs {
        let (all, same): &mut (usize, usize) = counts.entry(label.as_str()).or_default();
        *all += 1;
        *same += usize::from(supersedes(old, new));
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
    }
}

#[test]
fn contents_without_words_are_like_nothing() {
    assert!(!Likeness::of("", "").is_same());
    assert!(!Likeness::of("\u{7f13}", "x").is_same());
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
            !Likeness::of(&old, &new).is_same(),
            "vectors see {old} in {new}"
        );
        assert!(supersedes(&old, &new), "{old} -> {new}");
    }
}
