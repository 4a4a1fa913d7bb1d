//! `mem install mcp`: the entry of the server in the file that each client reads.

use std::fs;

use mem_tests::TestEnv;
use serde_json::{Value, json};

#[test]
fn each_client_gets_its_entry_where_it_looks_and_loses_it_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let before = env.files_under(repo.path());
    for (client, scope, file, key) in [
        ("claude", "user", "home/.claude.json", "/mcpServers/mem"),
        ("claude", "project", "work/app/.mcp.json", "/mcpServers/mem"),
        ("cursor", "user", "home/.cursor/mcp.json", "/mcpServers/mem"),
        (
            "cursor",
            "project",
            "work/app/.cursor/mcp.json",
            "/mcpServers/mem",
        ),
        (
            "gemini",
            "user",
            "home/.gemini/settings.json",
            "/mcpServers/mem",
        ),
        (
            "gemini",
            "project",
            "work/app/.gemini/settings.json",
            "/mcpServers/mem",
        ),
        (
            "vscode",
            "project",
            "work/app/.vscode/mcp.json",
            "/servers/mem",
        ),
    ] {
        let args = |verb: &'static str| [verb, "mcp", "--client", client, "--scope", scope];
        let told = repo.mem(args("install")).assert_ok();
        assert_eq!(told.stdout, format!("made [ENV]/{file}\n"));
        let path = env.root().join(file);
        let entry: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let entry = entry.pointer(key).unwrap();
        let command = entry["command"].as_str().unwrap();
        assert!(
            command.starts_with('/') && command.ends_with("/mem"),
            "{command}"
        );
        let last = entry["args"].as_array().unwrap().last();
        assert_eq!(last, Some(&json!("mcp")), "{client}");
        assert!(
            repo.mem(args("install"))
                .assert_ok()
                .stdout
                .starts_with("unchanged")
        );
        assert_eq!(
            repo.mem(args("uninstall")).assert_ok().stdout,
            format!("removed [ENV]/{file}\n")
        );
        assert!(!path.exists(), "{client} {scope}");
    }
    let files: Vec<_> = env.files_under(repo.path());
    assert_eq!(files, before);
}

#[test]
fn codex_keeps_its_comments_and_follows_codex_home() {
    let env = TestEnv::new();
    let text = "# mine\nmodel = \"x\"   # why\n\n[mcp_servers.other]\ncommand = \"other\"\n";
    let folder = env.home().join("codex");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("config.toml");
    fs::write(&path, text).unwrap();
    let run = |verb: &str| {
        let args = [verb, "mcp", "--client", "codex"];
        env.invoke(args)
            .env("CODEX_HOME", &folder)
            .run()
            .assert_ok()
    };
    run("install");
    let with = fs::read_to_string(&path).unwrap();
    assert!(
        with.starts_with(text) && with.contains("\n[mcp_servers.mem]\ncommand = \"/"),
        "{with}"
    );
    assert!(with.ends_with("\nargs = [\"mcp\"]\n"), "{with}");
    run("uninstall");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert!(!env.home().join(".codex").exists());
}

#[test]
fn state_that_a_host_keeps_beside_the_entry_stays() {
    let env = TestEnv::new();
    let path = env.home().join(".claude.json");
    let text = "{\n  \"numStartups\": 7,\n  \"projects\": {\"/x\": {\"mcpServers\": {}}}\n}";
    fs::write(&path, text).unwrap();
    env.mem(["install", "mcp", "--client", "claude", "--read-only"])
        .assert_ok();
    let with: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(
        with["mcpServers"]["mem"]["args"],
        json!(["mcp", "--read-only"])
    );
    assert_eq!(with["mcpServers"]["mem"]["type"], "stdio");
    // The host goes on to write its state.
    fs::write(&path, with.to_string().replace(":7", ":8")).unwrap();
    env.mem(["uninstall", "mcp", "--client", "claude"])
        .assert_ok();
    let left: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(
        left,
        json!({"numStartups": 8, "projects": {"/x": {"mcpServers": {}}}})
    );
}

#[test]
fn another_program_of_the_name_and_scopes_without_a_file_are_refused() {
    let env = TestEnv::new();
    let path = env.home().join(".cursor/mcp.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = r#"{"mcpServers": {"mem": {"command": "npx", "args": ["some-mem"]}}}"#;
    fs::write(&path, text).unwrap();
    let output = env
        .mem(["install", "mcp", "--client", "cursor"])
        .assert_code(4);
    assert!(
        output
            .stderr
            .contains("another server called `mem`, which runs `npx`")
    );
    env.mem(["uninstall", "mcp", "--client", "cursor"])
        .assert_ok();
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let reached = r#"{"mcpServers": {"mem": {"url": "http://localhost:8080"}}}"#;
    fs::write(&path, reached).unwrap();
    let output = env
        .mem(["install", "mcp", "--client", "cursor"])
        .assert_code(4);
    assert!(
        output.stderr.contains("another server called `mem`\nhint:"),
        "{}",
        output.stderr
    );
    let args = ["install", "mcp", "--client", "vscode", "--scope", "user"];
    let output = env.mem(args).assert_code(2);
    assert!(
        output
            .stderr
            .contains("keeps no such file for the scope user\nhint: take another --scope\n"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_server_finds_the_memory_of_whoever_installed_it() {
    let env = TestEnv::new();
    let config = env.root().join("elsewhere");
    let install = |client: &str| {
        let args = ["install", "mcp", "--client", client, "--print"];
        let invocation = env.invoke(args).env("CLAUDE_CONFIG_DIR", &config);
        invocation.env("XDG_STATE_HOME", "/state").run().assert_ok()
    };
    let entry = install("gemini").json()["mcpServers"]["mem"].clone();
    let variables = json!({"CLAUDE_CONFIG_DIR": "[ENV]/elsewhere", "XDG_STATE_HOME": "/state"});
    assert_eq!(entry["env"], variables);
    let line = "env = { CLAUDE_CONFIG_DIR = \"[ENV]/elsewhere\", XDG_STATE_HOME = \"/state\" }\n";
    let printed = install("codex").stdout;
    assert!(printed.ends_with(line), "{printed}");
}

#[test]
fn the_plugin_offers_no_tools_beside_a_server_in_the_settings() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let capabilities = || {
        let mut rpc = repo.invoke(["mcp", "--plugin"]).converse();
        let said = rpc.initialize("2025-11-25");
        rpc.finish();
        said["capabilities"].clone()
    };
    assert!(capabilities()["tools"].is_object());
    env.mem(["install", "mcp", "--client", "claude"])
        .assert_ok();
    assert_eq!(capabilities(), json!({}));
    // An entry whose program is gone lists nothing.
    let path = env.home().join(".claude.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("/debug/mem\"", "/debug/gone/mem\"")).unwrap();
    assert!(capabilities()["tools"].is_object());
}
