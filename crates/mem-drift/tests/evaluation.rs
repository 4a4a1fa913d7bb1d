//! Precision and recall on a labelled set: notes written like real ones, over a history of more
//! than sixty commits with moves, renames, removals and returns.
//!
//! `labelled/history.txt` tells the commits; `labelled/notes.md` holds the notes, each citation
//! with the status that a person gives it, `{none}` for what is no citation.

mod labels;
mod script;

use std::collections::BTreeMap;

use mem_drift::{CitationKind, CitationStatus};

use crate::fixture::{Fixture, run};
use labels::Labelled;

/// Citations that count: (expected, told) with how often.
#[derive(Default)]
struct Table {
    cells: BTreeMap<(&'static str, &'static str), usize>,
    mistakes: Vec<String>,
}

impl Table {
    fn count(&mut self, labelled: &Labelled, told: &'static str) {
        let expected = labelled.expected.as_str();
        *self.cells.entry((label(expected), told)).or_default() += 1;
        if expected != told {
            self.mistakes.push(format!(
                "{} / `{}`: expected {expected}, told {told}",
                labelled.note, labelled.text
            ));
        }
    }

    fn sum(&self, fits: impl Fn(&str, &str) -> bool) -> usize {
        let cells = self
            .cells
            .iter()
            .filter(|((expected, told), _)| fits(expected, told));
        cells.map(|(_, count)| count).sum()
    }
}

fn label(word: &str) -> &'static str {
    [
        "present", "moved", "changed", "gone", "never", "unknown", "none",
    ]
    .into_iter()
    .find(|known| *known == word)
    .unwrap_or_else(|| panic!("unknown label {word}"))
}

fn is_lost(word: &str) -> bool {
    matches!(word, "gone" | "moved")
}

#[test]
fn gone_and_moved_are_told_precisely() {
    let fixture = Fixture::new();
    let written = script::play(&fixture, include_str!("labelled/history.txt"));
    let (notes, labels) = labels::read(include_str!("labelled/notes.md"), written);
    let report = run(&fixture.place(), &notes, None).report;
    let mut table = Table::default();
    for labelled in &labels {
        let note = report
            .notes
            .iter()
            .find(|note| note.file == labelled.note)
            .unwrap();
        let found = note.citations.iter().find(|citation| {
            citation.text == labelled.text
                || (labelled.text.contains("::test_") && labelled.text.starts_with(&citation.text))
        });
        table.count(
            labelled,
            found.map_or("none", |citation| citation.status.as_str()),
        );
    }
    for note in &report.notes {
        for citation in &note.citations {
            let is_labelled = labels.iter().any(|labelled| {
                labelled.note == note.file && labelled.text.contains(&citation.text)
            });
            assert!(
                is_labelled || citation.kind == CitationKind::Note,
                "not labelled: {} {citation:?}",
                note.file
            );
        }
    }
    let hits = table.sum(|expected, told| is_lost(expected) && is_lost(told));
    let told = table.sum(|_, told| is_lost(told));
    let expected = table.sum(|expected, _| is_lost(expected));
    let citations = table.sum(|expected, _| expected != "none");
    let right = table.sum(|expected, told| expected == told);
    println!(
        "{citations} citations, {} commits",
        fixture.git(&["rev-list", "--count", "HEAD"])
    );
    for ((expected, told), count) in &table.cells {
        println!("{expected:>8} told as {told:<8} {count:>4}");
    }
    println!(
        "gone or moved: precision {hits}/{told}, recall {hits}/{expected}; exact {right}/{}",
        labels.len()
    );
    println!("{}", table.mistakes.join("\n"));
    assert!(citations >= 200, "{citations}");
    assert!(hits * 100 >= told * 97, "precision {hits}/{told}");
    assert!(hits * 100 >= expected * 85, "recall {hits}/{expected}");
    assert!(
        right * 100 >= labels.len() * 95,
        "exact {right}/{}",
        labels.len()
    );
    assert!(report.notes.iter().all(|note| {
        note.citations
            .iter()
            .all(|found| found.status != CitationStatus::Unknown)
    }));
}
