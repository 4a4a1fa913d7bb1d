//! Memories checked against the code: the command, its shape, and what it says where there is little to
//! check against.

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv, words};
use serde_json::{Value, json};

const AUTH: &str = "fn process_auth_token(t: &str) -> bool {\n    !t.is_empty()\n}\n";
const DAY: u64 = 86_400;

/// A repository whose code has moved on since three memories were saved.
fn moved_on(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    let lines: String = (0..40).map(|line| format!("// line {line}\n")).collect();
    repo.write("src/auth.rs", format!("{AUTH}{lines}"));
    repo.commit("src/keep.rs", "pub fn keep_me() {}\n", "code");
    save(&repo, "moved", "The check is in `src/auth.rs`.");
    save(
        &repo,
        "gone",
        "Call `process_auth_token()` before anything else.",
    );
    save(
        &repo,
        "fine",
        "`keep_me` in `src/keep.rs` must stay public.",
    );
    env.advance(DAY);
    std::fs::create_dir(repo.path().join("src/auth")).unwrap();
    repo.git(["mv", "src/auth.rs", "src/auth/mod.rs"]);
    let renamed = AUTH.replace("process_auth_token", "verify_session");
    repo.commit("src/auth/mod.rs", &format!("{renamed}{lines}"), "refactor");
    repo
}

fn save(repo: &Repo<'_>, name: &str, body: &str) {
    let description = format!("what is known of {name}");
    repo.mem([
        "save",
        "--type",
        "project",
        "--name",
        name,
        "--description",
        &description,
        "--body",
        body,
    ])
    .assert_ok();
}

/// The verdict on a memory and the statuses of what it cites.
fn told(repo: &Repo<'_>, file: &str) -> (String, Vec<String>) {
    let json = repo.mem(["verify", file, "--json"]).assert_ok().json();
    let note = &json["notes"][0];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let citations = note["citations"].as_array().unwrap();
    let statuses = citations.iter().map(|one| text(&one["status"])).collect();
    (text(&note["verdict"]), statuses)
}

