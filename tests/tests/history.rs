//! `mem history`, `mem diff` and `mem gc`: what happened, what differs, how much is kept.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use mem_tests::{Repo, TestEnv};
use serde_json::Value;

/// Three foreign changes of one note, a minute apart, and a restore by an agent.
fn eventful(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    for text in ["one\n", "one\ntwo\n"] {
        repo.edit_note("a.md", text);
        repo.mem(["history"]).assert_ok();
        env.advance(60);
    }
    let folder = repo.memory();
    std::fs::rename(folder.join("a.md"), folder.join("b.md")).unwrap();
    repo.mem(["history"]).assert_ok();
    env.advance(60);
    let restore = repo.invoke(["restore", "b", "--rev", "2"]);
    let restore = restore.env("CLAUDECODE", "1").env("USER", "ada");
    restore.env("MEM_SESSION", "s1").run().assert_ok();
    repo
}

/// The ids of a list, replaced by letters in a text.
fn lettered(text: &str, rows: &Value) -> String {
    let mut text = text.to_owned();
    for (row, letter) in rows.as_array().unwrap().iter().zip('A'..) {
        let id = row["id"].as_str().unwrap().split_once('_').unwrap().1;
        text = text
            .replace(id, &letter.to_string())
            .replace(&id[..8], &letter.to_string());
    }
    text
}

