//! Measures the rules against gitleaks' own examples, given as JSON lines of
//! `rule`, `kind` (`tp` or `fp`), `text` and maybe `path`. The file is not part
//! of the repository: `cargo run --release --example gitleaks -- FILE [-v]`.
#![expect(
    clippy::disallowed_methods,
    reason = "it measures on files that its user names"
)]
#![expect(clippy::print_stdout, reason = "a measurement is printed")]

use std::collections::{BTreeMap, HashSet};
use std::error::Error;

use mem_secrets::{InputOrigin, Scanner, SecretFinding};
use serde_json::Value;

struct Row {
    rule: String,
    wanted: bool,
    text: String,
    path: String,
}

#[derive(Default)]
struct Tally {
    wanted: usize,
    found: usize,
    same: usize,
    unwanted: usize,
    own: usize,
    any: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let verbose = arguments.next().is_some();
    let rows = read(&file)?;
    let scanner = Scanner::new();
    let mut tally = Tally::default();
    let mut misses: BTreeMap<&str, usize> = BTreeMap::new();
    let secrets: HashSet<&str> = rows
        .iter()
        .filter(|row| row.wanted)
        .map(|row| row.text.as_str())
        .collect();
    for row in &rows {
        if !row.wanted && secrets.contains(row.text.as_str()) {
            continue;
        }
        let findings = scanner.scan(row.text.as_bytes(), &InputOrigin::path(&row.path));
        let same = findings.iter().any(|finding| finding.is_by(&row.rule));
        count(&mut tally, row, &findings, same);
        let wrong = if row.wanted {
            !same
        } else {
            !findings.is_empty()
        };
        if wrong {
            *misses.entry(&row.rule).or_default() += 1;
            if verbose {
                let rules: Vec<String> = findings
                    .iter()
                    .map(|f| format!("{} {:?}", f.rule, f.also))
                    .collect();
                let head: String = row.text.chars().take(200).collect();
                let verdict = if row.wanted { "MISS" } else { "FALSE" };
                println!("{} {verdict} {head:?} by {rules:?}", row.rule);
                for rejection in scanner
                    .explain(row.text.as_bytes(), &InputOrigin::path(&row.path))
                    .rejections
                {
                    println!("    {} {}", rejection.rule, rejection.filter);
                }
            }
        }
    }
    report(&tally, &misses);
    Ok(())
}

fn count(tally: &mut Tally, row: &Row, findings: &[SecretFinding], same: bool) {
    let any = usize::from(!findings.is_empty());
    if row.wanted {
        tally.wanted += 1;
        tally.found += any;
        tally.same += usize::from(same);
    } else {
        tally.unwanted += 1;
        tally.any += any;
        tally.own += usize::from(same);
    }
}

fn report(tally: &Tally, misses: &BTreeMap<&str, usize>) {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "true {}: flagged {:.2} %, by the same rule {:.2} %",
        tally.wanted,
        share(tally.found, tally.wanted),
        share(tally.same, tally.wanted)
    );
    println!(
        "false {}: by own rule {}, by any {} ({:.2} %)",
        tally.unwanted,
        tally.own,
        tally.any,
        share(tally.any, tally.unwanted)
    );
    println!("{misses:?}");
}

fn read(file: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let row = |line: &str| -> Result<Row, Box<dyn Error>> {
        let value: Value = serde_json::from_str(line)?;
        let get = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
        Ok(Row {
            rule: get("rule"),
            wanted: get("kind") == "tp",
            text: get("text"),
            path: get("path"),
        })
    };
    text.lines().map(row).collect()
}
