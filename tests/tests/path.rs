//! `mem path`: the stable shape, and what it warns of.

use mem_tests::{TestEnv, words};

#[test]
fn one_memory_for_a_repository_and_its_worktrees() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let output = repo.mem(["path"]).assert_ok();
    insta::assert_snapshot!(output.shown(), @r"
    exit 0
    --- stdout
    [ENV]/home/.claude/projects/[SLUG]-work-app/memory
    --- stderr
    ");
    let worktree = repo.worktree("side");
    assert_eq!(worktree.mem(["path"]).line(), output.line());
    let lines: String = ["--team", "--global", "--logs"]
        .map(|flag| worktree.mem(["path", flag]).assert_ok().stdout)
        .concat();
    insta::assert_snapshot!(lines, @r"
    [ENV]/home/.claude/projects/[SLUG]-work-app/memory/team
    [ENV]/home/.claude/memory
    [ENV]/home/.claude/projects/[SLUG]-work-app/memory/logs
    ");
    repo.mem(["path", "--team", "--logs"]).assert_code(2);
    assert!(!env.base().exists(), "asking makes nothing");
}

#[test]
fn json_says_all_there_is() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let json = repo.mem(["path", "--json"]).assert_ok().json();
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap(), @r#"
    {
      "project_root": "[ENV]/work/app",
      "slug": "[SLUG]-work-app",
      "memory_dir": "[ENV]/home/.claude/projects/[SLUG]-work-app/memory",
      "source": "default",
      "global_dir": "[ENV]/home/.claude/memory",
      "team_dir": "[ENV]/home/.claude/projects/[SLUG]-work-app/memory/team",
      "enabled": true,
      "disabled_by": null,
      "warnings": [],
      "twins": []
    }
    "#);
}

#[test]
fn what_switches_memory_off_is_named_and_writers_refuse() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let switch = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
    let json = repo
        .invoke(["path", "--json"])
        .env(switch, "1")
        .run()
        .json();
    assert_eq!(
        (&json["enabled"], &json["disabled_by"]),
        (&false.into(), &switch.into())
    );
    for command in [
        vec!["undo"],
        vec!["restore", "a"],
        vec!["redact", "a", "--yes"],
        vec!["gc"],
    ] {
        let output = repo
            .invoke([&command[..], &["--json"]].concat())
            .env(switch, "1")
            .run();
        let error = output.assert_code(1).json_error();
        assert_eq!(error["kind"], "disabled", "{command:?}");
        let message = error["message"].as_str().unwrap();
        assert!(message.ends_with(switch), "{message}");
    }
    assert!(!env.base().exists());
}

#[test]
fn a_directory_that_the_repository_wants_is_ignored_with_a_warning() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let wanted = env.root().join("elsewhere");
    let settings = serde_json::json!({ "autoMemoryDirectory": wanted }).to_string();
    repo.commit(".claude/settings.json", &settings, "settings");
    let output = repo.mem(["path"]).assert_ok();
    assert!(
        output.stdout.contains("/.claude/projects/"),
        "{}",
        output.stdout
    );
    insta::assert_snapshot!(output.stderr, @"warning: autoMemoryDirectory `[ENV]/elsewhere` in `[ENV]/work/app/.claude/settings.json` is ignored: the repository brought it along; `mem trust` allows it");
    let output = repo.mem(["path", "--json"]).assert_ok();
    assert_eq!(output.stderr, "");
    assert_eq!(output.json()["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn without_a_home_there_is_a_clear_error() {
    let env = TestEnv::new();
    let output = env.invoke(["path"]).without_env("HOME").run();
    insta::assert_snapshot!(output.assert_code(1).stderr, @r"
    error: there is no home directory
    hint: set HOME to the directory that holds `.claude`
    ");
}

#[test]
fn a_directory_in_other_use_is_no_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = env.root().join("file");
    std::fs::write(&file, "x").unwrap();
    for taken in [
        file,
        env.base(),
        env.base().join("projects"),
        env.home().join(".local/state/mem"),
        env.home().join(".config"),
    ] {
        let output = repo.invoke(["path"]).env("MEM_DIR", &taken).run();
        let talk = output.assert_code(1).stderr;
        assert!(talk.contains("which cannot be a memory: it is"), "{talk}");
        assert!(talk.contains("hint: "), "{talk}");
    }
}

#[test]
fn one_directory_for_both_tiers_is_told_once() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let shared = env.base().join("memory");
    let run = |line: &str| repo.invoke(words(line)).env("MEM_DIR", &shared).run();
    run("save --type project --name One --description d --body x").assert_ok();
    std::fs::write(shared.join("untyped.md"), "text\n").unwrap();
    let listed = run("list --json").assert_ok().json();
    assert_eq!(listed["memories"].as_array().unwrap().len(), 2, "{listed}");
    run("show One").assert_ok();
    let found = run("check --json").assert_code(1).json();
    let orphans = found["findings"].as_array().unwrap().iter();
    assert_eq!(orphans.filter(|one| one["code"] == "orphan").count(), 1);
    let audit = run("audit --json").assert_code(1).json();
    assert_eq!(audit["summary"]["memories"], 2, "{audit}");
}

