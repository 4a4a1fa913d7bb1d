//! A distillation as one change: made once, taken back whole, and not offered again unasked.

use std::fs;

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

use super::{directory, dream, index, logged, texts};
use crate::inbox::{confirming, ids, save};

#[test]
fn one_change_makes_it_and_one_undo_takes_it_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &["The payments owner is Alice", "Use npm for installs"],
    );
    let first = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert!(
        first["change"].as_str().unwrap().starts_with("chg_"),
        "{first}"
    );
    assert!(index(&repo).contains("The payments owner is Alice"));
    logged(
        &repo,
        "2025-12-09",
        &[
            "Update: the payments owner is Bob",
            "Use bun instead of npm for installs",
        ],
    );
    let before = env.files_under(&directory(&repo));
    let told = dream(&repo, &["--yes"]).assert_ok();
    assert!(told.stderr.contains("mem undo"), "{}", told.stderr);
    let after = index(&repo);
    assert!(
        after.contains("— The payments owner is Bob") && after.contains("bun"),
        "{after}"
    );
    assert!(
        !after.contains("Alice") && !after.contains("Use npm"),
        "{after}"
    );
    let note = fs::read_to_string(directory(&repo).join("project_payments_owner.md")).unwrap();
    assert!(
        note.contains("Before: \"The payments owner is Alice\" (2025-12-01)"),
        "{note}"
    );
    let kept: Vec<_> = fs::read_dir(directory(&repo).join("logs/retired"))
        .unwrap()
        .collect();
    assert_eq!(kept.len(), 1, "the ledger of the month");
    // Doing it again finds nothing, and writes nothing.
    let now = env.files_under(&directory(&repo));
    let again = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert!(again["change"].is_null(), "{again}");
    assert_eq!(env.files_under(&directory(&repo)), now);
    let undone = repo.mem(["undo"]).assert_ok();
    assert_eq!(env.files_under(&directory(&repo)), before);
    assert!(!directory(&repo).join("logs/retired").exists());
    let again = "`mem dream --since 2025-12-09` reads it again";
    assert!(undone.stderr.contains(again), "{}", undone.stderr);
    // What was undone stays so, until somebody asks for it; that is told wherever one would look.
    let idle = dream(&repo, &["--yes"]).assert_ok();
    assert!(idle.stderr.contains(again), "{}", idle.stderr);
    assert!(dream(&repo, &["--yes", "--json"]).json()["change"].is_null());
    let status = repo.mem(["status"]).assert_ok().stdout;
    let before = format!("what was distilled before that is taken back: {again}");
    assert!(status.contains(&before), "{status}");
    let since = dream(&repo, &["--since", "2025-12-09", "--yes", "--json"])
        .assert_ok()
        .json();
    assert_eq!(since["plan"]["retired"].as_array().unwrap().len(), 2);
    assert_eq!(status_of(&repo)["undone"], false);
}

fn status_of(repo: &Repo<'_>) -> Value {
    repo.mem(["status", "--json"]).assert_ok().json()["dream"].clone()
}

#[test]
fn a_status_says_that_it_was_taken_back_until_that_is_taken_back_too() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    dream(&repo, &["--yes"]).assert_ok();
    assert_eq!(status_of(&repo)["undone"], false);
    let undo = repo.mem(["undo", "--json"]).assert_ok().json();
    assert_eq!(status_of(&repo)["undone"], true);
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(told.contains("0 retired, and taken back since"), "{told}");
    repo.mem(["undo", undo["change"].as_str().unwrap()])
        .assert_ok();
    assert_eq!(status_of(&repo)["undone"], false);
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(
        told.contains("takes it back") && !told.contains("taken back"),
        "{told}"
    );
}

#[test]
fn what_came_from_the_inbox_is_not_lost_by_an_undo() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s1", "No mocks", "Never mock the database in tests").assert_code(1);
    dream(&repo, &["--yes"]).assert_ok();
    assert!(ids(&repo).is_empty());
    let undone = repo.mem(["undo"]).assert_ok().stderr;
    assert!(undone.contains("`mem inbox list --rejected`"), "{undone}");
    let kept = repo.mem(["inbox", "list", "--rejected", "--json"]);
    let kept = kept.assert_ok().json().to_string();
    assert!(kept.contains("Never mock the database"), "{kept}");
}

#[test]
fn a_damaged_state_is_told_before_anything_comes_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    dream(&repo, &["--yes"]).assert_ok();
    repo.mem(["undo"]).assert_ok();
    let files = env.files_under(env.root());
    let state = files.iter().find(|(name, _)| name.ends_with("/dream.json"));
    let state = env.root().join(&state.expect("what is remembered").0);
    fs::write(&state, "{broken").unwrap();
    let plan = dream(&repo, &["--dry-run"]).assert_ok();
    assert!(
        plan.stderr.contains("is damaged") && plan.stderr.contains("may come again"),
        "{}",
        plan.stderr
    );
    // It is set aside by whoever writes it next, and nothing is lost.
    dream(&repo, &["--yes"]).assert_ok();
    assert!(index(&repo).contains("Alice"));
    assert!(state.with_extension("damaged-1").exists());
}

#[test]
fn a_run_that_was_killed_before_it_said_so_is_known_by_its_change() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &[
            "The payments owner is Alice",
            "The cafeteria serves soup on Mondays",
        ],
    );
    dream(&repo, &["--yes"]).assert_ok();
    let change = repo.mem(["status", "--json"]).assert_ok().json()["dream"]["change"].clone();
    assert!(change.is_string(), "{change}");
    // What a kill leaves behind that comes after the change: the state is as it was when the run began to write.
    let files = env.files_under(env.root());
    let state = files.iter().find(|(name, _)| name.ends_with("/dream.json"));
    let state = env.root().join(&state.expect("what is remembered").0);
    let mut kept: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    let mut begun = json!({"verb": "dream", "handled": kept["handled"].take(), "last": kept["last"].take(),
        "made": kept["made"].take()});
    begun["last"]["change"] = Value::Null;
    begun["made"]["change"] = json!("");
    let killed = |begun: &Value| fs::write(&state, json!({ "begun": begun }).to_string()).unwrap();
    killed(&begun);
    let told = repo.mem(["status", "--json"]).assert_ok().json();
    assert_eq!(told["dream"]["change"], change, "{told}");
    let before = index(&repo);
    let again = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(texts(&again["plan"]["added"]).len(), 0, "{again}");
    assert_eq!(index(&repo), before);
    // One that was killed before it wrote has done nothing.
    begun["last"]["time"] = json!("2025-11-01T10:00:00Z");
    killed(&begun);
    let told = repo.mem(["status", "--json"]).assert_ok().json();
    assert_ne!(told["dream"]["change"], change, "{told}");
}
