//! `mem model`: a larger encoder is installed from a file, refused where it is damaged, and removed again.

use std::fs;

use mem_tests::{Repo, TestEnv};

use crate::recall::three_notes;

/// A model of one layer without any weights, whose checksum is not right yet.
fn unsummed_model(repo: &Repo<'_>) -> Vec<u8> {
    let mut file = b"MEMLARG1".to_vec();
    file.resize(64, 0);
    let shape = [30_526_u32, 32, 32, 1, 1, 16, 4, 0, 2];
    file.extend(shape.iter().flat_map(|number| number.to_le_bytes()));
    file.resize(128, 0);
    // The program says how long one of this shape is.
    let said = refusal(repo, &file);
    let expected = said.split("expected ").nth(1).expect("a size");
    let digits: String = expected.chars().take_while(char::is_ascii_digit).collect();
    file.resize(digits.parse().expect("a size"), 0);
    file
}

/// What is said about a file that is not installed.
fn refusal(repo: &Repo<'_>, file: &[u8]) -> String {
    fs::write(repo.path().join("some.model"), file).expect("written");
    let run = repo.mem(["model", "install", "some.model"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("hint:"), "{}", run.stderr);
    run.stderr
}

fn status(repo: &Repo<'_>) -> (String, u64) {
    let shown = repo.mem(["model", "--json"]).assert_ok().json();
    let pending = shown["pending"].as_u64().expect("a number");
    (
        shown["encoder"].as_str().unwrap_or_default().to_owned(),
        pending,
    )
}

#[test]
fn a_model_is_installed_only_whole_and_memories_are_encoded_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    repo.mem(["warm"]).assert_ok();
    assert_eq!(status(&repo), ("embedded".to_owned(), 0));
    let mut file = unsummed_model(&repo);
    refusal(&repo, b"no model at all");
    let said = refusal(&repo, &file);
    let sum = said.split("SHA-256 is ").nth(1).expect("a checksum");
    for (i, byte) in file[8..40].iter_mut().enumerate() {
        *byte = u8::from_str_radix(&sum[2 * i..2 * i + 2], 16).expect("a checksum");
    }
    assert_eq!(status(&repo), ("embedded".to_owned(), 0));

    fs::write(repo.path().join("some.model"), &file).expect("written");
    let other = "0".repeat(64);
    let run = repo.mem(["model", "install", "some.model", "--sha256", &other]);
    assert!(run.stderr.contains("is damaged"), "{}", run.stderr);
    let done = repo.mem(["model", "install", "some.model", "--json"]);
    assert_eq!(done.assert_ok().json()["pending"], 3);
    assert_eq!(status(&repo), ("installed".to_owned(), 3));
    repo.mem(["warm"]).assert_ok();
    assert_eq!(status(&repo), ("installed".to_owned(), 0));
    repo.mem(["doctor"]).assert_ok();

    let installed = env.home().join(".local/state/mem/models/recall.model");
    file.truncate(4096);
    fs::write(&installed, &file).expect("written");
    let run = repo.mem(["recall", "may I mock the database?"]).assert_ok();
    assert_eq!(
        run.stderr.matches("embedded encoder").count(),
        1,
        "{}",
        run.stderr
    );
    assert!(repo.mem(["doctor"]).stdout.contains("recall.model"));

    let removed = repo.mem(["model", "remove", "--json"]).assert_ok().json();
    assert_eq!(
        (&removed["removed"], &removed["pending"]),
        (&true.into(), &3.into())
    );
    repo.mem(["warm"]).assert_ok();
    assert_eq!(status(&repo), ("embedded".to_owned(), 0));
}
