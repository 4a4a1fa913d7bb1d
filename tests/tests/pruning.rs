//! `mem prune`: what counts least goes, what is pinned stays, and all of it comes back.

use mem_tests::{Repo, TestEnv, words};
use serde_json::Value;

use crate::daemon::{quick, wait};
use crate::inbox::ids;
use crate::records::store;

const DAY: u64 = 86_400;

fn pruned(repo: &Repo<'_>, args: &[&str]) -> Vec<(String, String)> {
    let json = repo
        .mem(["prune", "--json"].iter().chain(args))
        .assert_ok()
        .json();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let pruned = json["pruned"].as_array().unwrap().iter();
    pruned
        .map(|one| (text(one, "file"), text(one, "by")))
        .collect()
}

fn pair(file: &str, by: &str) -> (String, String) {
    (file.to_owned(), by.to_owned())
}

/// Four records: old, new, expiring, and pinned by a field; one note that the index pins.
fn filled(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    store(
        &repo,
        "Lunch is at noon.",
        "project_context",
        &["--importance", "4"],
    );
    let pin = words(
        "save --type project --name 'Pinned one' --description d --body b --pin --importance \
         1",
    );
    repo.mem(pin).assert_ok();
    let save =
        words("save --type project --name 'Index pin' --description d --body c --importance 1");
    repo.mem(save).assert_ok();
    let index = std::fs::read_to_string(repo.memory().join("MEMORY.md")).unwrap();
    let line = index
        .lines()
        .find(|line| line.contains("project_index_pin.md"))
        .unwrap()
        .to_owned();
    let index = format!(
        "{}\n## Pinned\n\n{line}\n",
        index.replace(&format!("{line}\n"), "")
    );
    std::fs::write(repo.memory().join("MEMORY.md"), index).unwrap();
    env.advance(60 * DAY);
    store(
        &repo,
        "Backups run at night.",
        "factual_knowledge",
        &["--importance", "3"],
    );
    let expires = ["--importance", "5", "--expires-at", "2026-01-01T00:00:00Z"];
    store(&repo, "The freeze is on.", "task_progress", &expires);
    repo
}

#[test]
fn the_least_goes_first_and_what_is_pinned_stays() {
    let env = TestEnv::new();
    let repo = filled(&env);
    let lunch = "project_lunch_is_at_noon.md";
    let before = env.files_under(&repo.memory());
    let five = repo.mem(["list"]).assert_ok().stdout;
    assert_eq!(five.lines().count(), 5, "{five}");
    assert_eq!(
        pruned(&repo, &["--below", "2", "--dry-run"]),
        [pair(lunch, "below")]
    );
    assert_eq!(pruned(&repo, &["--max-entries", "3", "-n"]).len(), 2);
    assert_eq!(env.files_under(&repo.memory()), before);
    let gone = pruned(&repo, &["--max-entries", "4", "--expired"]);
    assert_eq!(gone, [pair("project_the_freeze_is_on.md", "expired")]);
    assert_eq!(pruned(&repo, &["--max-entries", "1"]).len(), 2);
    let left = repo.mem(["list"]).assert_ok().stdout;
    assert!(
        left.contains("project_pinned_one.md") && left.contains("project_index_pin.md"),
        "{left}"
    );
    assert_eq!(left.lines().count(), 2, "{left}");
    let trail = repo.mem(["log-audit"]).assert_ok().stdout;
    assert!(
        trail.contains("prune") && trail.contains("1 expired"),
        "{trail}"
    );
    repo.mem(["undo", "2"]).assert_ok();
    assert_eq!(env.files_under(&repo.memory()), before);
}

#[test]
fn being_retrieved_keeps_a_record_from_fading() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "Lunch is at noon.",
        "project_context",
        &["--importance", "4"],
    );
    store(
        &repo,
        "Backups run at night.",
        "factual_knowledge",
        &["--importance", "4"],
    );
    env.advance(60 * DAY);
    let args = ["record", "retrieve", "lunch", "--limit", "1"];
    repo.mem(args).assert_ok();
    let gone = pruned(&repo, &["--below", "2", "-n"]);
    assert_eq!(gone, [pair("reference_backups_run_at_night.md", "below")]);
    repo.mem(["config", "set", "records.half_life_days", "0"])
        .assert_ok();
    assert_eq!(pruned(&repo, &["--below", "2", "-n"]), []);
}

