//! The daily log, and the mode in which the index is left to the night.

use insta::assert_snapshot;
use mem_tests::{TestEnv, words};

use super::{memory_dir, save};

#[test]
fn the_log_is_appended_to_and_shown() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["log", "prefers", "small commits"]).assert_ok();
    env.advance(24 * 3600 + 60);
    repo.invoke(["log", "-"])
        .stdin("first line\nsecond line\n")
        .run()
        .assert_ok();
    assert_snapshot!(repo.mem(["log", "show"]).assert_ok().stdout, @r"
    2026-01-01
      00:00 prefers small commits

    2026-01-02
      00:01 first line
            second line
    ");
    let since = repo
        .mem(["log", "show", "--since", "2026-01-02", "--json"])
        .assert_ok();
    assert_eq!(since.json()["entries"].as_array().unwrap().len(), 1);
}

#[test]
fn in_log_mode_saving_leaves_the_index_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = words("save --type project --name n --description d --body b");
    repo.invoke(args)
        .env("MEM_MEMORY_MODE", "log")
        .run()
        .assert_ok();
    let dir = memory_dir(&repo);
    assert!(dir.join("project_n.md").exists() && !dir.join("MEMORY.md").exists());
}

#[test]
fn in_log_mode_a_note_without_a_pointer_is_no_fault() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "memory.mode", "log"])
        .assert_ok();
    save(&repo, "user", "One", &[]);
    assert!(!memory_dir(&repo).join("MEMORY.md").exists());
    let checked = repo.mem(["check"]).assert_ok();
    assert_snapshot!(checked.stdout, @r#"
    info user_one.md: MEMORY.md does not point to it (memory.mode is "log") [orphan]
      fix: mem index repair
    "#);
    repo.mem(["index", "check"]).assert_ok();
}
