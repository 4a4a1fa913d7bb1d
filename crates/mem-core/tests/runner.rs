//! All integration tests of the crate, in one binary.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on should panic, and sets its scenes with plain writes"
)]

mod adopt;
mod config;
mod diagnose;
mod fixture;
mod identity;
mod kill_switch;
mod location;
mod project;
mod project_hostile;
mod projects;
mod registry;
mod store;
mod texts;
mod transfer;

/// A file that nobody lists would silently not run.
#[test]
fn every_test_file_is_listed() {
    let runner = include_str!("runner.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let listed = runner.contains(&format!("mod {stem};"));
        assert!(listed || stem == "runner", "tests/{stem}.rs is not listed");
    }
}
