//! `mem install claude-code`: hooks in a settings file that belongs to somebody else.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{Output, TestEnv};
use serde_json::{Value, json};

fn settings(env: &TestEnv) -> PathBuf {
    env.base().join("settings.json")
}

fn put(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn install(env: &TestEnv) -> Output {
    env.mem(["install", "claude-code"])
}

fn uninstall(env: &TestEnv) -> Output {
    env.mem(["uninstall", "claude-code"])
}

fn home_config(env: &TestEnv) -> PathBuf {
    env.root().join("home/.config")
}

#[test]
fn a_person_chooses_what_a_guard_that_cannot_run_does_to_a_write() {
    let env = TestEnv::new();
    let guard = || read(&settings(&env))["hooks"]["PreToolUse"][0]["hooks"][0].clone();
    env.mem(["install", "claude"]).assert_ok();
    assert_eq!(guard().get("onFailure"), None);
    let before = fs::read(settings(&env)).unwrap();
    env.mem(["install", "claude-code", "--on-failure", "block"])
        .assert_ok();
    assert_eq!(guard()["onFailure"], "block");
    install(&env).assert_ok();
    assert_eq!(guard()["onFailure"], "block");
    env.mem(["install", "claude-code", "--on-failure", "continue"])
        .assert_ok();
    assert_eq!(fs::read(settings(&env)).unwrap(), before);
    let refused = env.mem(["install", "codex", "--on-failure", "block"]);
    assert_eq!(
        refused.assert_code(1).stderr,
        "error: Codex always goes on where a hook cannot run\n\
         hint: leave `--on-failure` out: only Claude Code has the choice\n"
    );
    env.mem(["uninstall", "claude"]).assert_ok();
    assert!(!settings(&env).exists());
}

#[test]
fn a_dry_run_of_one_host_or_of_all_takes_nothing_out() {
    let env = TestEnv::new();
    install(&env).assert_ok();
    env.mem(["install", "mcp", "--client", "cursor"])
        .assert_ok();
    let cursor = env.home().join(".cursor/mcp.json");
    let read_both = || [settings(&env), cursor.clone()].map(|path| fs::read(path).unwrap());
    let before = read_both();
    let mcp = ["uninstall", "--dry-run", "mcp", "--client", "cursor"];
    for args in [
        &["uninstall", "-n", "claude-code"][..],
        &["uninstall", "claude-code", "--dry-run"],
        &mcp,
    ] {
        let output = env.mem(args).assert_ok();
        assert!(output.stdout.starts_with("would remove "), "{args:?}");
        assert_eq!(read_both(), before, "{args:?}");
    }
    let one = env.mem(["uninstall", "claude-code", "-n", "--json"]);
    let one = one.assert_ok().json();
    assert_eq!(one["outcome"], "removed");
    assert_eq!(one["dry_run"], true);
    let all = env.mem(["uninstall", "-n", "--json"]).assert_ok().json();
    assert_eq!(all["dry_run"], true);
    assert_eq!(read_both(), before);
    let gone = env.mem(["uninstall", "claude-code", "--json"]);
    assert_eq!(gone.assert_ok().json()["dry_run"], false);
    assert!(!settings(&env).exists());
}

#[test]
fn a_plugin_is_a_file_of_its_own_and_goes_whole() {
    let env = TestEnv::new();
    let plugin = env.root().join("home/.config/opencode/plugin/mem.js");
    env.mem(["install", "opencode"]).assert_ok();
    let text = fs::read_to_string(&plugin).unwrap();
    assert!(text.contains("const MEM = \"/"), "{text}");
    env.mem(["install", "opencode"]).assert_ok();
    assert_eq!(fs::read_to_string(&plugin).unwrap(), text);
    env.mem(["uninstall", "opencode"]).assert_ok();
    assert!(!home_config(&env).exists());
    put(&plugin, "export const Mine = async () => ({})\n");
    for verb in ["install", "uninstall"] {
        let refused = env.mem([verb, "opencode"]).assert_code(4);
        let told = "is not a plugin of `mem`\nhint: rename that file";
        assert!(refused.stderr.contains(told), "{}", refused.stderr);
    }
    let mine = fs::read_to_string(&plugin).unwrap();
    assert_eq!(mine, "export const Mine = async () => ({})\n");
}

#[test]
fn a_file_is_made_with_every_event_and_goes_again() {
    let env = TestEnv::new();
    let output = install(&env).assert_ok();
    insta::assert_snapshot!(output.shown(), @r"
    exit 0
    --- stdout
    made [ENV]/home/.claude/settings.json
    --- stderr
    restart Claude Code to make it take effect
    ");
    let hooks = read(&settings(&env))["hooks"].clone();
    let command = |event: &str| {
        let hook = &hooks[event][0]["hooks"][0];
        assert!(Path::new(hook["command"].as_str().unwrap()).is_absolute());
        assert_eq!(hook["type"], "command");
        (
            hooks[event][0]["matcher"].clone(),
            hook["args"].clone(),
            hook["timeout"].clone(),
        )
    };
    let matcher = json!("Write|Edit|MultiEdit|NotebookEdit|Bash|WebFetch|WebSearch|mcp__.*");
    let args = |name: &str| json!(["hook", "claude", name]);
    assert_eq!(
        command("SessionStart"),
        (Value::Null, args("session-start"), json!(10))
    );
    let reading = json!("Read|Write|Edit|MultiEdit|NotebookEdit");
    assert_eq!(
        command("PreToolUse"),
        (reading, args("pre-tool-use"), json!(10))
    );
    assert_eq!(
        command("PostToolUse"),
        (matcher, args("post-tool-use"), json!(10))
    );
    assert_eq!(
        command("SessionEnd"),
        (Value::Null, args("session-end"), json!(2))
    );
    assert_eq!(hooks.as_object().unwrap().len(), 9);
    let before = fs::read(settings(&env)).unwrap();
    let again = install(&env).assert_ok();
    assert_eq!(again.stdout, "unchanged [ENV]/home/.claude/settings.json\n");
    // Scripts say yes to everything.
    let again = env.mem(["install", "claude-code", "--yes"]).assert_ok();
    assert_eq!(again.stdout, "unchanged [ENV]/home/.claude/settings.json\n");
    assert_eq!(fs::read(settings(&env)).unwrap(), before);
    assert_eq!(
        uninstall(&env).assert_ok().stdout,
        "removed [ENV]/home/.claude/settings.json\n"
    );
    assert!(!settings(&env).exists());
    let nothing = uninstall(&env).assert_ok();
    assert_eq!(
        nothing.stdout,
        "unchanged [ENV]/home/.claude/settings.json\n"
    );
}

#[test]
fn what_was_there_stays_and_comes_back_to_the_byte() {
    let env = TestEnv::new();
    let odd = "\u{feff}\r\n{\r\n\t\"model\" : \"x\",\r\n\t\"hooks\": {\"Stop\": [\r\n\
               \t\t{\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}]},\r\n\
               \t\"list\": [1,2, 3]\r\n}";
    for text in [
        odd,
        "{}",
        "",
        "  \n",
        "{\"hooks\": {}}\n",
        "{\"hooks\":{\"Stop\":[],\"SessionStart\":[{\"matcher\":\"resume\",\"hooks\":[]}]}}",
    ] {
        put(&settings(&env), text);
        install(&env).assert_ok();
        let with = fs::read_to_string(settings(&env)).unwrap();
        assert_eq!(with.matches("\"user-prompt-submit\"").count(), 1, "{with}");
        let backup = env.base().join("settings.json.mem-backup");
        assert_eq!(fs::read_to_string(&backup).unwrap(), text);
        install(&env).assert_ok();
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), with);
        uninstall(&env).assert_ok();
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text);
        assert!(!backup.exists());
    }
}

