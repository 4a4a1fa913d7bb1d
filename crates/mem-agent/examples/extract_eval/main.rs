//! Precision and recall of extraction by rules on the labelled sessions; `-v` lists what was wrong. With `--fit`, the
//! weights of clues are fitted to them first: `extract_eval --fit OUT [WITHOUT]..`.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "it prints a table")]

mod fit;
#[path = "../../tests/labelled.rs"]
mod labelled;

use std::path::PathBuf;

use anyhow::Result;
use labelled::{Judged, rates, read};

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_verbose = words.iter().any(|word| word == "-v");
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("eval/extract");
    if let [flag, out, without @ ..] = words.as_slice()
        && flag == "--fit"
    {
        println!("{}", fit::fit(&own, without, out.as_ref())?);
        return Ok(());
    }
    let named = words.iter().filter(|word| *word != "-v").map(PathBuf::from);
    let mut files: Vec<PathBuf> = named.collect();
    if files.is_empty() {
        let names = ["tuning.txt", "others.txt", "sentences.txt", "heldout.txt"];
        files = names.map(|name| own.join(name)).to_vec();
    }
    println!(
        "{:<14} {:>8} {:>8} {:>9} {:>8} {:>14}",
        "sessions", "count", "wanted", "precision", "recall", "of other type"
    );
    for file in files {
        let sessions = read(&std::fs::read_to_string(&file)?)?;
        let folder = tempfile::tempdir()?;
        let mut all = Vec::new();
        for session in &sessions {
            let judged = session.judge(folder.path())?;
            if is_verbose {
                tell(&session.id, &judged);
            }
            all.push(judged);
        }
        let (precision, recall) = rates(&all);
        let mistyped: usize = all.iter().map(|one| one.mistyped).sum();
        let wanted: usize = sessions.iter().map(|one| one.wanted.len()).sum();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        println!(
            "{name:<14} {:>8} {wanted:>8} {precision:>7.1} % {recall:>6.1} % {mistyped:>14}",
            sessions.len()
        );
    }
    Ok(())
}

fn tell(id: &str, judged: &Judged) {
    for (how, found) in [("right", &judged.right), ("wrong", &judged.wrong)] {
        for one in found {
            let (kind, sort) = (one.kind, one.sort.as_str());
            println!(
                "{id}: {how} {kind}/{sort} {:.2}: {}",
                one.confidence, one.quote
            );
        }
    }
    for missed in &judged.missed {
        println!("{id}: missed {missed}");
    }
    for dropped in &judged.dropped {
        println!(
            "{id}:   dropped ({}): {}",
            dropped.reason.as_str(),
            dropped.quote
        );
    }
}
