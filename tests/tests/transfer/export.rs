//! An export, and what comes of putting it back.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use mem_tests::{TestEnv, words};

use super::{filled, import, list, write};

#[test]
fn an_export_is_put_back_with_ids_and_ages() {
    let env = TestEnv::new();
    let repo = filled(&env, "app");
    let before = repo.mem(["list", "--json"]).assert_ok().json();
    let files = env.files_under(&repo.memory());
    let target = env.root().join("backup/today");
    let done = repo.mem(["export", target.to_str().unwrap()]).assert_ok();
    assert_snapshot!(done.stdout, @"exported 8 file(s) to [ENV]/backup/today (private 4, team 2, global 2)");
    fs::remove_dir_all(repo.memory()).unwrap();
    fs::remove_dir_all(env.base().join("memory")).unwrap();
    // A machine that never saw them.
    fs::remove_dir_all(env.home().join(".local")).unwrap();
    import(&repo, &[target.to_str().unwrap()]).assert_ok();
    assert_eq!(repo.mem(["list", "--json"]).assert_ok().json(), before);
    assert_eq!(env.files_under(&repo.memory()), files);
    let again = import(&repo, &[target.to_str().unwrap()]).assert_ok();
    assert_snapshot!(again.stdout, @"");
    assert_snapshot!(again.stderr, @"8 of 8 are here already");
    let history = repo.mem(["history"]).assert_ok();
    assert!(history.stdout.contains("import"), "{}", history.stdout);
}

#[test]
fn json_goes_from_one_repository_to_another_through_a_pipe() {
    let env = TestEnv::new();
    let one = filled(&env, "one");
    let json = one.mem(["export", "--json"]).assert_ok().stdout_bytes;
    let two = env.repo("two");
    let done = two
        .invoke(["import", "-"])
        .stdin(json.clone())
        .run()
        .assert_ok();
    assert_snapshot!(done.stdout, @r#"
    imported feedback_real_db.md  from private/feedback_real_db.md
    imported odd (통과).md  from private/odd (통과).md
    imported MEMORY.md  from private/MEMORY.md
    imported logs/2026/01/2026-01-01.md  from private/logs/2026/01/2026-01-01.md
    imported team/project_freeze.md  from team/project_freeze.md
    imported team/MEMORY.md  from team/MEMORY.md
    "#);
    assert_eq!(
        env.files_under(&two.memory()),
        env.files_under(&one.memory())
    );
    let three = env.repo("three");
    let only = ["import", "-", "--scope", "team", "--only", "freeze"];
    three.invoke(only).stdin(json).run().assert_ok();
    assert_snapshot!(list(&three), @r#"
    project  team:project_freeze.md  today  d
    user     global:user_go.md       today  d
    "#);
}

#[test]
fn an_export_never_overwrites_and_is_private() {
    let env = TestEnv::new();
    let repo = filled(&env, "app");
    let target = env.root().join("full");
    write(target.join("x"), "mine");
    let refused = repo
        .mem(["export", target.to_str().unwrap()])
        .assert_code(4);
    assert_snapshot!(refused.stderr, @r#"
    error: `[ENV]/full` exists already and is no empty directory
    hint: an export never overwrites: choose another directory
    "#);
    let inside = repo.memory().join("out");
    repo.mem(["export", inside.to_str().unwrap()])
        .assert_code(1);
    repo.mem(["export"]).assert_code(2);
    let empty = env.root().join("empty");
    fs::create_dir(&empty).unwrap();
    repo.mem(["export", empty.to_str().unwrap()]).assert_ok();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (mode(&empty), mode(&empty.join("mem-export.json"))),
            (0o700, 0o600)
        );
    }
    let left: Vec<String> = fs::read_dir(env.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".mem-tmp-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn different_files_of_one_name_are_both_kept() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(words(
        "save --type project --name Freeze --description d --body ours",
    ))
    .assert_ok();
    let other = env.root().join("other");
    write(
        other.join("project_freeze.md"),
        "---\nname: Freeze\ntype: project\n---\ntheirs\n",
    );
    write(
        other.join("MEMORY.md"),
        "# Old notes\n\n- [Freeze](project_freeze.md) — theirs\n",
    );
    write(other.join("lonely.md"), "No frontmatter.\n");
    write(other.join("picture.png"), "x");
    let preview = import(&repo, &[other.to_str().unwrap(), "--dry-run"]).assert_ok();
    assert_snapshot!(preview.stdout, @r#"
    would import lonely.md  from [ENV]/other/lonely.md
    would import project_freeze_2.md  (another file has its name)  from [ENV]/other/project_freeze.md
    would unite MEMORY.md  from [ENV]/other/MEMORY.md
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1 +1,3 @@
     - [Freeze](project_freeze.md) — d
    +- [Freeze](project_freeze_2.md) — theirs
    +- [lonely](lonely.md)
    --- /dev/null
    +++ b/lonely.md
    @@ -0,0 +1 @@
    +No frontmatter.
    --- /dev/null
    +++ b/project_freeze_2.md
    @@ -0,0 +1,5 @@
    +---
    +name: Freeze
    +type: project
    +---
    +theirs
    "#);
    assert_snapshot!(preview.stderr, @"left out [ENV]/other: 1 file(s) that are no Markdown: picture.png");
    assert_eq!(repo.note("lonely.md"), None);
    import(&repo, &[other.to_str().unwrap()]).assert_ok();
    assert_snapshot!(repo.note("MEMORY.md").unwrap(), @r#"
    - [Freeze](project_freeze.md) — d
    - [Freeze](project_freeze_2.md) — theirs
    - [lonely](lonely.md)
    "#);
    let again = import(&repo, &[other.to_str().unwrap(), "--json"])
        .assert_ok()
        .json();
    assert_eq!(again["changes"], serde_json::json!([]));
    // What was changed since is still the same memory.
    repo.edit_note("lonely.md", "Not so lonely.\n");
    let again = import(&repo, &[other.to_str().unwrap(), "--json"]);
    assert_eq!(again.assert_ok().json()["changes"], serde_json::json!([]));
    repo.edit_note("lonely.md", "No frontmatter.\n");
    repo.mem(["undo"]).assert_ok();
    assert_eq!(
        repo.note("MEMORY.md").unwrap(),
        "- [Freeze](project_freeze.md) — d\n"
    );
}