#[test]
fn empty_lists_of_a_person_stay_in_a_file_that_was_changed_since() {
    let env = TestEnv::new();
    put(&settings(&env), "{\"hooks\": {\"Stop\":[]}, \"a\":1}\n");
    install(&env).assert_ok();
    let with = fs::read_to_string(settings(&env)).unwrap();
    put(&settings(&env), with.replace("\"a\":1", "\"a\":2"));
    uninstall(&env).assert_ok();
    let left = json!({"hooks": {"Stop": []}, "a": 2});
    assert_eq!(read(&settings(&env)), left);
    assert!(!env.base().join("settings.json.mem-backup").exists());
}

#[test]
fn two_things_in_one_file_go_in_any_order_to_the_byte() {
    let env = TestEnv::new();
    let path = env.home().join(".gemini/settings.json");
    let backup = env.home().join(".gemini/settings.json.mem-backup");
    let hooks: &[&str] = &["gemini"];
    let server: &[&str] = &["mcp", "--client", "gemini"];
    let run = |verb: &str, what: &[&str]| {
        let args = std::iter::once(verb).chain(what.iter().copied());
        env.mem(args).assert_ok();
    };
    for text in [
        "{\"theme\":\"x\"}\n",
        "{\"hooks\": {\"BeforeAgent\":[]}}",
        "{\"mcpServers\":{}}",
    ] {
        for (first, last) in [(hooks, server), (server, hooks)] {
            for (gone, left) in [(hooks, server), (server, hooks)] {
                put(&path, text);
                run("install", first);
                run("install", last);
                assert_eq!(fs::read_to_string(&backup).unwrap(), text);
                run("uninstall", gone);
                run("uninstall", left);
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
                assert!(!backup.exists(), "{text}");
            }
        }
    }
    // A file that was made for them goes with the last one.
    fs::remove_file(&path).unwrap();
    run("install", hooks);
    run("install", server);
    run("uninstall", hooks);
    assert!(path.exists());
    run("uninstall", server);
    assert!(!path.exists() && !backup.exists());
}

