//! Events of GitHub Copilot as 1.0.102 sends them, of Visual Studio Code and Cursor as their documentation has them.

use std::process::Command;

use mem_tests::{Repo, TestEnv, github_token};
use serde_json::{Value, json};

use super::answer;
use crate::mcp::served;

const QUESTION: &str = "How do we indent Go code?";

/// A repository with a memory for a question, and one about a file.
fn repo(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    repo.mem(["init"]).assert_ok();
    repo.write("src/pay.go", "package pay\n");
    for (name, description, body) in [
        ("Tabs", "Indent Go code with tabs", "Always tabs in Go."),
        (
            "Rounding",
            "How money is counted",
            "Amounts are cents, as in `src/pay.go`.",
        ),
    ] {
        let what = ["save", "--type", "feedback", "--name", name];
        let text = ["--description", description, "--body", body];
        repo.mem([&what[..], &text[..]].concat()).assert_ok();
    }
    repo
}

/// What a host is answered.
#[track_caller]
fn fire(env: &TestEnv, host: &str, name: &str, event: &Value) -> Value {
    let mut hook: Command = env.command(mem_tests::binary::path());
    hook.args(["hook", host, name]).current_dir(env.root());
    answer(hook, event.to_string().as_bytes()).unwrap_or_default()
}

#[test]
fn copilot_gets_its_memory_at_each_event() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let fire = |name: &str, kind: &str, more: Value| {
        let mut event = json!({"hook_event_name": kind, "session_id": "s", "timestamp": "2026-11-27T09:32:39.612Z",
            "cwd": repo.path()});
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        fire(&env, "copilot", name, &event)
    };
    let told = |answer: &Value| {
        answer["additionalContext"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let start = fire(
        "session-start",
        "SessionStart",
        json!({"source": "new", "initial_prompt": QUESTION}),
    );
    assert!(told(&start).contains("[Tabs](feedback_tabs.md)"), "{start}");
    assert_eq!(start["hookSpecificOutput"]["hookEventName"], "SessionStart");
    let prompt = fire(
        "user-prompt-submit",
        "UserPromptSubmit",
        json!({"prompt": QUESTION}),
    );
    assert!(told(&prompt).contains("Always tabs in Go."), "{prompt}");
    let file = repo.path().join("src/pay.go");
    let read = json!({"tool_name": "Read", "tool_input": {"path": file}});
    let read = fire("pre-tool-use", "PreToolUse", read);
    assert!(told(&read).contains("Amounts are cents"), "{read}");
    let path = repo.memory().join("team/reference_token.md");
    let write =
        json!({"tool_name": "Write", "tool_input": {"path": path, "file_text": github_token(1)}});
    let write = fire("pre-tool-use", "PreToolUse", write);
    assert_eq!(
        write["hookSpecificOutput"]["permissionDecision"], "deny",
        "{write}"
    );
}

#[test]
fn visual_studio_code_runs_the_hooks_of_copilot() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let event = |kind: &str, tool: &str, input: Value| {
        json!({"hookEventName": kind, "sessionId": "s", "cwd": repo.path(),
            "timestamp": "2026-02-09T10:30:00.000Z", "tool_name": tool, "tool_input": input, "tool_use_id": "1"})
    };
    let read = event(
        "PreToolUse",
        "read_file",
        json!({"filePath": repo.path().join("src/pay.go")}),
    );
    let read = fire(&env, "copilot", "pre-tool-use", &read);
    let text = read["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap_or_default();
    assert!(text.contains("Amounts are cents"), "{read}");
    let path = repo.memory().join("team/reference_token.md");
    for (tool, input) in [
        (
            "create_file",
            json!({"filePath": path, "content": github_token(1)}),
        ),
        (
            "multi_replace_string_in_file",
            json!({"replacements": [{"filePath": path, "oldString": "", "newString": github_token(1)}]}),
        ),
    ] {
        let write = event("PreToolUse", tool, input);
        let write = fire(&env, "copilot", "pre-tool-use", &write);
        assert_eq!(
            write["hookSpecificOutput"]["permissionDecision"], "deny",
            "{tool}: {write}"
        );
    }
}

/// An event of Cursor. A hook of all projects runs in its own folder.
fn cursor_event(repo: &Repo<'_>, kind: &str, more: &Value) -> Value {
    let mut event = json!({"conversation_id": "s", "generation_id": "g", "hook_event_name": kind, "cwd": "",
        "cursor_version": "3.21.18", "workspace_roots": [repo.path()], "transcript_path": null});
    let fields = event.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    event
}

#[test]
fn cursor_gets_memory_at_the_start_and_behind_a_file() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let event = |kind: &str, more: Value| cursor_event(&repo, kind, &more);
    let start = event(
        "sessionStart",
        json!({"is_background_agent": false, "composer_mode": "agent"}),
    );
    let start = fire(&env, "cursor", "session-start", &start);
    let text = start["additional_context"].as_str().unwrap_or_default();
    assert!(text.contains("[Tabs](feedback_tabs.md)"), "{start}");
    let input = json!({"path": repo.path().join("src/pay.go")});
    let read = json!({"tool_name": "Read", "tool_input": input, "tool_output": "{}"});
    let read = fire(&env, "cursor", "post-tool-use", &event("postToolUse", read));
    let text = read["additional_context"].as_str().unwrap_or_default();
    assert!(text.contains("Amounts are cents"), "{read}");
    let path = repo.memory().join("team/reference_token.md");
    for (tool, input) in [
        ("Write", json!({"path": path, "contents": github_token(1)})),
        (
            "StrReplace",
            json!({"path": path, "old_string": "", "new_string": github_token(1)}),
        ),
    ] {
        let write = json!({"tool_name": tool, "tool_input": input});
        let write = fire(&env, "cursor", "pre-tool-use", &event("preToolUse", write));
        assert_eq!(write["permission"], "deny", "{tool}: {write}");
    }
}

