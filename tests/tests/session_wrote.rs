//! `mem session wrote-memory`: whether the agent wrote memory by itself.

use std::fs;

use mem_tests::{Repo, TestEnv, words};
use serde_json::{Value, json};

/// A transcript of calls that all succeeded: each with its uuid, tool and arguments.
fn transcript(repo: &Repo<'_>, calls: &[(&str, &str, Value)]) -> String {
    let mut text = Vec::new();
    for (uuid, tool, input) in calls {
        let call = json!({"type": "assistant", "uuid": uuid, "message": {"role": "assistant",
            "content": [{"type": "tool_use", "id": uuid, "name": tool, "input": input}]}});
        let result = json!({"type": "user", "uuid": format!("{uuid}-r"), "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": uuid, "content": "x"}]}});
        text.extend([call.to_string(), result.to_string()]);
    }
    let path = repo.path().join("s-1.jsonl");
    fs::write(&path, text.join("\n") + "\n").unwrap();
    path.display().to_string()
}

fn wrote(repo: &Repo<'_>, transcript: &str, since: &str) -> Value {
    let words = [
        "session",
        "wrote-memory",
        "--since",
        since,
        "--transcript",
        transcript,
    ];
    let output = repo.mem(words).assert_ok();
    serde_json::from_slice(&output.stdout_bytes).unwrap()
}

#[test]
fn writes_of_every_kind_count_from_the_record_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let note = repo.memory().join("team/a.md").display().to_string();
    let global = env.base().join("memory/b.md").display().to_string();
    let own = repo.path().join("src/a.rs").display().to_string();
    let calls = [
        ("a", "Write", json!({"file_path": note})),
        ("b", "Edit", json!({"file_path": own})),
        (
            "c",
            "Bash",
            json!({"command": "echo \"mem save\"; grep 'mem edit' x"}),
        ),
        ("d", "MultiEdit", json!({"file_path": global})),
        (
            "e",
            "Bash",
            json!({"command": "cd /tmp && mem save --name x --body y"}),
        ),
        (
            "f",
            "mcp__plugin_mem_mem__memory_edit",
            json!({"path": "a.md"}),
        ),
    ];
    let path = transcript(&repo, &calls);
    let all = wrote(&repo, &path, "a-r");
    assert_eq!(all["wrote"], true);
    assert_eq!(
        all["by"],
        json!(["MultiEdit", "mcp__plugin_mem_mem__memory_edit", "mem save"])
    );
    assert_eq!(all["files"], json!([global, "a.md"]));
    assert_eq!(all["since_found"], true);
    let none = wrote(&repo, &path, "f-r");
    assert_eq!((&none["wrote"], &none["by"]), (&json!(false), &json!([])));
    let unknown = repo.mem([
        "session",
        "wrote-memory",
        "--since",
        "zz",
        "--transcript",
        &path,
    ]);
    let unknown = unknown.assert_ok();
    assert!(
        unknown.stderr.contains("the whole transcript"),
        "{}",
        unknown.stderr
    );
    assert_eq!(
        (&unknown.json()["since_found"], &unknown.json()["wrote"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn work_on_code_alone_is_no_write() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let path = transcript(
        &repo,
        &[("b", "Edit", json!({"file_path": repo.path().join("a.rs")}))],
    );
    assert_eq!(wrote(&repo, &path, "zz")["wrote"], false);
    let missing = repo.mem(words(
        "session wrote-memory --since a --transcript /no/x.jsonl",
    ));
    assert!(missing.assert_code(1).stderr.contains("hint:"));
}