#[test]
fn every_change_is_a_line() {
    let env = TestEnv::new();
    let repo = eventful(&env);
    let changes = repo.mem(["history", "--json"]).assert_ok().json()["changes"].clone();
    let output = repo.mem(["history"]).assert_ok();
    insta::assert_snapshot!(lettered(&output.stdout, &changes), @r"
    A  2026-01-01 00:03:00Z  restore   agent ada  b.md
    B  2026-01-01 00:02:00Z  foreign   foreign  b.md
    C  2026-01-01 00:01:00Z  foreign   foreign  a.md
    D  2026-01-01 00:00:00Z  foreign   foreign  +a.md
    ");
    let output = repo.mem(["history", "--limit", "1"]).assert_ok();
    assert_eq!(output.stdout.lines().count(), 1);
    assert_eq!(output.stderr, "3 older changes; --limit 0 lists them all\n");
    let mut first = changes[0].clone();
    for hidden in ["id", "note"] {
        first["versions"][0][hidden] = "".into();
    }
    let text = lettered(&serde_json::to_string_pretty(&first).unwrap(), &changes);
    insta::assert_snapshot!(text, @r#"
    {
      "id": "chg_A",
      "verb": "restore",
      "actor": "agent",
      "trust": "agent",
      "name": "ada",
      "session": "s1",
      "host": "claude-code",
      "reason": null,
      "time": "2026-01-01T00:03:00Z",
      "undoes": [],
      "undone": false,
      "versions": [
        {
          "id": "",
          "note": "",
          "file": "b.md",
          "operation": "modified",
          "renamed_from": null,
          "sha256": "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
          "size_bytes": 4,
          "content_time": "2026-01-01T00:00:00Z",
          "by": null,
          "redacted": false
        }
      ]
    }
    "#);
}

#[test]
fn a_note_has_versions_across_renames_and_each_can_be_printed() {
    let env = TestEnv::new();
    let repo = eventful(&env);
    let json = repo.mem(["history", "b.md", "--json"]).assert_ok().json();
    assert_eq!(json["file"], "b.md");
    let versions = &json["versions"];
    let output = repo.mem(["history", "b"]).assert_ok();
    insta::assert_snapshot!(lettered(&output.stdout, versions), @r"
    A  2026-01-01 00:03:00Z  modified  agent ada  b.md  4 bytes
    B  2026-01-01 00:02:00Z  modified  foreign  b.md  (was a.md)  8 bytes
    C  2026-01-01 00:01:00Z  modified  foreign  a.md  8 bytes
    D  2026-01-01 00:00:00Z  created   foreign  a.md  4 bytes
    ");
    let id = versions[2]["id"].as_str().unwrap();
    for revision in [id, &id["memver_".len()..][..8], "2"] {
        let print = ["history", "b", "--rev", revision, "--print"];
        assert_eq!(repo.mem(print).assert_ok().stdout_bytes, b"one\ntwo\n");
    }
    repo.mem(["history", "b", "--print"]).assert_code(2);
    let output = repo.mem(["history", "nobody"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: no note was ever called `nobody`
    hint: `mem history` lists what happened
    ");
}

#[test]
fn a_name_that_several_notes_bear_is_not_guessed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("team/a.md", "theirs\n");
    repo.edit_note("sub/a.md", "mine\n");
    let output = repo.mem(["history", "a"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: `a` could be `sub/a.md` or `team/a.md`
    hint: give the whole path
    ");
    repo.mem(["history", "sub/a"]).assert_ok();
    repo.edit_note("a.md", "top\n");
    let json = repo.mem(["history", "a", "--json"]).assert_ok().json();
    assert_eq!(json["file"], "a.md", "a whole path goes first");
}

#[test]
fn a_diff_of_the_last_change_of_a_note_and_of_any_change() {
    let env = TestEnv::new();
    let repo = eventful(&env);
    let output = repo.mem(["diff"]).assert_ok();
    insta::assert_snapshot!(output.stdout, @r"
    --- a/b.md
    +++ b/b.md
    @@ -1,2 +1 @@
     one
    -two
    ");
    let output = repo.mem(["diff", "b", "1"]).assert_ok();
    assert_eq!(output.stdout, repo.mem(["diff"]).stdout);
    let changes = repo.mem(["history", "--json"]).json()["changes"].clone();
    let renaming = changes[1]["id"].as_str().unwrap();
    let output = repo.mem(["diff", renaming]).assert_ok();
    insta::assert_snapshot!(output.stdout, @r"
    rename from a.md
    rename to b.md
    ");
    let first = changes[3]["id"].as_str().unwrap();
    let json = repo.mem(["diff", first, "--json"]).assert_ok().json();
    insta::assert_snapshot!(json, @r#"{"files":[{"file":"a.md","renamed_from":null,"diff":"--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+one\n"}]}"#);
    let colour = repo.mem(["diff", "--color", "always"]).assert_ok().stdout;
    assert!(colour.contains("\u{1b}[31m-two"), "{colour}");
    repo.mem(["diff", "nobody"]).assert_code(1);
}

#[test]
fn nothing_happened_where_there_is_no_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let output = repo.mem(["history"]).assert_ok();
    assert_eq!(
        (output.stdout.as_str(), output.stderr.as_str()),
        ("", "nothing happened here yet\n")
    );
    repo.mem(["diff"]).assert_ok();
    repo.mem(["gc"]).assert_ok();
    repo.mem(["undo"]).assert_code(1);
    repo.mem(["restore", "a"]).assert_code(1);
    repo.mem(["redact", "a", "--yes"]).assert_code(1);
    assert!(!env.base().exists() && !env.home().join(".local").exists());
}

#[test]
fn the_history_is_bounded_by_changes_or_days_and_says_how_small_it_became() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for day in 0..6 {
        repo.edit_note("a.md", &format!("day {day}\n{}", "text\n".repeat(4000)));
        repo.mem(["history"]).assert_ok();
        env.advance(86_400);
    }
    let gc = || repo.mem(["gc", "--json"]).assert_ok().json();
    assert_eq!(gc()["changes"], 6);
    repo.mem(["config", "set", "history.keep", "4d", "-q"])
        .assert_ok();
    let json = gc();
    assert_eq!(
        (&json["changes_before"], &json["changes"]),
        (&6.into(), &4.into())
    );
    assert!(
        json["bytes"].as_u64() < json["bytes_before"].as_u64(),
        "{json}"
    );
    repo.mem(["config", "set", "history.keep", "2", "-q"])
        .assert_ok();
    assert_eq!(gc()["changes"], 2);
    let text = repo.mem(["gc"]).assert_ok().stdout;
    assert!(
        text.starts_with("2 changes in ") && text.contains(" -> 2 changes ("),
        "{text}"
    );
    repo.mem(["undo", "--foreign"]).assert_ok();
    assert!(repo.note("a.md").unwrap().starts_with("day 4\n"));
    let output = repo.mem(["undo", "--foreign", "9"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: there is nothing to undo
    hint: `mem history` lists what happened; --foreign counts edits by others too, --global takes your own notes; what a sync brought is undone by its id
    ");
    assert!(repo.note("a.md").unwrap().starts_with("day 4\n"));
}

#[test]
fn the_global_tier_has_a_history_of_its_own() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    std::fs::create_dir_all(env.base().join("memory")).unwrap();
    std::fs::write(env.base().join("memory/me.md"), "me\n").unwrap();
    let history = repo.mem(["history", "--global"]).assert_ok().stdout;
    assert!(history.contains("+me.md"), "{history}");
    assert_eq!(repo.mem(["history"]).assert_ok().stdout, "");
    repo.mem(["undo", "--global", "--foreign"]).assert_ok();
    assert!(!env.base().join("memory/me.md").exists());
}

#[test]
fn a_title_or_a_beginning_is_enough_but_never_hides_a_note_that_is_gone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("rel.md", "short\n");
    repo.edit_note("release.md", "---\nname: Release freeze\n---\nlong\n");
    let file = |name: &str| repo.mem(["history", name, "--json"]).json()["file"].clone();
    assert_eq!(file("Release freeze"), "release.md");
    assert_eq!(file("rele"), "release.md");
    std::fs::remove_file(repo.memory().join("rel.md")).unwrap();
    assert_eq!(file("rel"), "rel.md", "gone, and yet what was asked for");
}

#[test]
fn a_file_that_was_only_touched_is_as_old_as_before() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("a.md", "one\n");
    repo.mem(["history"]).assert_ok();
    env.advance(40 * 86_400);
    let age = || repo.mem(["list", "--json"]).json()["memories"][0]["modified"].clone();
    repo.edit_note("a.md", "one\n");
    assert_eq!(age(), "2026-01-01T00:00:00Z");
    repo.edit_note("a.md", "two\n");
    assert_eq!(age(), "2026-02-10T00:00:00Z");
}

#[test]
fn one_change_is_listed_alone_with_whether_it_was_undone() {
    let env = TestEnv::new();
    let repo = eventful(&env);
    let all = repo.mem(["history", "--json"]).assert_ok().json();
    let changes = all["changes"].as_array().unwrap();
    let id = |at: usize| changes[at]["id"].as_str().unwrap();
    let one = |id: &str| {
        let found = repo.mem(["history", "--change", id, "--json"]).assert_ok();
        let found = found.json()["changes"].as_array().unwrap().clone();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    assert_eq!(one(id(1)), changes[1]);
    repo.mem(["undo", id(0)]).assert_ok();
    assert_eq!(one(&id(0)[..12])["undone"], true);
    assert_eq!(one(id(1))["undone"], false);
    repo.mem(["history", "--change", "chg_zzzzzzzz"])
        .assert_code(1);
}
