//! Saving, listing, showing, editing, renaming, removing and logging, as a person does it.

use std::fs;

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv};

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
        .invoke([
            "save",
            "--type",
            "feedback",
            "--name",
            "No mock DB",
            "--description",
            "Use a real database",
        ])
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
          "importance": 4,
          "expires": "2027-01-31",
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
fn a_name_is_never_overwritten_unless_asked() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Freeze", &["--body", "one"]);
    let again = repo.mem([
        "save",
        "--type",
        "project",
        "--name",
        "Freeze",
        "--description",
        "d",
        "--body",
        "two",
        "--json",
    ]);
    assert_eq!(again.assert_code(4).json_error()["kind"], "conflict");
    save(&repo, "project", "Freeze", &["--body", "two", "--update"]);
    let shown = repo.mem(["show", "freeze", "--raw"]).assert_ok();
    assert!(shown.stdout.ends_with("\ntwo\n"), "{}", shown.stdout);
    assert_eq!(
        fs::read_to_string(memory_dir(&repo).join("MEMORY.md"))
            .unwrap()
            .lines()
            .count(),
        1
    );
}

#[test]
fn an_update_keeps_what_it_does_not_know() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    fs::create_dir_all(&dir).unwrap();
    let old = "---\r\nname: Freeze # comment\r\nowner: \"me\"\r\ndescription: old\r\ntype: project\r\n---\r\nBody\r\n";
    fs::write(dir.join("freeze.md"), old).unwrap();
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        "Freeze",
        "--description",
        "new",
        "--file",
        "freeze.md",
        "--update",
        "--body",
        "",
    ];
    repo.mem(args).assert_ok();
    let new = fs::read_to_string(dir.join("freeze.md")).unwrap();
    assert!(
        new.contains("owner: \"me\"\r\ndescription: new\r\n"),
        "{new:?}"
    );
    assert!(new.ends_with("---\r\nBody\r\n"), "{new:?}");
}

#[test]
fn names_can_be_short_and_ambiguous_ones_are_listed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Release plan", &[]);
    save(&repo, "project", "Release notes", &[]);
    save(&repo, "user", "Release plan", &["--scope", "global"]);
    let shown = repo.mem(["show", "project_release_n"]).assert_ok();
    assert!(shown.stdout.contains("Release notes"));
    let ambiguous = repo.mem(["show", "release"]).assert_code(1);
    assert!(
        ambiguous.stderr.contains("project_release_notes.md"),
        "{}",
        ambiguous.stderr
    );
    assert!(
        ambiguous.stderr.contains("global:user_release_plan.md"),
        "{}",
        ambiguous.stderr
    );
    repo.mem(["show", "global:release"]).assert_ok();
    let missing = repo.mem(["show", "nothing", "--json"]).assert_code(1);
    assert_eq!(missing.json_error()["kind"], "not_found");
}

#[test]
fn removing_takes_file_and_line_and_keeps_the_history() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Keep", &[]);
    save(&repo, "project", "Drop", &[]);
    repo.mem(["remove", "drop", "--reason", "no longer true"])
        .assert_ok();
    let dir = memory_dir(&repo);
    assert!(!dir.join("project_drop.md").exists());
    assert_snapshot!(
        fs::read_to_string(dir.join("MEMORY.md")).unwrap(),
        @"- [Keep](project_keep.md) — what it is"
    );
}

#[test]
fn renaming_moves_title_file_and_line_and_names_who_still_says_the_old_name() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Old name", &[]);
    save(
        &repo,
        "project",
        "Other",
        &["--body", "See [[project_old_name]]."],
    );
    let id = |name: &str| repo.mem(["show", name, "--json"]).assert_ok().json()["id"].clone();
    let before = id("old name");
    let renamed = repo.mem(["rename", "old name", "New name"]).assert_ok();
    assert_snapshot!(renamed.stdout, @"renamed project_old_name.md to project_new_name.md");
    assert_snapshot!(renamed.stderr, @"warning: project_other.md still mentions project_old_name.md");
    assert_eq!(id("new name"), before);
    let index = fs::read_to_string(memory_dir(&repo).join("MEMORY.md")).unwrap();
    assert!(
        index.starts_with("- [New name](project_new_name.md) — what it is\n"),
        "{index}"
    );
}