#[test]
fn order_and_others_hooks_stay_while_ours_are_there() {
    let env = TestEnv::new();
    let text = "{\n    \"model\": \"x\",\n    \"hooks\": {\n        \"Stop\": [\n            {\n                \"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]\n            }\n        ]\n    },\n    \"env\": {\"A\": \"b\"}\n}\n";
    put(&settings(&env), text);
    install(&env).assert_ok();
    let with = fs::read_to_string(settings(&env)).unwrap();
    for line in text.lines().filter(|line| line.contains(['x', 'A'])) {
        assert!(with.contains(line), "{line} is not in\n{with}");
    }
    assert!(
        with.contains("\n        \"SessionStart\": [\n            {\n"),
        "{with}"
    );
    assert!(with.ends_with("    \"env\": {\"A\": \"b\"}\n}\n"), "{with}");
    // The person goes on to change the file: then only what is ours goes.
    let changed = with.replace("\"x\"", "\"y\"");
    put(&settings(&env), &changed);
    uninstall(&env).assert_ok();
    let left = fs::read_to_string(settings(&env)).unwrap();
    assert_eq!(left, text.replace("\"x\"", "\"y\""));
}

#[test]
fn a_program_that_moved_is_followed_and_its_owner_s_changes_are_kept() {
    let env = TestEnv::new();
    install(&env).assert_ok();
    let text = fs::read_to_string(settings(&env)).unwrap();
    let here = read(&settings(&env))["hooks"]["Stop"][0]["hooks"][0]["command"].clone();
    let moved = text
        .replace(here.as_str().unwrap(), "/gone/bin/mem")
        .replacen("\"timeout\": 10", "\"timeout\": 7", 1);
    put(&settings(&env), &moved);
    let output = install(&env).assert_ok();
    assert_eq!(output.stdout, "changed [ENV]/home/.claude/settings.json\n");
    let new = fs::read_to_string(settings(&env)).unwrap();
    assert_eq!(new, text.replacen("\"timeout\": 10", "\"timeout\": 7", 1));
    uninstall(&env).assert_ok();
    assert!(!settings(&env).exists());
}