#[test]
fn what_moved_and_what_is_gone_is_named_with_the_commit() {
    let env = TestEnv::new();
    let repo = moved_on(&env);
    assert_snapshot!(repo.mem(["verify"]).assert_ok().stdout, @r#"
    broken   project_gone.md
      `process_auth_token()` is gone: renamed to `verify_session` by ef265f662 on 2026-01-02
    drifted  project_moved.md
      `src/auth.rs` moved: to `src/auth/mod.rs` by ef265f662 on 2026-01-02
    3 memories: 1 broken, 1 drifted, 1 fresh
    "#);
    assert_snapshot!(repo.mem(["verify", "fine", "moved"]).assert_ok().stdout, @r#"
    fresh    project_fine.md
         7  `keep_me` present
         7  `src/keep.rs` present
    drifted  project_moved.md
         7  `src/auth.rs` moved: to `src/auth/mod.rs` by ef265f662 on 2026-01-02
    2 memories: 1 drifted, 1 fresh
    "#);
    repo.mem(["verify", "--all"]).assert_ok();
    repo.mem(["verify", "--fail-on", "broken"]).assert_code(1);
    repo.mem(["verify", "fine", "--fail-on", "aging"])
        .assert_ok();
}

#[test]
fn the_json_has_a_stable_shape() {
    let env = TestEnv::new();
    let repo = moved_on(&env);
    let json = repo.mem(["verify", "moved", "--json"]).assert_ok().json();
    let commit = repo.git(["rev-parse", "--short=9", "HEAD"]);
    let expected = json!({ "notes": [{
        "file": "project_moved.md",
        "verdict": "drifted",
        "citations": [{
            "text": "src/auth.rs", "kind": "path", "line": 7, "status": "moved",
            "detail": format!("to `src/auth/mod.rs` by {commit} on 2026-01-02"),
            "moved_to": "src/auth/mod.rs",
        }],
    }] });
    let mut json = json;
    let citation = &mut json["notes"][0]["citations"][0];
    let code = citation.as_object_mut().unwrap().remove("code").unwrap();
    assert_eq!(
        (&code["path"], &code["first"], &code["line"]),
        (&json!("src/auth/mod.rs"), &json!(1), &json!(null))
    );
    assert!(
        code["lines"]
            .as_array()
            .is_some_and(|lines| !lines.is_empty())
    );
    assert_eq!(json, expected);
}

#[test]
fn what_was_cited_is_known_exactly_whatever_happens_to_commits() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("src/a.rs", "fn one() {}\nfn two() {}\n", "code");
    let first = repo.git(["rev-parse", "HEAD"]);
    save(&repo, "a", "How it works: `src/a.rs`.");
    env.advance(10 * DAY);
    // Every commit is made anew, later than the memory; the content is the same.
    repo.git([
        "commit",
        "--quiet",
        "--amend",
        "--message",
        "code, reworded",
    ]);
    assert_ne!(repo.git(["rev-parse", "HEAD"]), first);
    assert_eq!(
        told(&repo, "a"),
        ("fresh".to_owned(), vec!["present".to_owned()])
    );
    repo.commit("src/a.rs", "fn one() {}\nfn three() {}\n", "change");
    let (_, statuses) = told(&repo, "a");
    assert_eq!(statuses, ["changed"]);
    repo.git([
        "commit",
        "--quiet",
        "--amend",
        "--message",
        "change, reworded",
    ]);
    let json = repo.mem(["verify", "a", "--json"]).assert_ok().json();
    let detail = json["notes"][0]["citations"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("50 % of its lines"), "{detail}");
    // A rename of the memory says nothing anew about the code, an edit does.
    repo.mem(["rename", "a", "b"]).assert_ok();
    assert_eq!(told(&repo, "b").1, ["changed"]);
    let update = words(
        "save --update --type project --name b --description d \
         --body 'How it works now: `src/a.rs`.'",
    );
    repo.mem(update).assert_ok();
    assert_eq!(told(&repo, "b").1, ["present"]);
    repo.mem(["undo"]).assert_ok();
    assert_eq!(told(&repo, "b").1, ["changed"]);
}

#[test]
fn what_cites_nothing_is_judged_by_its_age() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "plain", "Releases are cut on Thursdays.");
    repo.mem(words(
        "save --type user --scope global --name mine --description d --body \
         'I keep scripts in `src/nowhere.rs`.'",
    ))
    .assert_ok();
    assert_eq!(told(&repo, "plain").0, "fresh");
    env.advance(3 * DAY);
    let text = repo.mem(["verify"]).assert_ok().stdout;
    assert_snapshot!(text, @r#"
    aging    project_plain.md
      3 days old, and cites nothing that can be checked
    1 memory: 1 aging
    "#);
    // One's own notes across repositories speak of no repository.
    let json = repo
        .mem(["verify", "--scope", "global", "--json"])
        .assert_ok()
        .json();
    let expected = json!({ "notes": [
        { "file": "global:user_mine.md", "verdict": "aging", "citations": [] },
    ] });
    assert_eq!(json, expected);
}

#[test]
fn there_is_an_answer_wherever_one_stands() {
    let env = TestEnv::new();
    let plain = env.work().join("plain");
    std::fs::create_dir(&plain).unwrap();
    let plain = Repo::at(&env, plain);
    save(&plain, "a", "See `src/a.rs`.");
    let checked = plain.mem(["verify", "a"]).assert_ok();
    assert!(
        checked
            .stdout
            .contains("`src/a.rs` unknown: there is no repository")
    );
    assert!(checked.stderr.contains("no git repository"));
    let unborn = Repo::at(&env, env.work().join("unborn"));
    env.command("git")
        .args(["init", "-q", "unborn"])
        .status()
        .unwrap();
    save(&unborn, "a", "See `src/a.rs`.");
    assert_eq!(told(&unborn, "a").1, ["never"]);
    let origin = env.repo("origin");
    origin.commit("src/a.rs", "fn one() {}\n", "one");
    origin.git(["rm", "-q", "src/a.rs"]);
    origin.commit("src/b.rs", "other\n", "two");
    let clone = |args: &[&str]| {
        let mut git = env.command("git");
        let made = git.args(["clone", "-q"]).args(args).status().unwrap();
        assert!(made.success());
        Repo::at(&env, env.work().join(args[args.len() - 1]))
    };
    let address = format!("file://{}", origin.path().display());
    let shallow = clone(&["--depth", "1", &address, "shallow"]);
    save(&shallow, "a", "See `src/a.rs`.");
    assert_eq!(told(&shallow, "a").1, ["unknown"]);
    let bare = clone(&["--bare", "origin", "bare.git"]);
    save(&bare, "a", "See `src/a.rs` and `src/b.rs`.");
    assert_eq!(told(&bare, "a").1, ["gone", "present"]);
    assert_eq!(bare.mem(["verify", "nothing"]).code, 1);
}

