//! What a threshold costs: prompts that nothing fits and that inject all the same, and hits kept.

use std::collections::BTreeMap;

use mem_recall::DEFAULT_MIN_SCORE;

use crate::measure::{Case, Corpus};

/// Prints the curve; the default threshold is one of its rows.
pub(crate) fn report(corpus: &Corpus, cases: &[&Case]) {
    let mut noise: Vec<f32> = Vec::new();
    let mut kept: BTreeMap<&str, Vec<f32>> = BTreeMap::new();
    for case in cases {
        let hits = corpus.rank(&case.prompt, 5).hits;
        if case.gold.is_empty() {
            noise.push(hits.iter().map(|hit| hit.confidence).fold(0.0, f32::max));
        } else if let Some(hit) = hits.iter().find(|hit| case.gold.contains(&hit.key)) {
            // Of the hits in the first five, those above the threshold are kept.
            kept.entry(&case.kind).or_default().push(hit.confidence);
        }
    }
    print!("threshold  inject");
    kept.keys().for_each(|kind| print!(" {kind:>11}"));
    println!();
    for threshold in [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, DEFAULT_MIN_SCORE] {
        let share = |scores: &[f32]| {
            100.0 * scores.iter().filter(|&&s| s >= threshold).count() as f64
                / scores.len().max(1) as f64
        };
        print!("{threshold:9.3} {:7.1}", share(&noise));
        kept.values()
            .for_each(|scores| print!(" {:11.1}", share(scores)));
        println!(
            "{}",
            if threshold == DEFAULT_MIN_SCORE {
                "  default"
            } else {
                ""
            }
        );
    }
}
