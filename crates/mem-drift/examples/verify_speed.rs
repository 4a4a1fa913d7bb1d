//! How long checking takes: `cargo run --release --example verify_speed -- REPOSITORY [NOTES]`.
//!
//! Makes 200 notes of ten citations each out of the repository's own files (a tenth of them of
//! things that were never there) and checks them twice, the second time with the cache.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::format_push_string,
    reason = "a measurement"
)]

use std::path::Path;
use std::time::Instant;

use mem_core::{Environment, Now};
use mem_drift::{CheckoutPaths, DriftInput, DriftRequest, verify_notes};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| ".".to_owned());
    let count: usize = arguments
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or(200);
    let project = mem_core::project::find(Path::new(&path), &Environment::default()).unwrap();
    let place = CheckoutPaths::for_project(&project);
    let notes = notes(&project.workdir, count);
    let request = DriftRequest {
        place: &place,
        notes: &notes,
        remotes: &[],
        known_notes: None,
        earlier_notes: None,
        now: Now(jiff::Timestamp::from_second(2_000_000_000).unwrap()),
    };
    let start = Instant::now();
    let first = verify_notes(&request, None).unwrap();
    println!("first: {:?}", start.elapsed());
    let cache = first.cache.unwrap();
    println!("cache: {} bytes", cache.len());
    for _ in 0..3 {
        let start = Instant::now();
        let second = verify_notes(&request, Some(&cache)).unwrap();
        println!("again: {:?}", start.elapsed());
        assert!(second.cache.is_none() && second.report == first.report);
    }
    let mut counts = std::collections::BTreeMap::new();
    for citation in first.report.notes.iter().flat_map(|note| &note.citations) {
        *counts.entry(citation.status.as_str()).or_insert(0) += 1;
    }
    println!("{counts:?}");
}

fn notes(root: &Path, count: usize) -> Vec<DriftInput> {
    let repository = git2::Repository::open(root).unwrap();
    let index = repository.index().unwrap();
    let paths: Vec<String> = index
        .iter()
        .map(|entry| String::from_utf8_lossy(&entry.path).into_owned())
        .collect();
    let step = (paths.len() / (count * 5)).max(1);
    let mut cited = paths.iter().cycle().step_by(step);
    (0..count)
        .map(|number| {
            let mut text = format!("---\nname: note {number}\n---\nHow it works.\n");
            for at in 0..5 {
                let path = cited.next().unwrap();
                let body = std::fs::read_to_string(root.join(path)).unwrap_or_default();
                let words = body.split(|c: char| !c.is_alphanumeric() && c != '_');
                let word = words
                    .filter(|word| word.contains('_') && word.len() > 6)
                    .nth(at)
                    .unwrap_or("missing_word");
                text.push_str(&format!("The check is in `{path}` and calls `{word}()`.\n"));
            }
            if number % 2 == 0 {
                text = text.replacen("()`", "_never()`", 2);
            }
            DriftInput {
                file: format!("project_{number}.md"),
                text,
                written: jiff::Timestamp::from_second(1_999_000_000).ok(),
                ..DriftInput::default()
            }
        })
        .collect()
}
