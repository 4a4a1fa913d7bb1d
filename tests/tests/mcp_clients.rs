//! `mem mcp` through real clients: the official Python client, which holds every answer to the schema
//! of its tool, and the command line of the MCP inspector.

use std::path::Path;

use mem_tests::{Repo, TestEnv, binary, clients};
use serde_json::{Value, json};

use crate::recall::three_notes;

fn session(repo: &Repo<'_>, env: &TestEnv, mode: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/mcp_session.py");
    let mut command = env.command(clients::python());
    command
        .arg(script)
        .arg(binary::path())
        .arg(mode)
        .current_dir(repo.path());
    let output = command.output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_official_python_client_is_content_with_every_answer() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    // The handshake of old, and the way without one.
    for mode in ["legacy", "auto", "2026-07-28"] {
        let seen = session(&repo, &env, mode);
        let expected = json!({
            "tools": ["memory_list", "memory_search", "memory_read", "memory_write", "memory_edit",
                "memory_delete", "memory_store", "memory_retrieve", "memory_recall", "session_notes"],
            "empty": [0, 0], "created": true, "read": true, "index": true, "edited": true,
            "stale": [true, true], "listed": 1, "found": true, "recalled": [true],
            "resources": 2, "texts": true, "templates": 1, "session": true, "deleted": true,
        });
        assert_eq!(seen, expected, "{mode}");
    }
}

/// The answer of the inspector's command line to one method.
fn inspect(repo: &Repo<'_>, env: &TestEnv, args: &[&str]) -> Value {
    let inspector = clients::node_modules().join("@modelcontextprotocol/inspector");
    let mut command = env.command("node");
    command
        .arg(inspector.join("cli/build/cli.js"))
        .arg("--cli")
        .arg(binary::path())
        .arg("mcp")
        .args(args)
        .current_dir(repo.path());
    let output = command.output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {talk}");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{talk}"))
}

#[test]
fn the_inspector_lists_calls_and_reads() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let tools = inspect(&repo, &env, &["--method", "tools/list"]);
    assert_eq!(tools["tools"].as_array().unwrap().len(), 10);
    let call = [
        "--method",
        "tools/call",
        "--tool-name",
        "memory_read",
        "--tool-arg",
    ];
    let read: Vec<&str> = call
        .into_iter()
        .chain(["path=project_release.md"])
        .collect();
    let note = inspect(&repo, &env, &read);
    assert_eq!(
        note["structuredContent"]["name"], "Release procedure",
        "{note}"
    );
    let resources = inspect(&repo, &env, &["--method", "resources/list"]);
    assert_eq!(resources["resources"].as_array().unwrap().len(), 3);
    let uri = "memory://private/reference_grafana.md";
    let text = inspect(&repo, &env, &["--method", "resources/read", "--uri", uri]);
    assert!(
        text["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("grafana.example.org")
    );
}