#[test]
fn answers_are_kept_for_their_owner_and_never_trusted_blindly() {
    let env = TestEnv::new();
    let repo = moved_on(&env);
    let first = repo.mem(["verify", "--json"]).assert_ok().stdout;
    let folder = env.home().join(".cache/mem/drift");
    let files = || -> Vec<_> {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let [file] = &files()[..] else {
        panic!("one file")
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(file)), (0o700, 0o600));
    }
    for damage in [&b""[..], b"{", b"\0\xff", b"[[[[[[[["] {
        std::fs::write(file, damage).unwrap();
        assert_eq!(repo.mem(["verify", "--json"]).assert_ok().stdout, first);
    }
    // Another worktree is another state.
    let other = repo.worktree("other");
    other.git(["reset", "-q", "--hard", "HEAD~1"]);
    assert_eq!(told(&other, "moved").0, "fresh");
    assert_eq!(told(&repo, "moved").0, "drifted");
    assert_eq!(files().len(), 2);
    // What is erased is in no cache either.
    repo.mem(["redact", "gone", "--yes"]).assert_ok();
    assert!(files().is_empty());
}

#[test]
fn paths_of_what_moved_are_rewritten_as_one_change_and_nothing_else_is() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let lines: String = (0..40).map(|line| format!("// line {line}\n")).collect();
    repo.write("src/auth.rs", format!("{AUTH}{lines}"));
    repo.write("docs/a/one.md", "one\n");
    repo.commit("src/old.rs", &lines, "code");
    save(
        &repo,
        "here",
        "The check is in `src/auth.rs`; lib/src/auth.rs is another.\r\nSee [it](src/auth.rs) and `src/auth.rs:2`.",
    );
    save(&repo, "folder", "Guides are in `docs/a/`.");
    save(&repo, "told", "`src/auth.rs` was removed from the crate.");
    env.advance(DAY);
    std::fs::create_dir_all(repo.path().join("crates/auth/src")).unwrap();
    repo.git(["mv", "src/auth.rs", "crates/auth/src/auth.rs"]);
    repo.git(["mv", "docs/a", "guides"]);
    repo.git(["rm", "-q", "src/old.rs"]);
    repo.commit("NEWS", "moved\n", "move");
    let before = |name: &str| repo.note(&format!("project_{name}.md")).unwrap();
    let (here, folder, told) = (before("here"), before("folder"), before("told"));
    let plan = repo.mem(["verify", "--fix", "--dry-run"]).assert_ok();
    assert_snapshot!(plan.stdout, @r"
    project_folder.md:7  docs/a/ -> guides/
    project_here.md:7  src/auth.rs -> crates/auth/src/auth.rs
    project_here.md:8  src/auth.rs -> crates/auth/src/auth.rs
    ");
    assert_eq!(before("here"), here);
    // Nobody is there to agree.
    repo.mem(["verify", "--fix"]).assert_code(2);
    assert_eq!(before("here"), here);
    let fixed = repo.mem(["verify", "--fix", "--yes", "--json"]).json();
    assert_eq!(fixed["fixed"].as_array().unwrap().len(), 3);
    assert_eq!(
        fixed["kept"],
        json!([{
            "file": "project_here.md", "line": 8, "text": "src/auth.rs:2", "reason": "its lines may have changed",
        }])
    );
    let body = |text: &str| text.split("---\n").nth(2).unwrap().trim_start().to_owned();
    assert_eq!(
        body(&before("here")),
        "The check is in `crates/auth/src/auth.rs`; lib/src/auth.rs is another.\r\nSee [it](crates/auth/src/auth.rs) and `src/auth.rs:2`.\n"
    );
    assert_eq!(body(&before("folder")), "Guides are in `guides/`.\n");
    assert_eq!(before("told"), told);
    repo.mem(["undo", fixed["change"].as_str().unwrap()])
        .assert_ok();
    assert_eq!((before("here"), before("folder")), (here, folder));
}