/// Claude Code 2.1.330 skips settings with comments whole, and runs no hook of theirs.
#[test]
fn settings_that_the_host_would_skip_are_refused_with_the_line() {
    let env = TestEnv::new();
    for (text, line) in [
        ("{\n  // mine\n  \"model\": \"x\"\n}\n", 2),
        ("{\n  \"model\": \"x\",\n}\n", 3),
        ("/* only a comment */ {}\n", 1),
    ] {
        put(&settings(&env), text);
        let output = env.mem(["install", "claude-code"]).assert_code(1);
        let told = format!("line {line} of `[ENV]/home/.claude/settings.json` has a comment");
        assert!(output.stderr.contains(&told), "{}", output.shown());
        assert!(
            output.stderr.contains(&format!("sed -n {line}p")),
            "{}",
            output.shown()
        );
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text);
    }
    // Hooks that stand in such a file come out all the same, and the comment stays.
    fs::remove_file(settings(&env)).unwrap();
    install(&env).assert_ok();
    let with = fs::read_to_string(settings(&env)).unwrap();
    put(&settings(&env), with.replacen('{', "{ // mine", 1));
    uninstall(&env).assert_ok();
    let left = fs::read_to_string(settings(&env)).unwrap();
    assert!(
        left.contains("// mine") && !left.contains("hooks"),
        "{left}"
    );
}

#[test]
fn a_file_that_cannot_be_changed_safely_is_left_alone() {
    let env = TestEnv::new();
    for (text, told) in [
        (&b"{\"model\": "[..], "is broken"),
        (b"{'model': 1}", "is broken"),
        (b"[]", "settings.json` is not a JSON object"),
        (
            b"{\"hooks\": []}",
            "`hooks` in `[ENV]/home/.claude/settings.json` is not an object",
        ),
        (
            b"{\"hooks\": {\"Stop\": \"x\"}}",
            "`Stop` in `[ENV]/home/.claude/settings.json` is not a list",
        ),
        (b"{\"hooks\": {}, \"hooks\": {}}", "stands there twice"),
        (b"{\"a\": \"\xff\"}", "is not UTF-8 text"),
    ] {
        put(&settings(&env), text);
        for verb in ["install", "uninstall"] {
            let output = env.mem([verb, "claude-code"]).assert_code(1);
            assert!(output.stderr.contains(told), "{}", output.shown());
            assert!(output.stderr.contains("hint: "), "{}", output.shown());
            assert!(!output.stderr.contains("--print"), "{}", output.shown());
        }
        assert_eq!(fs::read(settings(&env)).unwrap(), text);
        assert!(!env.base().join("settings.json.mem-backup").exists());
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_modes_kept_and_read_only_files_respected() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let env = TestEnv::new();
    let real = env.home().join("dotfiles/claude.json");
    put(&real, "{\"model\": \"x\"}\n");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(env.base()).unwrap();
    symlink(&real, settings(&env)).unwrap();
    install(&env).assert_ok();
    assert!(settings(&env).is_symlink() && read(&real)["hooks"].is_object());
    let backup = env.home().join("dotfiles/claude.json.mem-backup");
    assert_eq!((mode(&real), mode(&backup)), (0o640, 0o640));
    uninstall(&env).assert_ok();
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\"model\": \"x\"}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o440)).unwrap();
    let output = install(&env).assert_code(1);
    assert!(output.stderr.contains("is read-only"), "{}", output.shown());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\"model\": \"x\"}\n");
    fs::remove_file(&real).unwrap();
    let output = install(&env).assert_code(1);
    assert!(output.stderr.contains("cannot read"), "{}", output.shown());
    assert!(settings(&env).is_symlink());
}

