//! The plugin: its files as Claude Code's documentation wants them, and its launcher in a real shell.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mem_tests::TestEnv;
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn plugin() -> PathBuf {
    repository().join("templates/plugin")
}

fn json(path: impl AsRef<Path>) -> Value {
    let text = fs::read(&path).unwrap_or_else(|_| panic!("no {}", path.as_ref().display()));
    serde_json::from_slice(&text).unwrap()
}

/// Whether a name is in kebab case, as names of plugins and marketplaces have to be.
fn is_kebab(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty()
        && name.chars().all(is_letter)
        && !name.starts_with('-')
        && !name.ends_with('-')
}

/// Names that the documentation keeps for the host's own marketplaces.
const RESERVED: [&str; 6] = [
    "claude-code-marketplace",
    "claude-code-plugins",
    "claude-plugins-official",
    "anthropic-marketplace",
    "anthropic-plugins",
    "agent-skills",
];

#[test]
fn the_repository_is_a_marketplace() {
    let market = json(repository().join(".claude-plugin/marketplace.json"));
    let name = market["name"].as_str().unwrap();
    assert!(is_kebab(name) && !RESERVED.contains(&name));
    assert!(market["owner"]["name"].is_string());
    let plugins = market["plugins"].as_array().unwrap();
    assert!(!plugins.is_empty());
    for plugin in plugins {
        assert!(is_kebab(plugin["name"].as_str().unwrap()));
        let source = plugin["source"].as_str().unwrap();
        assert!(
            source.starts_with("./") && !source.contains(".."),
            "{source}"
        );
        let manifest = json(repository().join(source).join(".claude-plugin/plugin.json"));
        assert_eq!(manifest["name"], plugin["name"]);
        for key in ["description", "version", "category"] {
            assert!(plugin[key].is_null() || plugin[key].is_string(), "{key}");
        }
    }
}

#[test]
fn the_manifest_has_the_documented_shape_and_the_version_of_the_program() {
    let manifest = json(plugin().join(".claude-plugin/plugin.json"));
    assert!(is_kebab(manifest["name"].as_str().unwrap()));
    for key in ["version", "description", "license"] {
        assert!(manifest[key].is_string(), "{key}");
    }
    assert!(manifest["author"]["name"].is_string());
    let words = manifest["keywords"].as_array().unwrap();
    assert!(words.iter().all(Value::is_string));
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    // Only the manifest stands in that folder; components stand at the root.
    let beside = fs::read_dir(plugin().join(".claude-plugin")).unwrap();
    assert_eq!(beside.count(), 1);
}

#[test]
fn its_hooks_are_those_that_install_writes() {
    let env = TestEnv::new();
    let printed = env
        .mem(["install", "claude-code", "--print"])
        .assert_ok()
        .json();
    let hooks = json(plugin().join("hooks/hooks.json"));
    let (installed, packed) = (
        printed["hooks"].as_object().unwrap(),
        hooks["hooks"].as_object().unwrap(),
    );
    assert_eq!(
        installed.keys().collect::<Vec<_>>(),
        packed.keys().collect::<Vec<_>>()
    );
    for (event, groups) in packed {
        let (packed, installed) = (&groups[0], &installed[event][0]);
        assert_eq!(packed["matcher"], installed["matcher"]);
        let (packed, installed) = (&packed["hooks"][0], &installed["hooks"][0]);
        assert_eq!(
            (&packed["type"], &packed["command"]),
            (&"command".into(), &"sh".into())
        );
        assert_eq!(packed["args"][0], "${CLAUDE_PLUGIN_ROOT}/scripts/mem.sh");
        assert_eq!(packed["args"][1], installed["args"][2], "{event}");
        assert_eq!(packed["timeout"], installed["timeout"], "{event}");
    }
    let servers = json(plugin().join(".mcp.json"));
    assert_eq!(servers["mcpServers"]["mem"]["args"][1], "mcp");
}

