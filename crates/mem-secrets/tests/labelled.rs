//! The labelled set under `data/labelled`, as a threshold that no change may
//! fall below. Odd lines are held out: nobody tunes against them.

use std::collections::BTreeSet;
use std::path::Path;

use mem_secrets::template::assemble;
use mem_secrets::{Confidence, InputOrigin, Scanner};

#[derive(Default, Debug, Clone, Copy)]
struct Tally {
    right: f64,
    wrong: f64,
    missed: f64,
}

impl Tally {
    fn precision(self) -> f64 {
        self.right / (self.right + self.wrong)
    }

    fn recall(self) -> f64 {
        self.right / (self.right + self.missed)
    }
}

fn measure(text: &str, seed: u64, tallies: &mut [Tally; 2]) -> usize {
    let mut lines = text.lines();
    let path = lines.next().unwrap().strip_prefix("file ").unwrap();
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
    let findings = Scanner::new().scan(file.join("\n").as_bytes(), &InputOrigin::path(path));
    let found: BTreeSet<usize> = findings.iter().map(|f| f.line as usize - 1).collect();
    for (at, (secret, _)) in marked.iter().enumerate() {
        let tally = &mut tallies[at % 2];
        match (secret, found.contains(&at)) {
            (true, true) => tally.right += 1.0,
            (true, false) => tally.missed += 1.0,
            (false, true) => tally.wrong += 1.0,
            (false, false) => {}
        }
    }
    marked.len()
}

#[test]
fn precision_and_recall_on_tuned_and_held_out_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/labelled");
    let mut tallies = [Tally::default(); 2];
    let (mut lines, mut files) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        lines += (0..3)
            .map(|seed| measure(&text, seed, &mut tallies))
            .sum::<usize>()
            / 3;
        files += 1;
    }
    assert!(
        lines >= 600 && files >= 15,
        "{lines} lines of {files} files"
    );
    for tally in tallies {
        assert!(tally.precision() >= 0.95, "{tally:?}");
        assert!(tally.recall() >= 0.85, "{tally:?}");
    }
}

#[test]
fn no_word_of_a_note_or_a_lock_file_is_a_password() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/labelled");
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    for name in ["notes.txt", "lock.txt"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let (head, lines) = text.split_once('\n').unwrap();
        let origin = InputOrigin::path(head.strip_prefix("file ").unwrap());
        let lines = lines.lines().map(|line| assemble(&line[2..], 1));
        let file: Vec<String> = lines.collect();
        let findings = scanner.scan(file.join("\n").as_bytes(), &origin);
        let places: Vec<_> = findings.iter().map(|f| (f.line, &f.rule)).collect();
        assert!(places.is_empty(), "{name}: {places:?}");
    }
}

#[test]
fn a_uuid_beside_the_name_of_a_secret_is_told_and_stops_no_push() {
    let origin = InputOrigin::path("app.env");
    for seed in 0..5 {
        let text = assemble("CLIENT_SECRET={uuid}", seed);
        let pushed = Scanner::new().with_confidence(Confidence::Medium);
        assert_eq!(pushed.scan(text.as_bytes(), &origin).len(), 0, "{text}");
        let all = Scanner::new().with_confidence(Confidence::Low);
        let found = all.scan(text.as_bytes(), &origin);
        assert_eq!(found[0].confidence, Confidence::Low, "{text}");
    }
}