#[test]
fn a_project_s_files_are_those_of_the_checkout_one_stands_in() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let tree = repo.worktree("feature");
    tree.write("sub/x", "");
    for (scope, file) in [
        ("project", "settings.json"),
        ("local", "settings.local.json"),
    ] {
        let args = ["install", "claude-code", "--scope", scope];
        let output = tree
            .invoke(args)
            .in_dir(tree.path().join("sub"))
            .run()
            .assert_ok();
        assert_eq!(output.stderr.contains("this machine's"), scope == "project");
        assert!(output.stderr.contains("restart Claude Code"));
        assert!(tree.path().join(".claude").join(file).exists());
    }
    assert!(!repo.path().join(".claude").exists());
    assert!(!settings(&env).exists());
    // Everything at once, from anywhere.
    let output = env.mem(["uninstall", "--json"]).assert_ok();
    let taken = output.json()["installed"].clone();
    assert_eq!(taken.as_array().unwrap().len(), 2);
    assert!(!tree.path().join(".claude/settings.json").exists());
}

#[test]
fn programs_are_told_what_was_done() {
    let env = TestEnv::new();
    let run = |verb: &str| env.mem([verb, "claude-code", "--json"]).assert_ok().json();
    let made = run("install");
    assert_eq!(
        (&made["outcome"], &made["backup"]),
        (&json!("made"), &Value::Null)
    );
    assert_eq!(
        (&made["scope"], run("install")["outcome"].as_str()),
        (&json!("user"), Some("unchanged"))
    );
    assert_eq!(run("uninstall")["outcome"], "removed");
    put(&settings(&env), "{}");
    let changed = run("install");
    assert_eq!(
        changed["backup"],
        "[ENV]/home/.claude/settings.json.mem-backup"
    );
    assert_eq!(run("uninstall")["outcome"], "changed");
}

#[test]
fn hosts_that_are_used_here_are_found_and_nothing_is_done_unasked() {
    let env = TestEnv::new();
    let home = env.root().join("home");
    let none = env.mem(["install"]).assert_ok();
    assert_eq!(none.stdout, "");
    put(&home.join(".codex/config.toml"), "model = \"m\"\n");
    put(&home.join(".gemini/settings.json"), "{}\n");
    let shown = env.mem(["install"]).assert_ok();
    assert_eq!(
        shown.stdout,
        "Codex: hooks in [ENV]/home/.codex/hooks.json for SessionStart, UserPromptSubmit, PreToolUse, \
         PostToolUse, Stop, SessionEnd\n\
         Gemini CLI: hooks in [ENV]/home/.gemini/settings.json for SessionStart, BeforeAgent, BeforeTool, \
         AfterTool, AfterAgent, SessionEnd\n"
    );
    assert!(!home.join(".codex/hooks.json").exists());
    let done = env.mem(["install", "--yes"]).assert_ok();
    assert!(done.stdout.contains("made [ENV]/home/.codex/hooks.json"));
    assert!(done.stderr.contains("trust the hooks"), "{}", done.stderr);
    let gemini = read(&home.join(".gemini/settings.json"));
    assert_eq!(
        gemini["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"],
        10_000
    );
    // Twice is as good as once, and each goes to the byte.
    assert_eq!(env.mem(["install", "--yes"]).assert_ok().stdout, "");
    env.mem(["uninstall"]).assert_ok();
    assert!(!home.join(".codex/hooks.json").exists());
    let text = fs::read_to_string(home.join(".gemini/settings.json")).unwrap();
    assert_eq!(text, "{}\n");
}

#[test]
fn one_host_that_cannot_be_changed_keeps_no_other_from_memory() {
    let env = TestEnv::new();
    let home = env.root().join("home");
    put(&home.join(".codex/hooks.json"), "{ broken");
    put(&home.join(".qwen/settings.json"), "{}\n");
    let output = env.mem(["install", "--yes", "--json"]);
    assert_eq!(output.code, 1);
    assert!(read(&home.join(".qwen/settings.json"))["hooks"].is_object());
    assert_eq!(
        fs::read_to_string(home.join(".codex/hooks.json")).unwrap(),
        "{ broken"
    );
}

