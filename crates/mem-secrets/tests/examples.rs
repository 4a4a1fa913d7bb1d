//! Runs the true and false examples that stand beside each rule.

use std::path::Path;

use mem_secrets::template::assemble;
use mem_secrets::{Confidence, InputOrigin, Scanner};
use toml_edit::{Document, Item, Table};

/// How many different fillings of each template are tried.
const SEEDS: u64 = 5;

pub(crate) fn rules() -> Vec<(String, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let document: Document<String> = text.parse().unwrap();
        let tables = document["rule"].as_array_of_tables().unwrap();
        all.extend(
            tables
                .iter()
                .map(|t| (t["id"].as_str().unwrap().to_owned(), t.clone())),
        );
    }
    all
}

pub(crate) fn texts(table: &Table, key: &str) -> Vec<String> {
    let array = table.get(key).and_then(Item::as_array);
    let items = array.into_iter().flat_map(|array| array.iter());
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

/// A path that the rule's path expression accepts, where it has one.
pub(crate) fn origin(table: &Table) -> InputOrigin {
    match table.get("example_path").and_then(Item::as_str) {
        Some(path) => InputOrigin::path(path),
        None => InputOrigin::unknown(),
    }
}

#[test]
fn true_examples_are_found_by_their_rule() {
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    let mut missed = Vec::new();
    for (id, table) in rules() {
        for (template, seed) in texts(&table, "true")
            .iter()
            .flat_map(|t| (0..SEEDS).map(move |s| (t, s)))
        {
            let text = assemble(template, seed);
            let findings = scanner.scan(text.as_bytes(), &origin(&table));
            if !findings.iter().any(|finding| finding.is_by(&id)) {
                missed.push(format!("{id}: {text}"));
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

#[test]
fn false_examples_are_not_found_by_their_rule() {
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    let mut found = Vec::new();
    for (id, table) in rules() {
        for template in texts(&table, "false") {
            let text = assemble(&template, 1);
            let findings = scanner.scan(text.as_bytes(), &origin(&table));
            if findings.iter().any(|finding| finding.is_by(&id)) {
                found.push(format!("{id}: {text}"));
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} found:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn every_rule_has_examples() {
    let lacking: Vec<String> = rules()
        .into_iter()
        .filter(|(_, table)| table.get("kind").and_then(Item::as_str) != Some("path"))
        .filter(|(id, _)| id != "percent-encoded")
        .filter(|(_, table)| texts(table, "true").is_empty() || texts(table, "false").is_empty())
        .map(|(id, _)| id)
        .collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn no_template_is_itself_a_finding() {
    let scanner = Scanner::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["rules", "data", "data/labelled", "src/check", "tests"];
    let entries = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    for path in entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
    {
        let bytes = std::fs::read(&path).unwrap();
        let findings = scanner.scan(&bytes, &InputOrigin::path(&path.to_string_lossy()));
        let places: Vec<String> = findings
            .iter()
            .map(|f| format!("{}:{} {} {}", path.display(), f.line, f.rule, f.secret))
            .collect();
        assert!(places.is_empty(), "{places:#?}");
    }
}
