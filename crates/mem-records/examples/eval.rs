//! How alike records are that say about the same, and others: where the threshold stands.
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use mem_records::conflict::{Likeness, supersedes};
use serde::Deserialize;

#[derive(Deserialize)]
struct Pair {
    label: String,
    old: String,
    new: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("eval/pairs.jsonl");
    let text = std::fs::read_to_string(path)?;
    let (mut pairs, mut taken) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let Pair { label, old, new } = serde_json::from_str(line)?;
        let score = Likeness::of(&old, &new).score();
        println!("{score:.2}  {label:<13}  {old}  |  {new}");
        taken.push((label != "related", supersedes(&old, &new)));
        pairs.push((label, score));
    }
    let count = |is_right: bool| taken.iter().filter(|one| **one == (is_right, true)).count();
    let all = taken.iter().filter(|(is_right, _)| *is_right).count();
    let (right, wrong) = (count(true), count(false));
    println!(
        "superseded, names and numbers read too: {right} of {all}, and {wrong} that should stand"
    );
    for (name, skip) in [("to tune", 0), ("held out", 1)] {
        let half: Vec<_> = pairs.iter().skip(skip).step_by(2).collect();
        println!("{name}: {} pairs", half.len());
        for at in (70..=90).step_by(2) {
            let min = at as f32 / 100.0;
            let count = |is_right: bool| {
                let of = |(label, score): &&&(String, f32)| {
                    (label != "related") == is_right && *score >= min
                };
                half.iter().filter(of).count()
            };
            let all = half.iter().filter(|(label, _)| label != "related").count();
            let (right, wrong) = (count(true), count(false));
            println!("  {min:.2}: {right} of {all} that say about the same, {wrong} that do not");
        }
    }
    Ok(())
}