#[test]
fn print_writes_nothing() {
    let env = TestEnv::new();
    let text = "{\"model\": \"x\"}\n";
    put(&settings(&env), text);
    let before = env.files_under(&env.home());
    let output = env.mem(["install", "claude-code", "--print"]).assert_ok();
    let printed: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(printed["model"], "x");
    assert_eq!(printed["hooks"].as_object().unwrap().len(), 9);
    assert_eq!(env.files_under(&env.home()), before);
}

#[test]
fn a_setup_offers_the_hooks_to_those_who_use_the_host_without_them() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let offer = |wanted: bool| {
        let output = repo.mem(["init", "--dry-run"]).assert_ok();
        let is_offered = output.stderr.contains("mem install claude-code");
        assert_eq!(is_offered, wanted, "{}", output.shown());
    };
    offer(false);
    put(&settings(&env), r#"{"enabledPlugins": {"mem@mem": true}}"#);
    offer(false);
    put(&settings(&env), r#"{"enabledPlugins": {"mem@mem": false}}"#);
    offer(true);
    put(&settings(&env), "{}");
    offer(true);
    // Neither --yes nor an agent at a terminal answers for a person.
    let told = repo.mem(["init", "--yes"]).assert_ok().stderr;
    assert!(
        told.contains("the settings of hosts were not changed"),
        "{told}"
    );
    let by_agent = repo
        .invoke(["init"])
        .env("CLAUDECODE", "1")
        .at_terminal("y\ny\n");
    assert!(!by_agent.contains("let these hosts use mem?"), "{by_agent}");
    let declined = repo.invoke(["init"]).at_terminal("n\n");
    assert!(declined.contains("let these hosts use mem?"), "{declined}");
    assert!(read(&settings(&env))["hooks"].is_null());
    let agreed = repo.invoke(["init"]).at_terminal("y\n");
    assert!(read(&settings(&env))["hooks"].is_object(), "{agreed}");
    offer(false);
}

#[test]
fn one_broken_file_keeps_nothing_else_from_being_taken_out() {
    let env = TestEnv::new();
    install(&env).assert_ok();
    env.mem(["install", "mcp", "--client", "gemini"])
        .assert_ok();
    put(&settings(&env), "{\"hooks\": ");
    let output = env.mem(["uninstall"]).assert_code(1);
    assert!(output.stderr.contains("is broken"), "{}", output.shown());
    assert!(
        output
            .stdout
            .contains("left alone, changed since: Claude Code hooks")
    );
    assert!(!env.home().join(".gemini").exists());
    assert_eq!(fs::read(settings(&env)).unwrap(), b"{\"hooks\": ");
    put(&settings(&env), "{}");
    env.mem(["uninstall"]).assert_ok();
    assert_eq!(env.mem(["uninstall"]).assert_ok().stdout, "");
}

#[test]
fn the_doctor_sees_hooks_that_are_gone_or_run_nothing() {
    let env = TestEnv::new();
    let hosts = |code: i32| {
        let report = env.mem(["doctor", "--json"]).assert_code(code).json();
        let checks = report["checks"].as_array().unwrap().iter();
        let mut checks = checks.filter(|check| check["name"] == "hosts").cloned();
        checks.next().unwrap_or_default()
    };
    assert_eq!(hosts(0), Value::Null);
    install(&env).assert_ok();
    assert_eq!(hosts(0)["status"], "ok");
    let text = fs::read_to_string(settings(&env)).unwrap();
    let here = read(&settings(&env))["hooks"]["Stop"][0]["hooks"][0]["command"].clone();
    put(
        &settings(&env),
        text.replace(here.as_str().unwrap(), "/gone/bin/mem"),
    );
    let told = hosts(1);
    assert!(
        told["message"]
            .as_str()
            .unwrap()
            .contains("`/gone/bin/mem` is not there")
    );
    put(&settings(&env), "{}");
    assert_eq!(hosts(0)["status"], "warn");
}

/// Hooks, MCP server and plugin that run another version, or nothing.
#[cfg(unix)]
#[test]
fn the_doctor_tells_hooks_servers_and_plugins_of_another_version() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::new();
    let repo = env.repo("app");
    let own = mem_tests::binary::path().display().to_string();
    let old = env.home().join(".local/bin/mem");
    let told = |code: i32| {
        let run = repo.invoke(["doctor", "--json"]).env("PATH", "/nowhere");
        let report = run.run().assert_code(code).json();
        let checks = report["checks"].as_array().unwrap().iter();
        let checks = checks.filter(|check| check["name"] == "hosts");
        let text = |check: &Value| {
            let text = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
            format!("{}: {}; {}", text("status"), text("message"), text("hint"))
        };
        checks.map(text).collect::<Vec<_>>()
    };
    put(&settings(&env), r#"{"enabledPlugins": {"mem@mem": true}}"#);
    assert_eq!(
        told(1),
        [
            "fail: the plugin for Claude Code finds no mem: none is on the PATH, in ~/.cargo/bin or in ~/.local/bin; \
             add the folder of mem to PATH, or link mem from ~/.local/bin"
        ]
    );
    put(&old, "#!/bin/sh\necho 'mem 0.0.1 (x86_64-linux)'\n");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    env.mem(["install", "mcp", "--client", "codex"]).assert_ok();
    let codex = env.home().join(".codex/config.toml");
    let text = fs::read_to_string(&codex).unwrap();
    put(&codex, text.replace(&own, &old.display().to_string()));
    // A file that nobody recorded, of the repository: what it names is looked for and not run.
    repo.mem(["install", "gemini", "--scope", "project"])
        .assert_ok();
    let gemini = repo.path().join(".gemini/settings.json");
    let text = fs::read_to_string(&gemini).unwrap();
    put(&gemini, text.replace(&own, "/gone/mem"));
    fs::remove_file(env.home().join(".local/state/mem/installed.json")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        told(1),
        [
            format!(
                "warn: codex MCP server in [ENV]/home/.codex/config.toml: `[ENV]/home/.local/bin/mem` is mem 0.0.1, \
                 older than this mem {version}; `mem install mcp --client codex` writes where this mem is"
            ),
            "fail: Gemini CLI hooks in [ENV]/work/app/.gemini/settings.json: `/gone/mem` is not there; \
             `mem install gemini --scope project` writes where this mem is"
                .to_owned(),
            format!(
                "warn: the plugin for Claude Code runs `[ENV]/home/.local/bin/mem`, which is mem 0.0.1, older than \
                 this mem {version}; give the folder of this mem an earlier place in PATH"
            ),
        ]
    );
}

#[test]
fn the_doctor_sees_a_git_hook_whose_program_is_gone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["hook", "install"]).assert_ok();
    let hook = repo.path().join(".git/hooks/pre-push");
    let text = fs::read_to_string(&hook).unwrap();
    let own = mem_tests::binary::path().display().to_string();
    fs::write(&hook, text.replace(&own, "/gone/mem")).unwrap();
    let told = repo.mem(["doctor"]).assert_code(1).stdout;
    assert!(
        told.contains("fail  hosts: git hook pre-push in [ENV]/work/app/.git/hooks/pre-push: `/gone/mem` is not there"),
        "{told}"
    );
}