#[test]
fn its_command_says_what_it_is_for() {
    let text = fs::read_to_string(plugin().join("commands/remember.md")).unwrap();
    let (head, body) = text
        .strip_prefix("---\n")
        .unwrap()
        .split_once("\n---\n")
        .unwrap();
    assert!(head.lines().any(|line| line.starts_with("description: ")));
    assert!(body.contains("$ARGUMENTS"));
}

/// What a run of the launcher gave: exit code, stdout, stderr.
type Ran = (Option<i32>, String, String);

/// A machine for the launcher: a PATH with nothing but what the script needs.
struct Machine {
    env: TestEnv,
    shell: &'static str,
}

impl Machine {
    fn new(shell: &'static str) -> Self {
        let env = TestEnv::new();
        fs::create_dir(env.root().join("bin")).unwrap();
        for tool in ["cat", "date", "grep", "mkdir"] {
            let path = std::env::var_os("PATH").unwrap();
            let found = std::env::split_paths(&path).map(|folder| folder.join(tool));
            let found = found.into_iter().find(|path| path.exists()).unwrap();
            std::os::unix::fs::symlink(found, env.root().join("bin").join(tool)).unwrap();
        }
        Self { env, shell }
    }

    /// A stand-in for the program, which says how it was called.
    fn with_mem(&self, place: &str, ends: u8) {
        let path = self.env.root().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(
            &path,
            format!("#!/bin/sh\ncat\necho \" $*\"\nexit {ends}\n"),
        )
        .unwrap();
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, event: &str, data: Option<&Path>) -> Ran {
        let mut command = Command::new(self.shell);
        command
            .arg(plugin().join("scripts/mem.sh"))
            .arg(event)
            .env_clear()
            .env("PATH", self.env.root().join("bin"))
            .env("HOME", self.env.home())
            .env("CLAUDE_PROJECT_DIR", self.env.work())
            .current_dir(self.env.work())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(data) = data {
            command.env("CLAUDE_PLUGIN_DATA", data);
        }
        let mut child = command.spawn().unwrap();
        use std::io::Write as _;
        child.stdin.take().unwrap().write_all(b"{}").unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    }
}

/// The shells that are here: the strictest first.
fn shells() -> Vec<&'static str> {
    let known = ["/bin/dash", "/bin/bash", "/bin/sh"];
    known
        .into_iter()
        .filter(|shell| Path::new(shell).exists())
        .collect()
}

fn quiet() -> Ran {
    (Some(0), String::new(), String::new())
}

#[test]
fn without_the_program_the_user_is_told_once_a_day_and_the_model_never() {
    for shell in shells() {
        let machine = Machine::new(shell);
        let data = machine.env.home().join("data");
        for event in ["stop", "pre-tool-use", "session-end", "no-such-event", ""] {
            assert_eq!(machine.run(event, Some(&data)), quiet(), "{shell} {event}");
        }
        let (code, told, talk) = machine.run("session-start", Some(&data));
        assert_eq!((code, talk.as_str()), (Some(0), ""));
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told.as_object().unwrap().len(), 1);
        assert!(
            told["systemMessage"]
                .as_str()
                .unwrap()
                .contains("cargo install")
        );
        assert_eq!(machine.run("session-start", Some(&data)), quiet());
        assert_eq!(machine.run("user-prompt-submit", Some(&data)), quiet());
        fs::write(data.join("told"), "2020-01-01\n").unwrap();
        assert!(
            machine
                .run("user-prompt-submit", Some(&data))
                .1
                .contains("systemMessage")
        );
        // Where nothing can be remembered, once a session must do.
        for data in [None, Some(Path::new("/dev/null/x"))] {
            assert!(
                machine
                    .run("session-start", data)
                    .1
                    .contains("systemMessage")
            );
            assert_eq!(machine.run("user-prompt-submit", data), quiet(), "{shell}");
        }
    }
}

#[test]
fn the_program_is_found_run_and_its_exit_code_kept_from_the_host() {
    for shell in shells() {
        for place in ["bin/mem", "home/.cargo/bin/mem", "home/.local/bin/mem"] {
            for ends in [0, 1, 2] {
                let machine = Machine::new(shell);
                machine.with_mem(place, ends);
                let ran = machine.run("stop", None);
                let said = "{} hook claude stop\n".to_owned();
                assert_eq!(ran, (Some(0), said, String::new()), "{shell} {place}");
            }
        }
        let machine = Machine::new(shell);
        machine.with_mem("bin/mem", 0);
        assert_eq!(machine.run("mcp", None).1, "{} mcp --plugin\n");
    }
}