#[cfg(unix)]
#[test]
fn editing_merges_what_happened_meanwhile() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(
        &repo,
        "project",
        "Plan",
        &["--body", "one\ntwo\nthree\nfour\nfive"],
    );
    let file = memory_dir(&repo).join("project_plan.md");
    // The editor changes the first line, and somebody else the last one while it is open.
    let editor = format!(
        "sed -i s/four/FOUR/ {} && sed -i s/one/ONE/",
        file.display()
    );
    let edited = repo
        .invoke(["edit", "plan"])
        .env("EDITOR", editor)
        .run()
        .assert_ok();
    assert_snapshot!(edited.stdout, @"edited project_plan.md, merged with another edit");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.ends_with("ONE\ntwo\nthree\nFOUR\nfive\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn an_edit_that_cannot_be_merged_is_kept_and_nothing_is_overwritten() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Plan", &["--body", "one"]);
    let file = memory_dir(&repo).join("project_plan.md");
    let editor = format!(
        "sed -i s/one/theirs/ {} && sed -i s/one/ours/",
        file.display()
    );
    let failed = repo
        .invoke(["edit", "plan"])
        .env("EDITOR", editor)
        .run()
        .assert_code(4);
    assert!(fs::read_to_string(&file).unwrap().ends_with("theirs\n"));
    let kept = failed
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("your text is kept in "))
        .unwrap();
    let kept = kept.replace("[ENV]", &env.root().to_string_lossy());
    assert!(fs::read_to_string(kept).unwrap().ends_with("ours\n"));
}

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
fn bad_input_is_an_error_with_a_hint_and_writes_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let long = "x".repeat(300);
    let lines = "two\nlines";
    let cases: &[(&[&str], i32)] = &[
        (
            &["--type", "project", "--name", "", "--description", "d"],
            1,
        ),
        (
            &["--type", "project", "--name", lines, "--description", "d"],
            1,
        ),
        (
            &["--type", "project", "--name", "n", "--description", lines],
            1,
        ),
        (
            &["--type", "project", "--name", &long, "--description", "d"],
            1,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--file",
                "../x.md",
            ],
            1,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--file",
                "/etc/x.md",
            ],
            1,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--file",
                "con.md",
            ],
            1,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--file",
                "MEMORY.md",
            ],
            1,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--file",
                "team/x.md",
            ],
            1,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--file",
                &long,
            ],
            1,
        ),
        (
            &[
                "--type",
                "user",
                "--name",
                "n",
                "--description",
                "d",
                "--scope",
                "team",
            ],
            1,
        ),
        (
            &["--type", "opinion", "--name", "n", "--description", "d"],
            2,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--importance",
                "6",
            ],
            2,
        ),
        (
            &[
                "--type",
                "project",
                "--name",
                "n",
                "--description",
                "d",
                "--expires",
                "soon",
            ],
            2,
        ),
        (&["--type", "project", "--name", "n"], 2),
    ];
    for (args, code) in cases {
        let mut all = vec!["save", "--json"];
        all.extend(*args);
        let failed = repo.invoke(&all).stdin("body").run().assert_code(*code);
        let error = failed.json_error();
        assert!(
            error["message"].is_string() && error["hint"].is_string(),
            "{args:?}: {error}"
        );
        assert!(failed.stdout.is_empty());
    }
    assert!(!env.base().join("projects").exists(), "nothing was written");
}

#[test]
fn a_body_of_a_hundred_megabytes_is_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let body = vec![b'x'; 100 * 1024 * 1024];
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        "n",
        "--description",
        "d",
    ];
    let failed = repo.invoke(args).stdin(body).run().assert_code(1);
    assert!(failed.stderr.contains("hint:"), "{}", failed.stderr);
    assert!(!env.base().join("projects").exists());
}

#[test]
fn commands_that_write_say_that_memory_is_off_and_by_what() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for args in [
        &[
            "save",
            "--type",
            "project",
            "--name",
            "n",
            "--description",
            "d",
            "--body",
            "b",
        ][..],
        &["log", "text"],
        &["remove", "n"],
        &["rename", "n", "m"],
        &["edit", "n"],
    ] {
        let off = repo
            .invoke(args)
            .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
            .run()
            .assert_code(1);
        assert!(
            off.stderr.contains("CLAUDE_CODE_DISABLE_AUTO_MEMORY"),
            "{}",
            off.stderr
        );
    }
    assert!(!env.base().exists());
}

