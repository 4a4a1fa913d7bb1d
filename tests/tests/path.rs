//! `mem path`: the stable shape, and what it warns of.

use mem_tests::TestEnv;

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