#[test]
fn it_says_what_it_needs_and_holds_agents_back() {
    let env = TestEnv::new();
    let repo = filled(&env);
    repo.mem(["prune"]).assert_code(2);
    repo.mem(["prune", "--below", "nan"]).assert_code(2);
    let all = repo.mem(["prune", "--below", "5.1"]).assert_code(2);
    assert!(all.stderr.contains("from 0 to 5"), "{all:?}");
    repo.mem(["prune", "--max-entries", "-1"]).assert_code(2);
    let all = env.files_under(&repo.memory());
    let none = repo.mem(["prune", "--max-entries", "0"]).assert_code(2);
    assert!(none.stderr.contains("hint:"), "{}", none.stderr);
    assert_eq!(env.files_under(&repo.memory()), all);
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let before = env.files_under(&repo.memory());
    let run = repo
        .invoke(["prune", "--max-entries", "1"])
        .env("MEM_ACTOR", "agent");
    assert!(run.run().assert_code(1).stderr.contains("put aside"));
    assert_eq!(env.files_under(&repo.memory()), before);
}

#[test]
fn one_users_records_are_pruned_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "Lunch is at noon.",
        "project_context",
        &["--user", "alice"],
    );
    store(
        &repo,
        "Lunch is at one.",
        "project_context",
        &["--user", "bob"],
    );
    assert_eq!(pruned(&repo, &["--below", "4", "--user", "alice"]).len(), 1);
    let bobs = repo
        .mem(["record", "list", "--user", "bob", "--json"])
        .assert_ok()
        .json();
    assert_eq!(bobs["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn the_daemon_prunes_where_a_person_has_set_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let lunch = ["--importance", "1"];
    store(&repo, "Lunch is at noon.", "project_context", &lunch);
    store(&repo, "Backups run at night.", "factual_knowledge", &[]);
    repo.mem(["config", "set", "prune.max_entries", "1"])
        .assert_ok();
    quick(&repo, "daemon start").run().assert_ok();
    let list = || repo.mem(["list"]).assert_ok().stdout;
    wait("it prunes", || list().lines().count() == 1);
    assert!(list().contains("reference_backups_run_at_night.md"));
    let trail = repo.mem(["log-audit", "--json"]).assert_ok().json();
    let entry = &trail["entries"][0];
    assert_eq!(entry["host"], "daemon", "{trail}");
    assert_eq!(entry["reason"], "1 over the number of entries");
    assert_eq!(entry["actor"], "agent", "{trail}");
    let pruned = || repo.mem(["status", "--json"]).assert_ok().json()["pruned"].clone();
    wait("that is told", || pruned()["change"].is_string());
    let status = repo.mem(["status"]).assert_ok().stdout;
    let change = pruned()["change"].as_str().unwrap().to_owned();
    assert!(
        status.contains("1 memory (1 over the number of entries)")
            && status.contains(&format!("`mem undo {change}`")),
        "{status}"
    );
    assert!(
        !status.contains("agents removed"),
        "once is enough: {status}"
    );
    repo.mem(["undo"]).assert_ok();
    assert_eq!(list().lines().count(), 2);
    assert_eq!(pruned()["undone"], true);
    // What comes later is pruned, and what a person brought back is not.
    let least = ["--importance", "1"];
    store(&repo, "The canteen is closed.", "task_progress", &least);
    wait("the next is pruned", || pruned()["change"] != *change);
    assert!(list().contains("project_lunch_is_at_noon.md"));
    assert_eq!(list().lines().count(), 2);
    repo.mem(["daemon", "stop"]).assert_ok();
}

#[test]
fn the_daemon_prunes_nothing_that_a_person_did_not_agree_to() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let least = ["--importance", "1"];
    store(&repo, "Lunch is at noon.", "project_context", &least);
    store(&repo, "Backups run at night.", "factual_knowledge", &[]);
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    repo.mem(["config", "set", "prune.max_entries", "1"])
        .assert_ok();
    quick(&repo, "daemon start").run().assert_ok();
    wait("it waits in the inbox", || ids(&repo).len() == 1);
    let status = || repo.mem(["status"]).assert_ok().stdout;
    wait("that is told", || status().contains("not pruned"));
    let list = || repo.mem(["list"]).assert_ok().stdout;
    assert_eq!(list().lines().count(), 2);
    repo.mem(["inbox", "reject", &ids(&repo)[0]]).assert_ok();
    store(&repo, "The canteen is closed.", "task_progress", &least);
    wait("the next one waits", || ids(&repo).len() == 1);
    repo.mem(["inbox", "accept", &ids(&repo)[0]]).assert_ok();
    assert!(list().contains("project_lunch_is_at_noon.md") && !list().contains("canteen"));
    repo.mem(["daemon", "stop"]).assert_ok();
}
