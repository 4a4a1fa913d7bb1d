//! How alike notes are that say the same, and others: where the thresholds stand.

use std::path::Path;

use mem_recall::{Document, Similar};
use serde::Deserialize;

use crate::measure::Corpus;

#[derive(Deserialize)]
struct Line {
    of: String,
    name: String,
    description: String,
    body: String,
}

/// Prints the distributions.
pub(crate) fn report(mut corpus: Corpus) -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/duplicates.jsonl");
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<Line> = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let mut others: Vec<(String, Similar)> = Vec::new();
    corpus.index.each_similar_pair(-1.0, |one, key, likeness| {
        let key = key.to_owned();
        others.push((one.to_owned(), Similar { key, likeness }));
    });
    others.sort_by(|a, b| {
        b.1.likeness
            .combined_score()
            .total_cmp(&a.1.likeness.combined_score())
    });
    for (one, other) in others.iter().take(12) {
        println!(
            "{:.2} {one} {} {:?}",
            other.likeness.combined_score(),
            other.key,
            other.likeness
        );
    }
    let documents: Vec<Document> = lines
        .iter()
        .map(|line| Document {
            key: format!("again:{}", line.of),
            name: line.name.clone(),
            description: line.description.clone(),
            body: line.body.clone(),
            ..Document::default()
        })
        .collect();
    corpus.index.add_documents(&documents);
    if let Some(encoder) = corpus.encoder {
        corpus.index.encode_documents(&documents, encoder, 2);
    }
    let mut same = Vec::new();
    let mut nearest = 0;
    for (line, document) in lines.iter().zip(&documents) {
        let similar = corpus.index.similar_documents(&document.key, 500);
        nearest += usize::from(similar.first().is_some_and(|one| one.key == line.of));
        same.extend(similar.into_iter().find(|one| one.key == line.of));
    }
    println!(
        "{} that say the same, {nearest} of them nearest to each other",
        same.len()
    );
    let others: Vec<Similar> = others.into_iter().map(|(_, similar)| similar).collect();
    for (name, of) in [
        (
            "score",
            (|s: &Similar| s.likeness.combined_score()) as fn(&Similar) -> f32,
        ),
        ("statics", |s| s.likeness.statics),
        ("sentence", |s| s.likeness.sentence.unwrap_or(0.0)),
    ] {
        let (same, others) = (sorted(&same, of), sorted(&others, of));
        println!(
            "{name}: same, least first {:.2?}",
            &same[..same.len().min(10)]
        );
        println!(
            "{name}: others, most first {:.2?}",
            others.iter().rev().take(10).collect::<Vec<_>>()
        );
        for at in (50..=90).step_by(2) {
            let at = at as f32 / 100.0;
            let share = |all: &[f32]| {
                100.0 * all.iter().filter(|s| **s >= at).count() as f32 / all.len() as f32
            };
            println!(
                "  {at:.2}: {:5.1} % of the same, {:.4} % of the others",
                share(&same),
                share(&others)
            );
        }
    }
    Ok(())
}

fn sorted(all: &[Similar], of: fn(&Similar) -> f32) -> Vec<f32> {
    let mut all: Vec<f32> = all.iter().map(of).collect();
    all.sort_by(f32::total_cmp);
    all
}
