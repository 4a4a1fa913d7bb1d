//! Integration tests of mem-drift, one binary.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test that cannot go on should panic, and sets its scenes with plain writes"
)]

mod evaluation;
mod fixture;
mod incremental;
mod places;
mod verdicts;

#[test]
fn no_forgotten_test_files() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let runner = std::fs::read_to_string(dir.join("runner.rs")).unwrap();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let is_listed =
            stem == "runner" || stem == "labelled" || runner.contains(&format!("mod {stem};"));
        assert!(is_listed, "{stem} is not a module of the runner");
    }
}