#[test]
fn a_relative_home_is_refused() {
    let env = TestEnv::new();
    let output = env.invoke(["path"]).env("HOME", "here").run();
    let talk = output.assert_code(1).stderr;
    assert!(talk.contains("HOME is `here`, which is not"), "{talk}");
}

#[test]
fn a_directory_that_is_gone_stops_only_what_needs_one() {
    let env = TestEnv::new();
    let gone = env.work().join("gone");
    std::fs::create_dir(&gone).unwrap();
    let run = |command: &str| {
        let bin = mem_tests::binary::path();
        let script = format!(
            "rmdir ../gone 2>/dev/null; exec '{}' {command}",
            bin.display()
        );
        let mut shell = env.command("sh");
        let output = shell
            .args(["-c", &script])
            .env("PWD", &gone)
            .current_dir(&gone)
            .output();
        std::fs::create_dir_all(&gone).unwrap();
        let output = output.unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for command in ["help", "types", "audit"] {
        assert_eq!(run(command), (Some(0), String::new()), "{command}");
    }
    let (code, talk) = run("path");
    assert!(
        code == Some(1) && talk.contains("gone` does not exist"),
        "{talk}"
    );
    let talk = env.mem(["-C", "nowhere", "path"]).assert_code(1).stderr;
    assert!(
        talk.contains("hint: name a directory that exists"),
        "{talk}"
    );
}

#[test]
fn a_relative_base_is_warned_of() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (value, is_warned) in [("~/claude", true), ("/absolute", false)] {
        let output = repo.invoke(["path"]).env("CLAUDE_CONFIG_DIR", value).run();
        let talk = output.assert_ok().stderr;
        assert_eq!(talk.contains("CLAUDE_CONFIG_DIR is"), is_warned, "{talk}");
    }
}

#[test]
fn the_way_back_on_is_one_that_works() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let undo = |name: &str, value: &str| repo.invoke(["undo"]).env(name, value).run().stderr;
    let talk = undo("MEM_MEMORY_ENABLED", "false");
    assert!(talk.contains("hint: unset MEM_MEMORY_ENABLED"), "{talk}");
    for flag in [&[][..], &["--repository"]] {
        let set = [&["config", "set", "memory.enabled", "false"], flag].concat();
        repo.mem(set).assert_ok();
        let told = repo.mem(["status"]).assert_ok().stdout;
        let hint = "hint: `mem config set --repository memory.enabled true`";
        assert!(told.contains(hint), "{told}");
        let set = ["config", "set", "--repository", "memory.enabled", "true"];
        repo.mem(set).assert_ok();
        repo.mem(["init", "--no-setup"]).assert_ok();
    }
}