#[test]
fn a_file_of_the_root_is_rewritten_or_broken_where_no_other_ever_had_its_name() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let lines =
        |word: &str| -> String { (0..30).map(|line| format!("// {word} {line}\n")).collect() };
    repo.write("root.go", lines("root"));
    repo.write("run.go", "package run\n");
    repo.write("index.js", lines("index"));
    repo.write("lib/index.js", "let lib;\n");
    repo.write("pkg/far.go", lines("far"));
    for folder in ["web", "api"] {
        repo.write(&format!("{folder}/utils/{folder}.go"), lines(folder));
    }
    repo.commit("lib/gone.go", "package gone\n", "code");
    save(&repo, "sole", "In `root.go`, `./root.go` and lib/root.go.");
    save(&repo, "shared", "In `index.js`.");
    save(&repo, "deleted", "See `run.go`.");
    save(&repo, "deep", "See `gone.go`.");
    save(&repo, "far", "In `far.go`.");
    save(&repo, "folders", "In `utils/`.");
    env.advance(DAY);
    repo.git(["mv", "root.go", "main.go"]);
    repo.git(["mv", "index.js", "start.js"]);
    repo.git(["mv", "pkg/far.go", "pkg/near.go"]);
    repo.git(["mv", "web/utils", "web/helpers"]);
    repo.git(["mv", "api/utils", "api/tools"]);
    repo.git(["rm", "-q", "run.go", "lib/index.js", "lib/gone.go"]);
    repo.commit("NEWS", "moved\n", "move");
    for (name, verdict) in [
        ("sole", "drifted"),
        ("shared", "drifted"),
        ("deleted", "broken"),
        ("deep", "drifted"),
        ("far", "drifted"),
        ("folders", "drifted"),
    ] {
        assert_eq!(told(&repo, name).0, verdict, "{name}");
    }
    let fixed = repo.mem(["verify", "--fix", "--yes"]).assert_ok();
    assert_snapshot!(fixed.stdout, @r"
    project_sole.md:7  root.go -> main.go
    project_sole.md:7  ./root.go -> ./main.go
    ");
    for kept in [
        "project_shared.md:7  `index.js`",
        "project_far.md:7  `far.go`",
        "project_folders.md:7  `utils/`",
    ] {
        let line = format!("{kept} stays: a name without a folder may mean another file or folder");
        assert!(fixed.stderr.contains(&line), "{line}: {}", fixed.stderr);
    }
    let body = repo.note("project_sole.md").unwrap();
    assert!(
        body.contains("In `main.go`, `./main.go` and lib/root.go."),
        "{body}"
    );
}

#[test]
fn a_link_to_a_renamed_or_removed_memory_says_what_became_of_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Model paths", "They are under /srv.");
    save(&repo, "Old thing", "It was so.");
    save(
        &repo,
        "reader",
        "See [[Model paths]], `project_model_paths.md`, [[Old thing]] and [[Nowhere]].",
    );
    let present = ["present", "present", "present", "never"].map(str::to_owned);
    let (verdict, statuses) = told(&repo, "project_reader");
    assert_eq!((&*verdict, &*statuses), ("fresh", &present[..]));
    repo.mem(["rename", "project_model_paths", "Where models live"])
        .assert_ok();
    repo.mem(["remove", "project_old_thing"]).assert_ok();
    // The answers of before are remembered, and those about links are not among them.
    assert_snapshot!(repo.mem(["verify"]).assert_ok().stdout, @r"
    broken   project_reader.md
      `Old thing` is gone: it was removed
      `Model paths` moved: it is `project_where_models_live.md` now
      `project_model_paths.md` moved: it is `project_where_models_live.md` now
    2 memories: 1 broken, 1 fresh
    ");
    let (_, statuses) = told(&repo, "project_reader");
    assert_eq!(statuses, ["moved", "moved", "gone", "never"]);
    repo.mem(["undo"]).assert_ok();
    let (verdict, statuses) = told(&repo, "project_reader");
    assert_eq!(verdict, "drifted");
    assert_eq!(statuses, ["moved", "moved", "present", "never"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_link_to_a_memory_that_cannot_be_read_is_not_gone() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use crate::check::WITHOUT_PRIVILEGE;

    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Model paths", "They are under /srv.");
    let body = "See [[Model paths]] and `project_model_paths.md`.";
    save(&repo, "reader", body);
    let file = repo.memory().join("project_model_paths.md");
    set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
    let verify = repo.invoke(["verify", "project_reader", "--json"]);
    let output = verify.through_shell(WITHOUT_PRIVILEGE).run().assert_ok();
    let note = output.json()["notes"][0].clone();
    let citations = note["citations"].as_array().unwrap().iter();
    let statuses: Vec<&Value> = citations.map(|one| &one["status"]).collect();
    assert_eq!(statuses, ["present", "present"], "{note}");
}