#[test]
fn copilot_and_visual_studio_code_share_one_file_and_cursor_has_its_own() {
    let env = TestEnv::new();
    let home = env.root().join("home");
    let copilot = home.join(".copilot/hooks/mem.json");
    let made = env.mem(["install", "copilot"]).assert_ok();
    assert_eq!(made.stdout, "made [ENV]/home/.copilot/hooks/mem.json\n");
    let hooks = read(&copilot);
    assert_eq!(hooks["version"], 1);
    let start = hooks["hooks"]["SessionStart"][0].clone();
    assert_eq!(
        (&start["type"], &start["timeout"]),
        (&json!("command"), &json!(10))
    );
    let command = start["command"].as_str().unwrap();
    assert!(
        command.ends_with("/mem hook copilot session-start || exit 0"),
        "{command}"
    );
    assert_eq!(
        hooks["hooks"]["PreToolUse"][0]["matcher"],
        "Read|Write|Edit"
    );
    // The other of the two programs would run a second file as well.
    let again = env.mem(["install", "vscode"]).assert_ok();
    assert_eq!(
        again.stdout,
        "unchanged [ENV]/home/.copilot/hooks/mem.json\n"
    );
    let gone = env.mem(["uninstall", "vscode"]).assert_ok();
    let told =
        "Copilot CLI and Visual Studio Code read the same file: neither has hooks of mem now";
    assert!(gone.stderr.contains(told), "{}", gone.shown());
    assert!(!home.join(".copilot").exists());
    let cursor = home.join(".cursor/hooks.json");
    let text = "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [{ \"command\": \"./x.sh\" }]\n  }\n}\n";
    put(&cursor, text);
    for _ in 0..2 {
        env.mem(["install", "cursor"]).assert_ok();
    }
    let hooks = read(&cursor)["hooks"].clone();
    assert_eq!(hooks["stop"][0]["command"], "./x.sh");
    assert_eq!(hooks["preToolUse"].as_array().unwrap().len(), 1);
    env.mem(["uninstall", "cursor"]).assert_ok();
    assert_eq!(fs::read_to_string(&cursor).unwrap(), text);
    put(&cursor, "{\n  // mine\n  \"version\": 1\n}\n");
    let refused = env.mem(["install", "cursor"]).assert_code(1);
    let told = "line 2 of `[ENV]/home/.cursor/hooks.json` has a comment, or a comma before a bracket: Cursor skips";
    assert!(refused.stderr.contains(told), "{}", refused.shown());
}

