//! Saving and listing, as a person does it; beside it what is done with what was saved.

mod edits;
mod input;
mod logs;
mod names;

use std::fs;

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv, words};

fn save(repo: &Repo<'_>, kind: &str, name: &str, more: &[&str]) {
    let mut args = vec![
        "save",
        "--type",
        kind,
        "--name",
        name,
        "--description",
        "what it is",
    ];
    args.extend(more);
    if !more.contains(&"--body") {
        args.extend(["--body", "Body."]);
    }
    repo.mem(args).assert_ok();
}

/// The private directory of a repository.
fn memory_dir(repo: &Repo<'_>) -> std::path::PathBuf {
    repo.mem(["path"]).assert_ok().line().into()
}

#[test]
fn a_saved_memory_has_a_file_and_a_line_in_the_index() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let saved = repo
        .invoke(words(
            "save --type feedback --name 'No mock DB' --description 'Use a real database'",
        ))
        .stdin("Never mock it.\n")
        .run()
        .assert_ok();
    assert_snapshot!(saved.stdout, @"saved feedback_no_mock_db.md (private)");
    let dir = memory_dir(&repo);
    assert_snapshot!(fs::read_to_string(dir.join("feedback_no_mock_db.md")).unwrap(), @r"
    ---
    name: No mock DB
    description: Use a real database
    type: feedback
    ---

    Never mock it.
    ");
    assert_snapshot!(
        fs::read_to_string(dir.join("MEMORY.md")).unwrap(),
        @"- [No mock DB](feedback_no_mock_db.md) — Use a real database"
    );
}

#[test]
fn every_worktree_sees_the_same_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let worktree = repo.worktree("feature");
    save(&worktree, "project", "From the worktree", &[]);
    let listed = repo.mem(["list"]).assert_ok();
    assert_snapshot!(listed.stdout, @"project  project_from_the_worktree.md  today  what it is");
}

#[test]
fn the_json_of_a_list_is_stable() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(
        &repo,
        "reference",
        "Dashboards",
        &[
            "--tag",
            "ops",
            "--importance",
            "4",
            "--expires",
            "2027-01-31",
        ],
    );
    let mut json = repo.mem(["list", "--json"]).assert_ok().json();
    json["memories"][0]["id"] = "[ID]".into();
    assert_snapshot!(serde_json::to_string_pretty(&json).unwrap(), @r#"
    {
      "memories": [
        {
          "id": "[ID]",
          "file": "reference_dashboards.md",
          "path": "[ENV]/home/.claude/projects/[SLUG]-work-app/memory/reference_dashboards.md",
          "name": "Dashboards",
          "description": "what it is",
          "type": "reference",
          "scope": "private",
          "tags": [
            "ops"
          ],
          "when": [],
          "importance": 4,
          "expires": "2027-01-31",
          "expired": false,
          "pinned": false,
          "modified": "2026-01-01T00:00:00Z",
          "size_bytes": 118,
          "warnings": [],
          "drift": null
        }
      ]
    }
    "#);
}

#[test]
fn a_list_comes_in_pages_of_what_fits() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (number, name) in ["Deploy rule", "Deploy day", "Tea", "Deploy place"]
        .into_iter()
        .enumerate()
    {
        let body = if number == 3 {
            "See `src/gone.rs`."
        } else {
            "Nothing."
        };
        save(&repo, "project", name, &["--tag", "ops", "--body", body]);
        env.advance(60);
    }
    let list = |args: &[&str]| {
        let json = repo
            .mem([&["list", "--json"], args].concat())
            .assert_ok()
            .json();
        let names = json["memories"].as_array().unwrap().iter();
        let names = names.map(|one| one["name"].as_str().unwrap().to_owned());
        (names.collect::<Vec<_>>(), json["total"].as_u64())
    };
    let page = [
        "--words",
        "DEPLOY ops",
        "--sort",
        "modified",
        "--limit",
        "2",
    ];
    assert_eq!(
        list(&page),
        (vec!["Deploy place".into(), "Deploy day".into()], Some(3))
    );
    let next = [&page[..], &["--offset", "2"]].concat();
    assert_eq!(list(&next), (vec!["Deploy rule".into()], Some(3)));
    let beyond = [&page[..], &["--offset", "9"]].concat();
    assert_eq!(list(&beyond), (Vec::new(), Some(3)));
    assert_eq!(list(&["--verdict", "unknown"]).0.len(), 4);
    repo.mem(["verify"]).assert_ok();
    assert_eq!(list(&["--verdict", "unknown"]), (Vec::new(), None));
    let worst = list(&["--sort", "verdict", "--limit", "1"]);
    assert_eq!(worst, (vec!["Deploy place".into()], Some(4)));
    let nothing = repo.mem(["list", "--words", "zeppelin"]).assert_ok();
    assert!(
        nothing.stderr.contains("no memory is of that kind"),
        "{}",
        nothing.stderr
    );
}