#[test]
fn in_cursor_the_hooks_record_what_a_turn_has_read() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let read = |tool: &str, input: Value| {
        let call = json!({"tool_name": tool, "tool_input": input, "tool_output": "x"});
        let event = cursor_event(&repo, "postToolUse", &call);
        fire(&env, "cursor", "post-tool-use", &event);
    };
    let prompt = |text: &str| {
        let event = cursor_event(&repo, "beforeSubmitPrompt", &json!({"prompt": text}));
        fire(&env, "cursor", "turn-start", &event)
    };
    let path = repo.memory().join("feedback_setup.md");
    let text = "---\nname: Setup\ndescription: Before tests\ntype: feedback\n---\n\nRun it.\n";
    let denied = || {
        let call = json!({"tool_name": "Write", "tool_input": {"path": path, "contents": text}});
        let event = cursor_event(&repo, "preToolUse", &call);
        let answer = fire(&env, "cursor", "pre-tool-use", &event);
        answer["agent_message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for (tool, input, reason) in [
        (
            "Shell",
            json!({"command": "curl -s https://wiki.example"}),
            "rests on a web page",
        ),
        (
            "MCP:search_issues",
            json!({"query": "setup"}),
            "rests on an MCP server",
        ),
        (
            "Read",
            json!({"path": repo.memory().join("team/setup.md")}),
            "rests on a colleague",
        ),
    ] {
        assert!(prompt("Look around").is_null(), "a prompt is given nothing");
        assert_eq!(denied(), "", "a new turn");
        read("Shell", json!({"command": "ls"}));
        read("MCP:memory_search", json!({"query": "setup"}));
        assert_eq!(denied(), "");
        read(tool, input);
        let why = denied();
        assert!(why.contains(reason), "{tool}: {why}");
        // The server of `mem` knows no session there: the one that is at work counts.
        let content = text.replace("Run it.", tool);
        let written = json!({"path": "feedback_served.md", "content": content});
        let refused = served(&repo, &[]).refused("memory_write", written);
        assert!(refused.contains(reason), "{tool}: {refused}");
    }
}
