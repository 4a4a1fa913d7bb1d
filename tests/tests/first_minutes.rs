//! `mem init` and `mem audit`: what a new user runs first.

use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv, words};

const GOOD: &str = "---\nname: Good\ndescription: when it matters\ntype: project\n---\nBody\n";

fn directory(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).assert_ok().line().into()
}

/// A memory directory that a host made for a path, with a transcript beside it.
fn project(env: &TestEnv, path: &Path, files: &[(&str, &str)]) -> String {
    let text = path.to_string_lossy();
    let slug: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = env.base().join("projects").join(&slug);
    fs::create_dir_all(folder.join("memory")).unwrap();
    let line = serde_json::json!({ "type": "user", "cwd": text });
    fs::write(folder.join("1.jsonl"), format!("{line}\n")).unwrap();
    for (name, text) in files {
        fs::write(folder.join("memory").join(name), text).unwrap();
    }
    slug
}

#[test]
fn init_makes_the_directory_once_and_says_where_the_history_is() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--dry-run"]).assert_ok();
    assert!(
        !env.base().exists() && !env.home().join(".local").exists(),
        "a dry run writes nothing"
    );
    let first = repo.mem(["init"]).assert_ok();
    assert!(
        first
            .stdout
            .starts_with("made [ENV]/home/.claude/projects/[SLUG]-work-app/memory\n"),
        "{}",
        first.stdout
    );
    assert!(
        first
            .stdout
            .contains("its history is kept in [ENV]/home/.local/state/mem/stores/"),
        "{}",
        first.stdout
    );
    assert!(directory(&repo).is_dir());
    assert!(env.files_under(&directory(&repo)).is_empty());
    let all = env.files_under(&env.home());
    let second = repo.mem(["init", "--json"]).assert_ok().json();
    assert_eq!(
        (&second["created"], &second["steps"]),
        (&false.into(), &serde_json::json!([]))
    );
    assert_eq!(
        env.files_under(&env.home()),
        all,
        "a second time changes nothing"
    );
    let off = repo
        .invoke(["init", "--json"])
        .env("MEM_DISABLE", "1")
        .run();
    let error = off.assert_code(1).json_error();
    assert_eq!(error["message"], "memory is off here: MEM_DISABLE");
}

#[test]
fn init_writes_nothing_into_a_directory_that_holds_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    fs::create_dir_all(directory(&repo)).unwrap();
    fs::write(directory(&repo).join("a.md"), GOOD).unwrap();
    let before = env.files_under(&directory(&repo));
    let text = repo.mem(["init"]).assert_ok().stdout;
    assert!(
        text.contains("already there") && text.contains("[orphan]"),
        "{text}"
    );
    assert!(
        text.contains("fix: mem -C [ENV]/work/app index repair"),
        "{text}"
    );
    assert_eq!(env.files_under(&directory(&repo)), before);
    let history = repo.mem(["history", "--json"]).assert_ok().stdout;
    assert!(
        history.contains("foreign"),
        "what was there is in the history: {history}"
    );
}

#[test]
fn init_takes_steps_only_when_told_to() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    fs::write(repo.path().join("CLAUDE.md"), "x").unwrap();
    project(&env, &repo.path().join("sub"), &[("a.md", GOOD)]);
    repo.write("sub/x", "");
    let script = env
        .home()
        .join(".local/share/bash-completion/completions/mem");
    let init = |flag: &str| {
        repo.invoke(["init", "--json", flag])
            .env("SHELL", "/bin/bash")
            .run()
    };
    let plan = init("--quiet").assert_ok().json();
    let commands: Vec<&str> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["command"].as_str().unwrap())
        .collect();
    assert!(
        commands.contains(&"mem adopt --from=[SLUG]-work-app-sub"),
        "{commands:?}"
    );
    assert!(
        commands.contains(&"mem completions bash --install"),
        "{commands:?}"
    );
    assert!(
        !script.exists() && env.files_under(&directory(&repo)).is_empty(),
        "nobody agreed"
    );
    assert_eq!(
        init("--no-setup").assert_ok().json()["steps"],
        serde_json::json!([])
    );
    let done = init("--yes").assert_ok().json();
    let adopted = done["steps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["command"].as_str().unwrap().contains("adopt"))
        .unwrap();
    assert_eq!(adopted["done"], true, "{done}");
    assert!(script.exists() && directory(&repo).join("a.md").exists());
    let removed = repo.mem(["uninstall", "--json"]).assert_ok().json();
    assert_eq!(removed["installed"][0]["outcome"], "removed");
    assert!(!script.exists());
    let nothing = repo.mem(["uninstall"]).assert_ok();
    assert_eq!(nothing.stderr, "nothing is installed\n");
}