#[test]
fn hooks_that_a_repository_shares_are_asked_for_by_name() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (host, file) in [
        ("copilot", ".github/hooks/mem.json"),
        ("cursor", ".cursor/hooks.json"),
    ] {
        repo.mem(["install", host]).assert_ok();
        assert!(!repo.path().join(file).exists(), "{host}");
        repo.mem(["install", host, "--scope", "project"])
            .assert_ok();
        assert!(repo.path().join(file).exists(), "{host}");
        repo.mem(["uninstall", host, "--scope", "project"])
            .assert_ok();
        assert!(!repo.path().join(file).exists(), "{host}");
        repo.mem(["install", host, "--scope", "local"])
            .assert_code(2);
    }
}

#[test]
fn an_editor_with_the_hooks_of_another_program_is_found() {
    let env = TestEnv::new();
    let home = env.root().join("home");
    fs::create_dir_all(home.join(".vscode/extensions")).unwrap();
    fs::create_dir_all(home.join(".cursor")).unwrap();
    let shown = env.mem(["install"]).assert_ok();
    assert_eq!(
        shown.stdout,
        "GitHub Copilot: hooks in [ENV]/home/.copilot/hooks/mem.json for SessionStart, UserPromptSubmit, \
         PreToolUse, PostToolUse, PreCompact, Stop, SessionEnd\n\
         Cursor: hooks in [ENV]/home/.cursor/hooks.json for sessionStart, beforeSubmitPrompt, preToolUse, postToolUse\n"
    );
}

#[test]
fn claude_code_is_found_by_what_it_leaves_and_not_by_what_mem_makes() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init"]).assert_ok();
    repo.mem([
        "save",
        "--type",
        "user",
        "--name",
        "n",
        "--description",
        "d",
        "--body",
        "b",
    ])
    .assert_ok();
    let agents = || repo.mem::<&str>([]).assert_ok().stdout;
    assert!(agents().contains("agents: none found"), "{}", agents());
    put(&env.home().join(".claude.json"), "{}");
    assert!(
        agents().contains("Claude Code does not use mem yet"),
        "{}",
        agents()
    );
    fs::remove_file(env.home().join(".claude.json")).unwrap();
    put(&env.base().join("projects/-x/one.jsonl"), "");
    assert!(
        agents().contains("Claude Code does not use mem yet"),
        "{}",
        agents()
    );
}
