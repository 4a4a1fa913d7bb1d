//! `mem undo`: the last change whole, and never over somebody else's edit.

use mem_tests::{Repo, TestEnv, words};

/// A note with two foreign versions, of which a restore brought the first back.
fn restored(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    for text in ["one\n2\n3\n4\n5\n", "two\n2\n3\n4\n5\n"] {
        repo.edit_note("a.md", text);
        repo.mem(["history"]).assert_ok();
        env.advance(60);
    }
    repo.mem(["restore", "a", "--rev", "1"]).assert_ok();
    repo
}

/// Without the id at the start of each line.
fn without_ids(text: &str) -> String {
    let id = |word: &str| word.len() == 8 && word.chars().all(|c| c.is_ascii_alphanumeric());
    let words = text
        .split(' ')
        .map(|word| if id(word) { "[ID]" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_last_change_through_mem_is_taken_back_and_named() {
    let env = TestEnv::new();
    let repo = restored(&env);
    let output = repo.mem(["undo", "--dry-run"]).assert_ok();
    insta::assert_snapshot!(without_ids(&output.stdout), @r"
    would take back [ID]  2026-01-01 00:02:00Z  restore   person  a.md
    --- a/a.md
    +++ b/a.md
    @@ -1,4 +1,4 @@
    -one
    +two
     2
     3
     4
    ");
    assert!(repo.note("a.md").unwrap().starts_with("one"));
    let output = repo.mem(["undo"]).assert_ok();
    insta::assert_snapshot!(without_ids(&output.stdout), @"took back [ID]  2026-01-01 00:02:00Z  restore   person  a.md");
    assert!(repo.note("a.md").unwrap().starts_with("two"));
    let history = repo.mem(["history", "--json"]).json();
    assert_eq!(history["changes"][1]["undone"], true);
    let output = repo.mem(["undo"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: there is nothing to undo
    hint: `mem history` lists what happened; --foreign counts edits by others too, --global takes your own notes; what a sync brought is undone by its id
    ");
    let undo = history["changes"][0]["id"].as_str().unwrap();
    let json = repo.mem(["undo", undo, "--json"]).assert_ok().json();
    assert_eq!(json["undone"][0]["verb"], "undo");
    assert!(json["change"].is_string() && json["dry_run"] == false);
    assert!(repo.note("a.md").unwrap().starts_with("one"));
}

#[test]
fn an_edit_of_the_same_lines_stops_it_with_a_diff() {
    let env = TestEnv::new();
    let repo = restored(&env);
    repo.edit_note("a.md", "three\n2\n3\n4\n5\n");
    let output = repo.mem(["undo"]).assert_code(4);
    insta::assert_snapshot!(output.shown(), @r"
    exit 4
    --- stdout
    --- a/a.md
    +++ b/a.md
    @@ -1,4 +1,4 @@
    -three
    +two
     2
     3
     4
    --- stderr
    error: `a.md` was changed since, in the same lines
    hint: `mem restore a.md --rev ID` puts one version back regardless
    ");
    let output = repo.mem(["undo", "--json"]).assert_code(4);
    assert_eq!(output.json_error()["kind"], "conflict");
    assert_eq!(output.json()["conflict"]["file"], "a.md");
    assert!(repo.note("a.md").unwrap().starts_with("three"));
}

#[test]
fn an_edit_of_other_lines_stays() {
    let env = TestEnv::new();
    let repo = restored(&env);
    repo.edit_note("a.md", "one\n2\n3\n4\nfive\n");
    repo.mem(["undo"]).assert_ok();
    assert_eq!(repo.note("a.md").unwrap(), "two\n2\n3\n4\nfive\n");
}

#[test]
fn what_was_swept_away_comes_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("team/a.md", "a\n");
    repo.edit_note("team/b.md", "b\n");
    repo.mem(["history"]).assert_ok();
    std::fs::remove_dir_all(repo.memory().join("team")).unwrap();
    repo.mem(["undo"]).assert_code(1);
    repo.mem(["undo", "--foreign"]).assert_ok();
    assert_eq!(repo.note("team/b.md").unwrap(), "b\n");
}

#[test]
fn a_count_is_a_number_and_an_id_is_known() {
    let env = TestEnv::new();
    let repo = restored(&env);
    repo.mem(["undo", "0"]).assert_code(2);
    repo.mem(["undo", "two"]).assert_code(2);
    let output = repo.mem(["undo", "chg_nothing"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: nothing in the history is called `chg_nothing`
    hint: `mem history` lists the ids
    ");
}

#[test]
fn a_saved_memory_goes_with_its_line_and_a_removed_one_returns_with_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = words("save --type project --name Freeze --description when --body soon");
    repo.mem(save).assert_ok();
    let saved = env.files_under(&repo.memory());
    repo.mem(["undo"]).assert_ok();
    assert!(
        !repo
            .note("MEMORY.md")
            .unwrap_or_default()
            .contains("Freeze")
    );
    let id = repo.mem(["history", "--json"]).json()["changes"][0]["id"].clone();
    repo.mem(["undo", id.as_str().unwrap()]).assert_ok();
    assert_eq!(env.files_under(&repo.memory()), saved);
    repo.mem(["remove", "Freeze"]).assert_ok();
    let file = saved
        .iter()
        .find(|(name, _)| name != "MEMORY.md")
        .unwrap()
        .0
        .clone();
    assert_eq!(repo.note(&file), None);
    repo.mem(["restore", &file]).assert_ok();
    assert_eq!(env.files_under(&repo.memory()), saved);
}
