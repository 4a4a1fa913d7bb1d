//! Verdicts where memories are shown: lists, single memories, checks, audits.

use mem_tests::{Repo, TestEnv};

fn save(repo: &Repo<'_>, name: &str, scope: &str, body: &str) {
    repo.mem([
        "save",
        "--type",
        "project",
        "--name",
        name,
        "--scope",
        scope,
        "--description",
        "d",
        "--body",
        body,
    ])
    .assert_ok();
}

/// A repository from which a file is gone that a private and a team memory cite.
fn broken(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    repo.commit("src/a.rs", "fn one_of_many() {}\n", "code");
    save(&repo, "mine", "private", "See `src/a.rs`.");
    save(&repo, "ours", "team", "See `one_of_many()`.");
    save(&repo, "true", "private", "See `README`.");
    repo.git(["rm", "-q", "src/a.rs"]);
    repo.git(["commit", "-q", "-m", "drop"]);
    repo
}

#[test]
fn a_list_marks_what_is_known_to_be_broken() {
    let env = TestEnv::new();
    let repo = broken(&env);
    let before = repo.mem(["list"]).assert_ok().stdout;
    assert!(!before.contains("broken"), "nobody checked yet\n{before}");
    let drift = |file: &str| {
        let json = repo.mem(["list", "--json"]).assert_ok().json();
        let memories = json["memories"].as_array().unwrap().clone();
        let found = memories.into_iter().find(|one| one["file"] == file);
        found.unwrap()["drift"].clone()
    };
    assert!(drift("project_mine.md").is_null());
    repo.mem(["verify"]).assert_ok();
    insta::assert_snapshot!(repo.mem(["list"]).assert_ok().stdout, @r#"
    project  project_mine.md       today  broken   d
    project  project_true.md       today           d
    project  team:project_ours.md  today  broken   d
    "#);
    assert_eq!(drift("project_mine.md")["verdict"], "broken");
    assert_eq!(drift("project_true.md")["verdict"], "fresh");
    assert!(
        drift("project_true.md")["reasons"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_memory_is_shown_with_what_happened_to_the_code() {
    let env = TestEnv::new();
    let repo = broken(&env);
    let shown = repo.mem(["show", "mine"]).assert_ok().stdout;
    let commit = repo.git(["rev-parse", "--short=9", "HEAD"]);
    let line = format!("broken: `src/a.rs` is gone: deleted by {commit} on 2026-01-01");
    assert_eq!(shown.lines().nth(1), Some(&*line));
    let json = repo.mem(["show", "mine", "--json"]).assert_ok().json();
    assert_eq!(json["drift"]["verdict"], "broken");
    let shown = repo.mem(["show", "true"]).assert_ok().stdout;
    assert!(!shown.contains("fresh"), "{shown}");
}

#[test]
fn a_check_finds_it_with_the_command_that_helps() {
    let env = TestEnv::new();
    let repo = broken(&env);
    insta::assert_snapshot!(repo.mem(["check"]).assert_code(1).stdout, @r#"
    warning project_mine.md: `src/a.rs` is gone: deleted by 73f55fd96 on 2026-01-01 [broken]
      fix: mem edit project_mine.md
    warning team:project_ours.md: `one_of_many()` is gone: removed from `src/a.rs` by 73f55fd96 on 2026-01-01 [broken]
      fix: mem edit project_ours.md --scope team
    "#);
    let json = repo.mem(["check", "--json"]).assert_code(1).json();
    let findings = json["findings"].as_array().unwrap();
    assert!(findings.iter().all(|one| one["code"] == "broken"));
    assert_eq!(findings.len(), 2);
}

#[test]
fn an_audit_checks_every_project_against_its_code() {
    let env = TestEnv::new();
    let repo = broken(&env);
    let away = env.repo("away");
    save(&away, "theirs", "private", "See `src/never.rs`.");
    let before = env.files_under(&env.home());
    let text = env.mem(["audit"]).assert_code(1).shown();
    insta::assert_snapshot!(text, @r#"
    exit 1
    --- stdout
    [ENV]/work/app  3 memories
      [ENV]/home/.claude/projects/[SLUG]-work-app/memory
      warning project_mine.md: cites what is gone from the code [broken]
        fix: mem -C [ENV]/work/app verify
      warning team:project_ours.md: cites what is gone from the code [broken]
        fix: mem -C [ENV]/work/app verify

    0 errors and 2 warnings in 4 memories, 2 directories; the host knows 2 projects
    --- stderr
    "#);
    assert_eq!(env.files_under(&env.home()), before, "it writes nothing");
    drop(repo);
}
