//! Measures the rules against the labelled set under `data/labelled`: lines of
//! many kinds of files, half of them hard negatives, assembled at run time, and what would be false
//! alarms in notes and lock files at the lowest confidence.
//! Even lines are for tuning, odd ones are held out:
//! `cargo run --release --example labelled -- [-v] [--held-out]`.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::collections::BTreeSet;
use std::error::Error;
use std::path::Path;

use mem_secrets::template::assemble;
use mem_secrets::{Confidence, InputOrigin, Scanner};

#[derive(Default, Debug)]
struct Tally {
    right: usize,
    wrong: usize,
    missed: usize,
    lines: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/labelled");
    let scanner = Scanner::new();
    let mut tallies = [Tally::default(), Tally::default()];
    for entry in std::fs::read_dir(&folder)? {
        let text = std::fs::read_to_string(entry?.path())?;
        for seed in 0..3 {
            measure(
                &scanner,
                &text,
                seed,
                &mut tallies,
                has("-v").then(|| has("--held-out")),
            );
        }
    }
    for name in ["notes.txt", "lock.txt"] {
        let text = std::fs::read_to_string(folder.join(name))?;
        let mut tallies = [Tally::default(), Tally::default()];
        let scanner = Scanner::new().with_confidence(Confidence::Low);
        measure(&scanner, &text, 0, &mut tallies, None);
        let [wrong, lines] = [|one: &Tally| one.wrong, |one: &Tally| one.lines]
            .map(|count| tallies.iter().map(count).sum::<usize>());
        println!("{name}: {wrong} false alarms in {lines} lines at low confidence");
    }
    for (name, tally) in ["tuning", "held out"].iter().zip(&tallies) {
        let precision = 100.0 * tally.right as f64 / (tally.right + tally.wrong).max(1) as f64;
        let recall = 100.0 * tally.right as f64 / (tally.right + tally.missed).max(1) as f64;
        println!("{name}: precision {precision:.1} %, recall {recall:.1} %, {tally:?}");
    }
    Ok(())
}

fn measure(scanner: &Scanner, text: &str, seed: u64, tallies: &mut [Tally; 2], show: Option<bool>) {
    let mut lines = text.lines();
    let path = lines
        .next()
        .and_then(|line| line.strip_prefix("file "))
        .unwrap_or_default();
    let marked: Vec<(bool, String)> = lines
        .enumerate()
        .map(|(at, line)| {
            (
                line.starts_with('+'),
                assemble(&line[2..], seed * 1000 + at as u64),
            )
        })
        .collect();
    let file: Vec<&str> = marked.iter().map(|(_, line)| line.as_str()).collect();
    let report = scanner.explain(file.join("\n").as_bytes(), &InputOrigin::path(path));
    let found: BTreeSet<usize> = report
        .findings
        .iter()
        .map(|f| f.line as usize - 1)
        .collect();
    let mut offset = 0;
    for (at, (secret, line)) in marked.iter().enumerate() {
        let tally = &mut tallies[at % 2];
        tally.lines += 1;
        match (secret, found.contains(&at)) {
            (true, true) => tally.right += 1,
            (true, false) => tally.missed += 1,
            (false, true) => tally.wrong += 1,
            (false, false) => {}
        }
        let span = offset..offset + line.len() as u64;
        offset += line.len() as u64 + 1;
        if *secret != found.contains(&at) && show == Some(at % 2 == 1) && seed == 0 {
            let why: Vec<String> = report
                .rejections
                .iter()
                .filter(|r| span.contains(&r.span.start))
                .map(|r| format!("{}: {}", r.rule, r.filter))
                .collect();
            let by: Vec<&str> = report
                .findings
                .iter()
                .filter(|f| f.line as usize == at + 1)
                .map(|f| f.rule.as_str())
                .collect();
            println!(
                "{} {path} | {line} | {why:?} {by:?}",
                if *secret { "MISS" } else { "FALSE" }
            );
        }
    }
}
