//! Which commands are for a person, and who counts as an agent.

use std::fs;

use mem_tests::TestEnv;
use serde_json::json;

/// A mark of each host, as its shell tool gives it to commands.
const MARKS: [(&str, &str); 9] = [
    ("CLAUDECODE", "1"),
    ("CODEX_THREAD_ID", "01a208d0-9015-7de0-a41d-6b4f5393788d"),
    ("CODEX_CI", "1"),
    ("GEMINI_CLI", "1"),
    ("QWEN_CODE", "1"),
    ("OPENCODE", "1"),
    ("COPILOT_CLI", "1"),
    ("COPILOT_AGENT_SESSION_ID", "s1"),
    ("CURSOR_AGENT", "1"),
];

#[test]
fn what_is_for_a_person_is_refused_to_the_agents_of_every_host() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let commands: [&[&str]; 18] = [
        &["config", "edit"],
        &["config", "set", "editor", "true"],
        &["redact", "--text", "some words", "--yes"],
        &["serve", "--insecure-no-auth"],
        &["store", "delete", "memstore_1"],
        &["config", "set", "memory.write", "auto"],
        &["server", "token", "create", "--name", "x"],
        &["server", "token", "revoke", "x"],
        &["encrypt", "drop"],
        &["trust"],
        &["team", "setup", "--remote", "git:origin", "--repo", "a/b"],
        &["team", "join"],
        &["team", "login"],
        &["inbox", "accept", "--all"],
        &["hook", "uninstall"],
        &["uninstall"],
        &["purge", "--all", "--yes"],
        &["scan", "--validate"],
    ];
    for (mark, value) in MARKS {
        for command in commands {
            let run = repo.invoke(command).env(mark, value).env("EDITOR", "true");
            let refused = run.run().assert_code(1);
            let told = &refused.stderr;
            assert!(
                told.contains("an agent runs this"),
                "{mark} {command:?}: {told}"
            );
        }
    }
    assert!(!env.home().join(".config/mem/config.toml").exists());
}

#[test]
fn a_change_of_an_agent_is_recorded_as_its_hosts() {
    for (mark, host) in [
        ("CODEX_THREAD_ID", "codex"),
        ("GEMINI_CLI", "gemini"),
        ("QWEN_CODE", "qwen"),
        ("OPENCODE", "opencode"),
        ("COPILOT_CLI", "copilot"),
        ("CURSOR_AGENT", "cursor"),
    ] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let save = [
            "save",
            "--type",
            "user",
            "--name",
            "A",
            "--description",
            "d",
            "--body",
            "x",
        ];
        repo.invoke(save).env(mark, "1").run().assert_ok();
        let change = repo.mem(["history", "--json"]).json()["changes"][0].clone();
        assert_eq!(change["actor"], "agent", "{change}");
        assert_eq!(change["host"], host, "{change}");
    }
}

#[test]
fn a_terminal_in_an_editor_is_a_persons() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let run = repo.invoke(["trust"]).env("TERM_PROGRAM", "vscode");
    let run = run.env("VSCODE_INJECTION", "1").env("GEMINI_API_KEY", "k");
    run.env("CODEX_HOME", env.root().join("codex"))
        .run()
        .assert_ok();
}

/// The variables by which a host moves memory: a repository's settings may not set them for a hook.
#[test]
fn a_repository_does_not_move_memory_by_variables_of_the_host() {
    for variable in [
        "CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
    ] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let place = repo.path().join("planted").display().to_string();
        let path = |of_host: bool| {
            let run = repo.invoke(["path"]).env(variable, &place);
            let run = match of_host {
                true => run.env("CLAUDECODE", "1"),
                false => run,
            };
            run.run().assert_ok()
        };
        let is_moved = |stdout: &str| stdout.contains("/app/planted");
        let own = path(true).stdout;
        assert!(is_moved(&own), "what a person sets counts: {own}");
        let settings = json!({"env": {variable: place}}).to_string();
        repo.write(".claude/settings.json", &settings);
        for of_host in [true, false] {
            let output = path(of_host);
            assert!(!is_moved(&output.stdout), "{}", output.stdout);
            let told = format!("{variable} counts as unset");
            assert!(output.stderr.contains(&told), "{}", output.stderr);
        }
    }
}

/// Settings that a repository brings along, with a `HOME` that holds settings of its own.
#[test]
fn a_home_that_a_repository_names_is_reported_and_not_gone_to() {
    for (file, settings) in [
        (".claude/settings.json", r#"{"env":{"HOME":"PLACE"}}"#),
        (
            ".mcp.json",
            r#"{"mcpServers":{"m":{"command":"mem","env":{"HOME":"PLACE"}}}}"#,
        ),
        (
            ".gemini/settings.json",
            r#"{"mcpServers":{"m":{"env":{"HOME":"PLACE"}}}}"#,
        ),
        (
            "opencode.json",
            r#"{"mcp":{"m":{"environment":{"HOME":"PLACE"}}}}"#,
        ),
    ] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let planted = repo.path().join(".planted");
        let place = planted.to_str().unwrap().to_owned();
        fs::create_dir_all(planted.join(".config/mem")).unwrap();
        let text = "[memory]\nmode = \"log\"\n";
        fs::write(planted.join(".config/mem/config.toml"), text).unwrap();
        let get = |home: &str, mark: Option<&str>| {
            let run = repo
                .invoke(["config", "get", "memory.mode"])
                .env("HOME", home);
            let run = run.without_env("XDG_CONFIG_HOME");
            match mark {
                Some(mark) => run.env(mark, "1").run().assert_ok(),
                None => run.run().assert_ok(),
            }
        };
        assert_eq!(
            get(&place, None).stdout,
            "log\n",
            "what a person sets counts"
        );
        let path = repo.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, settings.replace("PLACE", &place)).unwrap();
        for mark in [None, Some("CLAUDECODE"), Some("GEMINI_CLI")] {
            let output = get(&place, mark);
            assert_ne!(output.stdout, "log\n", "{file} {mark:?}");
            assert!(
                output.stderr.contains("HOME counts as unset"),
                "{file}: {}",
                output.stderr
            );
        }
        // Another home than the one that is named is the person's.
        let own = env.home();
        let output = get(own.to_str().unwrap(), None);
        assert!(!output.stderr.contains("HOME"), "{}", output.stderr);
    }
}
