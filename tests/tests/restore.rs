//! `mem restore`: a note that is gone comes back as it was.

use mem_tests::{Repo, TestEnv};

fn gone(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    repo.edit_note("a.md", "one\n");
    repo.edit_note(
        "MEMORY.md",
        "# Mine\n- [A](a.md) — hook\n- [B](b.md) — hook\n",
    );
    repo.mem(["history"]).assert_ok();
    env.advance(3_600);
    std::fs::remove_file(repo.memory().join("a.md")).unwrap();
    repo.edit_note("MEMORY.md", "# Mine\n- [B](b.md) — hook\n");
    repo.mem(["history"]).assert_ok();
    repo
}

#[test]
fn it_returns_with_its_id_its_age_and_its_pointer() {
    let env = TestEnv::new();
    let repo = gone(&env);
    let before = repo.mem(["history", "a", "--json"]).assert_ok().json();
    let output = repo.mem(["restore", "a", "--dry-run"]).assert_ok();
    insta::assert_snapshot!(output.stdout, @r"
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,2 +1,3 @@
     # Mine
     - [B](b.md) — hook
    +- [A](a.md) — hook
    --- /dev/null
    +++ b/a.md
    @@ -0,0 +1 @@
    +one
    ");
    assert_eq!(repo.note("a.md"), None);
    let json = repo.mem(["restore", "a", "--json"]).assert_ok().json();
    assert_eq!(
        (&json["file"], &json["index"]),
        (&"a.md".into(), &"MEMORY.md".into())
    );
    assert_eq!(json["note"], before["note"]);
    assert_eq!(repo.note("a.md").unwrap(), "one\n");
    let index = "# Mine\n- [B](b.md) — hook\n- [A](a.md) — hook\n";
    assert_eq!(repo.note("MEMORY.md").unwrap(), index);
    let after = repo.mem(["history", "a", "--json"]).json();
    assert_eq!(after["note"], before["note"]);
    assert_eq!(after["versions"][0]["content_time"], "2026-01-01T00:00:00Z");
}

#[test]
fn a_version_that_stands_already_is_no_change_and_one_that_never_was_is_told() {
    let env = TestEnv::new();
    let repo = gone(&env);
    repo.mem(["restore", "a"]).assert_ok();
    let output = repo.mem(["restore", "a", "--rev", "0"]).assert_ok();
    assert!(
        output.stdout.starts_with("a.md is already as in "),
        "{}",
        output.stdout
    );
    let output = repo.mem(["restore", "a", "--rev", "77"]).assert_code(1);
    insta::assert_snapshot!(output.stderr, @r"
    error: `a` has no version `77` with content
    hint: `mem history a` lists them; `mem history` also has those of an earlier memory of the name
    ");
}

#[test]
fn a_place_that_was_taken_is_not_written_over() {
    let env = TestEnv::new();
    let repo = gone(&env);
    let id = repo.mem(["history", "a", "--json"]).json()["note"].clone();
    repo.edit_note("a.md", "another\n");
    let output = repo.mem(["restore", id.as_str().unwrap()]).assert_code(4);
    insta::assert_snapshot!(output.stderr, @r"
    error: another note stands at `a.md` now
    hint: `mem rename a.md NEW` moves it out of the way
    ");
    assert_eq!(repo.note("a.md").unwrap(), "another\n");
}

#[test]
fn a_name_that_a_note_had_is_not_written_over_its_newer_text() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = |name: &str, body: &str| {
        let args = ["save", "--update", "--type", "project", "--name", name];
        let rest = ["--description", "d", "--body", body];
        repo.mem(args.into_iter().chain(rest)).assert_ok();
    };
    save("A", "older");
    repo.mem(["rename", "project_a", "B"]).assert_ok();
    repo.mem(["undo"]).assert_ok();
    save("A", "newer");
    let text = repo.note("project_a.md");
    for name in ["project_b", "project_b.md", "B"] {
        let told = repo.mem(["restore", name]).assert_code(4).stderr;
        let said = format!("error: `{name}` is `project_a.md` now\n");
        assert!(told.starts_with(&said), "{told}");
        assert!(told.contains("`mem restore project_a.md`"), "{told}");
        assert_eq!(repo.note("project_a.md"), text);
    }
    repo.mem(["restore", "project_a", "--rev", "1"]).assert_ok();
}

#[test]
fn a_version_of_an_earlier_note_of_the_name_comes_back_by_its_id() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = |body: &str| {
        let args = ["save", "--type", "project", "--name", "Ports"];
        let rest = ["--description", "d", "--body", body];
        repo.mem(args.into_iter().chain(rest)).assert_ok();
        repo.note("project_ports.md").unwrap()
    };
    let newest_change = || {
        let changes = repo.mem(["history", "--json"]).assert_ok().json();
        changes["changes"][0]["id"].as_str().unwrap().to_owned()
    };
    let old = save("OLD");
    let saved = newest_change();
    repo.mem(["remove", "Ports"]).assert_ok();
    let removed = newest_change();
    let new = save("new");
    let told = repo.mem(["undo", &removed]).assert_code(4).stderr;
    assert!(
        told.contains("`mem restore project_ports.md --rev ID`"),
        "{told}"
    );
    let id = repo.mem(["history", "Ports", "--json"]).json()["note"].clone();
    let restore = ["restore", "project_ports.md", "--rev", &saved, "--json"];
    let restored = repo.mem(restore).assert_ok().json();
    assert_eq!(restored["note"], id, "the note that stands keeps its id");
    assert_eq!(repo.note("project_ports.md").unwrap(), old);
    repo.mem(["undo"]).assert_ok();
    assert_eq!(repo.note("project_ports.md").unwrap(), new);
    // The removal wrote no content.
    repo.mem(["restore", "project_ports.md", "--rev", &removed])
        .assert_code(1);
}