#[test]
fn nothing_works_without_a_home_and_says_so() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let failed = repo
        .invoke(["list"])
        .without_env("HOME")
        .run()
        .assert_code(1);
    assert!(
        failed.stderr.contains("hint: set HOME"),
        "{}",
        failed.stderr
    );
}

#[test]
fn in_log_mode_saving_leaves_the_index_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        "n",
        "--description",
        "d",
        "--body",
        "b",
    ];
    repo.invoke(args)
        .env("MEM_MEMORY_MODE", "log")
        .run()
        .assert_ok();
    let dir = memory_dir(&repo);
    assert!(dir.join("project_n.md").exists() && !dir.join("MEMORY.md").exists());
}

#[test]
fn an_update_keeps_line_endings_and_a_body_that_says_the_same() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let head = "---\r\nname: N\r\ndescription: d\r\ntype: user\r\n---\r\n";
    repo.edit_note("n.md", &format!("{head}one\r\nno line end"));
    let update = |description: &str, body: &str| {
        let args = [
            "save", "--update", "--type", "user", "--name", "N", "--file", "n",
        ];
        let more = ["--description", description, "--body", body];
        let line = repo.mem([&args[..], &more].concat()).assert_ok().line();
        (line, repo.note("n.md").unwrap())
    };
    let (line, note) = update("d", "one\nno line end\n");
    assert_eq!(note, format!("{head}one\r\nno line end"));
    assert_eq!(line, "updated n.md (private)", "the index got its line");
    let (line, _) = update("d", "one\nno line end\n");
    assert_eq!(line, "unchanged n.md (private)");
    let (_, note) = update("e", "two\nlines");
    let head = head.replace("description: d", "description: e");
    assert_eq!(note, format!("{head}two\r\nlines\r\n"));
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

#[test]
fn a_hook_that_a_person_wrote_stays_when_only_the_title_changes() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "user", "One", &[]);
    repo.edit_note("MEMORY.md", "# Mine\n* [One](user_one.md): my own words\n");
    repo.mem(["rename", "one", "Two"]).assert_ok();
    let index = || repo.note("MEMORY.md").unwrap();
    assert_eq!(index(), "# Mine\n* [Two](user_two.md): my own words\n");
    let edit = |script: &str| {
        let args = repo.invoke(["edit", "two"]);
        args.env("EDITOR", format!("sed -i {script}"))
            .run()
            .assert_ok();
    };
    edit("s/Two/Three/");
    assert_eq!(index(), "# Mine\n* [Three](user_two.md): my own words\n");
    repo.mem(["undo"]).assert_ok();
    edit("s/what.it.is/anew/");
    assert_eq!(index(), "# Mine\n* [Two](user_two.md): anew\n");
}

#[test]
fn an_update_renews_the_stamp_that_ages_are_told_by() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    fs::create_dir_all(&dir).unwrap();
    let old = "---\nname: Old\ndescription: d\nmetadata: \n  type: project\n  modified: 2020-01-01T00:00:00Z\n---\n\nBody\n";
    fs::write(dir.join("old.md"), old).unwrap();
    let update = |description| {
        let args = [
            "save", "--update", "--type", "project", "--name", "Old", "--file", "old.md",
        ];
        repo.invoke(args.into_iter().chain(["--description", description]))
            .run()
            .assert_ok();
        repo.mem(["list", "--json"]).assert_ok().json()["memories"][0]["modified"].clone()
    };
    assert_eq!(update("d"), "2020-01-01T00:00:00Z", "nothing was changed");
    assert_eq!(update("new"), "2026-01-01T00:00:00Z");
}

#[test]
fn a_dash_for_a_body_is_standard_input() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = [
        "save",
        "--type",
        "feedback",
        "--name",
        "Piped",
        "--description",
        "d",
    ];
    let saved = repo.invoke(save).args(["--body", "-"]);
    saved.stdin("Never mock it.\n").run().assert_ok();
    let file = memory_dir(&repo).join("feedback_piped.md");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.ends_with("\nNever mock it.\n"), "{text}");
}