#[test]
fn what_was_changed_since_is_not_uninstalled() {
    let env = TestEnv::new();
    env.mem(["completions", "fish", "--install"]).assert_ok();
    let script = env.home().join(".config/fish/completions/mem.fish");
    fs::write(&script, "mine").unwrap();
    let text = env.mem(["uninstall"]).assert_code(1).stdout;
    assert_eq!(
        text,
        "left alone, changed since: fish completions: [ENV]/home/.config/fish/completions/mem.fish\n"
    );
    assert_eq!(fs::read(&script).unwrap(), b"mine");
    fs::remove_file(&script).unwrap();
    env.mem(["uninstall"]).assert_ok();
    assert!(env.mem(["uninstall"]).assert_ok().stdout.is_empty());
    env.mem(["completions", "zsh", "--install"]).assert_code(2);
}

#[test]
fn an_audit_finds_what_was_left_behind_and_how_to_mend_it() {
    let env = TestEnv::new();
    let app = env.repo("app");
    app.write("sub/x", "");
    let index = "- [Good](good.md) — fine\n";
    project(&env, app.path(), &[("good.md", GOOD), ("MEMORY.md", index)]);
    project(
        &env,
        &app.path().join("sub"),
        &[("other.md", GOOD), ("MEMORY.md", "- [O](other.md)\n")],
    );
    project(
        &env,
        &env.work().join("gone"),
        &[("x.md", GOOD), ("MEMORY.md", "- [X](x.md)\n")],
    );
    project(
        &env,
        &env.work().join("gone/app"),
        &[("y.md", GOOD), ("MEMORY.md", "- [Y](y.md)\n")],
    );
    project(&env, &env.work().join("empty"), &[]);
    let before = env.files_under(&env.home());
    let found = env.mem(["audit"]).assert_code(1);
    assert_snapshot!(found.shown(), @r"
    exit 1
    --- stdout
    [ENV]/work/app/sub  1 memory
      [ENV]/home/.claude/projects/[SLUG]-work-app-sub/memory
      error kept for `[ENV]/work/app/sub`, which is part of `[ENV]/work/app` [twin]
        fix: cd [ENV]/work/app && mem adopt --from=[SLUG]-work-app-sub

    [ENV]/work/gone  1 memory
      [ENV]/home/.claude/projects/[SLUG]-work-gone/memory
      error its folder `[ENV]/work/gone` is gone [orphaned]
        fix: cd FOLDER-OF-THE-REPOSITORY && mem adopt --from=[SLUG]-work-gone

    [ENV]/work/gone/app  1 memory
      [ENV]/home/.claude/projects/[SLUG]-work-gone-app/memory
      error its folder `[ENV]/work/gone/app` is gone; perhaps it is `[ENV]/work/app` now [orphaned]
        fix: cd [ENV]/work/app && mem adopt --from=[SLUG]-work-gone-app

    3 errors and 0 warnings in 4 memories, 4 directories; the host knows 5 projects
    --- stderr
    ");
    assert_eq!(
        env.files_under(&env.home()),
        before,
        "an audit writes nothing"
    );
    let json = env.mem(["audit", "--json"]).assert_code(1).json();
    assert_snapshot!(json["summary"].to_string(), @r#"{"projects":5,"with_memories":4,"memories":4,"errors":3,"warnings":0}"#);
    let keys: Vec<&String> = json["projects"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["slug", "path", "memory_dir", "memories", "findings"]);
}

#[test]
fn the_commands_of_an_audit_mend_what_they_are_named_for() {
    let env = TestEnv::new();
    let app = env.repo("app");
    app.write("my sub/x", "");
    project(&env, app.path(), &[("good.md", GOOD)]);
    project(&env, &app.path().join("my sub"), &[("other.md", GOOD)]);
    // Another time, another first commit.
    env.advance(60);
    let repo2 = env.repo("old");
    repo2
        .mem(words("save --type user --name N --description d --body b"))
        .assert_ok();
    fs::rename(repo2.path(), env.work().join("new")).unwrap();
    Repo::at(&env, env.work().join("new"))
        .mem(["status"])
        .assert_ok();
    for _ in 0..8 {
        let output = env.mem(["audit", "--json"]);
        // Real paths, to be run.
        let json: serde_json::Value = serde_json::from_slice(&output.stdout_bytes).unwrap();
        let fixes = json["projects"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|one| one["findings"].as_array().unwrap().clone());
        let fix = fixes.into_iter().find(|one| one["severity"] == "error");
        let Some(fix) = fix else { break };
        let fix = fix["fix"].as_str().unwrap().to_owned();
        let bin = mem_tests::binary::path().parent().unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let mut shell = env.command("sh");
        let output = shell.args(["-c", &fix]).env("PATH", path).output().unwrap();
        assert!(
            output.status.success(),
            "{fix}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let json = env.mem(["audit", "--json"]).json();
    assert_eq!(json["summary"]["errors"], 0, "{json}");
    assert!(directory(&app).join("other.md").exists());
}

#[test]
fn nothing_to_mend_is_success() {
    let env = TestEnv::new();
    let output = env.mem(["audit"]).assert_ok();
    assert_eq!(
        output.stdout,
        "nothing to mend in 0 memories, 0 directories; the host knows 0 projects\n"
    );
}

#[test]
fn init_tells_the_worst_first_and_is_not_suggested_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    let next = repo.mem::<&str>([]).assert_ok().stdout;
    assert!(
        next.contains("mem save") && !next.contains("mem init"),
        "{next}"
    );
    let folder = PathBuf::from(repo.mem(["path"]).line());
    fs::write(folder.join("a.md"), "untyped\n").unwrap();
    fs::write(folder.join("b.md"), "").unwrap();
    let json = repo.mem(["init", "--json"]).assert_ok().json();
    let findings = json["audit"]["findings"].as_array().unwrap();
    let severities: Vec<&str> = findings
        .iter()
        .map(|one| one["severity"].as_str().unwrap())
        .collect();
    let mut sorted = severities.clone();
    sorted.sort();
    assert!(
        severities == sorted && severities.contains(&"warning"),
        "{json}"
    );
}

#[test]
fn an_audit_looks_into_the_memories_of_subagents() {
    let env = TestEnv::new();
    let app = env.repo("app");
    project(
        &env,
        app.path(),
        &[
            ("good.md", GOOD),
            ("MEMORY.md", "- [Good](good.md) — fine\n"),
        ],
    );
    let token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    let own = env.base().join("agent-memory/reviewer");
    let shared = app.path().join(".claude/agent-memory/tester");
    for folder in [&own, &shared] {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("good.md"), GOOD).unwrap();
    }
    fs::write(
        shared.join("MEMORY.md"),
        format!("- [Good](good.md) — {token}\n"),
    )
    .unwrap();
    let json = env.mem(["audit", "--json"]).assert_code(1).json();
    let found: Vec<(&str, &str)> = json["projects"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| Some((one["slug"].as_str()?, one["findings"][0]["code"].as_str()?)))
        .collect();
    assert_eq!(
        found,
        [
            ("agent-memory/tester", "secret"),
            ("agent-memory/reviewer", "orphan")
        ]
    );
    let listed = app.mem(["list"]).assert_ok();
    let told = "the subagent `reviewer` has 1 memory of its own: `MEM_DIR=[ENV]/home/.claude/agent-memory/reviewer mem list`";
    assert!(listed.stderr.contains(told), "{}", listed.stderr);
    assert!(
        listed.stderr.contains("the subagent `tester` has 1 memory"),
        "{}",
        listed.stderr
    );
    // The command for one names its directory.
    let fix = json["projects"][1]["findings"][0]["fix"].as_str().unwrap();
    let fix = fix.replace("[ENV]", &env.root().to_string_lossy());
    assert!(fix.starts_with("MEM_DIR="), "{fix}");
    let mended = env
        .command("sh")
        .args(["-c", &format!("PATH={}:$PATH; {fix}", binary_folder())])
        .output()
        .unwrap();
    assert!(
        mended.status.success(),
        "{}",
        String::from_utf8_lossy(&mended.stderr)
    );
    assert!(
        fs::read_to_string(own.join("MEMORY.md"))
            .unwrap()
            .contains("good.md")
    );
}

fn binary_folder() -> String {
    let folder = mem_tests::binary::path().parent().unwrap();
    folder.to_string_lossy().into_owned()
}

#[test]
fn an_audit_names_secrets_and_never_shows_them() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    let save = format!("save --type project --name Deploy --description d --body {token}");
    repo.mem(words(&save)).assert_ok();
    let text = env.mem(["audit"]).assert_code(1);
    assert!(
        text.stdout
            .contains("project_deploy.md:7: holds a secret (github-pat) [secret]"),
        "{}",
        text.stdout
    );
    assert!(text.stdout.contains("scan --memory"), "{}", text.stdout);
    let json = env.mem(["audit", "--json"]).assert_code(1);
    let finding = &json.json()["projects"][0]["findings"][0];
    assert_eq!(
        (&finding["code"], &finding["scope"]),
        (&"secret".into(), &"private".into())
    );
    for shown in [text.stdout, text.stderr, json.stdout, json.stderr] {
        assert!(!shown.contains(&token));
    }
}
