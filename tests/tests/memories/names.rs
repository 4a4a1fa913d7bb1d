//! Memories by their names: found, refused, renamed and removed.

use std::fs;

use insta::assert_snapshot;
use mem_tests::{TestEnv, words};

use super::{memory_dir, save};

#[test]
fn a_name_is_never_overwritten_unless_asked() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "Freeze", &["--body", "one"]);
    let again = repo.mem(words(
        "save --type project --name Freeze --description d --body two --json",
    ));
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
    let taken = repo.mem(["rename", "new name", "Other"]).assert_code(4);
    assert_snapshot!(taken.stderr, @r"
    error: `project_other.md` exists already in the private tier
    hint: choose another name, or `mem remove` the other memory first
    ");
    let index = fs::read_to_string(memory_dir(&repo).join("MEMORY.md")).unwrap();
    assert!(
        index.starts_with("- [New name](project_new_name.md) — what it is\n"),
        "{index}"
    );
}

#[test]
fn a_title_that_another_memory_has_is_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "project", "One", &[]);
    save(&repo, "project", "Two", &["--body", "Of another kind."]);
    repo.mem(["rename", "Two", "two.md"]).assert_ok();
    let renamed = repo.mem(["rename", "two", "One"]).assert_ok().stderr;
    let warning = "warning: `project_one.md` has the same title: name each by its file\n";
    assert!(renamed.contains(warning), "{renamed}");
    let args = "save --type reference --name One --description d --body 'A third one.'";
    let saved = repo.mem(words(args)).assert_ok().stderr;
    assert!(saved.contains(warning), "{saved}");
    let args = "save --type user --name ONE --description d --body 'In another case.'";
    let saved = repo.mem(words(args)).assert_ok().stderr;
    assert!(saved.contains(warning), "{saved}");
    let args = "save --type reference --name Four --description d --body 'A fourth one.'";
    let saved = repo.mem(words(args)).assert_ok().stderr;
    assert!(!saved.contains("same title"), "{saved}");
}