#[test]
fn where_the_settings_hook_an_event_already_mem_is_told_of_them() {
    for file in [
        "home/.claude/settings.json",
        "work/.claude/settings.json",
        "work/.claude/settings.local.json",
    ] {
        let machine = Machine::new(shells()[0]);
        machine.with_mem("bin/mem", 0);
        let env = &machine.env;
        let printed = env.mem(["install", "claude-code", "--print"]).assert_ok();
        let path = env.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, r#"{"hooks": {}, "model": "claude"}"#).unwrap();
        assert_eq!(machine.run("stop", None).1, "{} hook claude stop\n");
        // A hook whose program is gone runs nothing: memory is the plugin's to give.
        let gone = printed.stdout.replace("/debug/mem\"", "/debug/gone/mem\"");
        assert_ne!(gone, printed.stdout);
        fs::write(&path, gone).unwrap();
        assert_eq!(machine.run("stop", None).1, "{} hook claude stop\n");
        // As `mem` writes it, and as the host rewrites it: one line for each argument.
        let spread = serde_json::to_string_pretty(&printed.json()).unwrap();
        for text in [printed.stdout.clone(), spread] {
            fs::write(&path, text).unwrap();
            let told = machine.run("stop", None).1;
            assert!(
                told.starts_with("{} hook claude stop --beside=")
                    && told.ends_with(&format!("{file}\n")),
                "{told}"
            );
        }
    }
}

#[test]
fn the_plugin_steps_aside_for_settings_that_the_host_reads_and_tells_of_others() {
    let machine = Machine::new(shells()[0]);
    let env = &machine.env;
    let save = [
        "save",
        "--type",
        "user",
        "--scope",
        "global",
        "--name",
        "Prefers Helix",
    ];
    let more = ["--description", "Edits in Helix", "--body", "No IDE."];
    env.mem(save.iter().chain(&more)).assert_ok();
    std::os::unix::fs::symlink(mem_tests::binary::path(), env.root().join("bin/mem")).unwrap();
    env.mem(["install", "claude-code"]).assert_ok();
    assert_eq!(machine.run("session-start", None), quiet());
    // A person adds a comment: Claude Code skips the whole file then.
    let path = env.root().join("home/.claude/settings.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen('{', "{\n  // mine", 1)).unwrap();
    let given = machine.run("session-start", None).1;
    assert!(given.contains("Prefers Helix"), "{given}");
    let told = "mem: line 2 of `";
    assert!(
        given.contains(told) && given.contains("Claude Code skips such a file"),
        "{given}"
    );
    let doctor = env.mem(["doctor"]);
    let shown = format!("{}{}", doctor.stdout, doctor.stderr);
    let told = "Claude Code hooks: line 2 of `[ENV]/home/.claude/settings.json` has a comment";
    assert!(shown.contains(told), "{shown}");
    assert!(
        shown.contains("`sed -n 2p '[ENV]/home/.claude/settings.json'` shows it"),
        "{shown}"
    );
}

#[test]
fn a_session_that_starts_is_given_memory_by_the_real_program() {
    for shell in shells() {
        let machine = Machine::new(shell);
        let env = &machine.env;
        let save = [
            "save",
            "--type",
            "user",
            "--scope",
            "global",
            "--name",
            "Prefers Helix",
        ];
        let more = ["--description", "Edits in Helix", "--body", "No IDE."];
        env.mem(save.iter().chain(&more)).assert_ok();
        std::os::unix::fs::symlink(mem_tests::binary::path(), env.root().join("bin/mem")).unwrap();
        let (code, given, talk) = machine.run("session-start", None);
        assert_eq!((code, talk.as_str()), (Some(0), ""));
        assert!(given.contains("Prefers Helix"), "{shell}: {given}");
        assert_eq!(machine.run("no-such-event", None).0, Some(0));
    }
}
