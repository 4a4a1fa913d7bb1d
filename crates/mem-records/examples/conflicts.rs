//! How alike records are that say about the same, and others: where the threshold stands.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use mem_records::conflict::{RecordSimilarity, supersedes_content};
use serde::Deserialize;

#[derive(Deserialize)]
struct Pair {
    label: String,
    old: String,
    new: String,
}

/// A pair that was looked at.
struct JudgedPair {
    is_same: bool,
    score: f32,
    is_taken: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for set in ["pairs", "subjects"] {
        let path = format!("{}/eval/{set}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let mut seen = Vec::new();
        for line in std::fs::read_to_string(path)?.lines() {
            let Pair { label, old, new } = serde_json::from_str(line)?;
            let score = RecordSimilarity::from_old(&old, &new).combined_score();
            let is_taken = supersedes_content(&old, &new);
            let taken = if is_taken { "takes" } else { "leaves" };
            println!("{score:.2}  {taken:<6}  {label:<13}  {old}  |  {new}");
            let is_same = label != "related";
            seen.push(JudgedPair {
                is_same,
                score,
                is_taken,
            });
        }
        for (half, skip) in [("to tune", 0), ("held out", 1)] {
            let half_of: Vec<&JudgedPair> = seen.iter().skip(skip).step_by(2).collect();
            println!("{set}, {half}: {} pairs", half_of.len());
            println!("  as it is: {}", told(&half_of, |one| one.is_taken));
            for at in (70..=90).step_by(2) {
                let min = at as f32 / 100.0;
                let taken = told(&half_of, |one| one.score >= min);
                println!("  {min:.2}, by vectors alone: {taken}");
            }
        }
    }
    Ok(())
}

/// How many are taken of those that say about the same, and of the others.
fn told(seen: &[&JudgedPair], is_taken: impl Fn(&JudgedPair) -> bool) -> String {
    let of = |is_same: bool| seen.iter().filter(move |one| one.is_same == is_same);
    let taken = |is_same: bool| of(is_same).filter(|one| is_taken(one)).count();
    format!(
        "{} of {} that say about the same, {} of {} that do not",
        taken(true),
        of(true).count(),
        taken(false),
        of(false).count()
    )
}
