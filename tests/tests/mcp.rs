//! `mem mcp`: the handshake, the tools, and what a client does with them.

use mem_tests::{Repo, Rpc, TestEnv};
use serde_json::{Value, json};

use crate::recall::three_notes;

/// A server in a repository, after the handshake.
#[track_caller]
pub(crate) fn served(repo: &Repo<'_>, flags: &[&str]) -> Rpc {
    let args = ["mcp"].into_iter().chain(flags.iter().copied());
    let mut rpc = repo.invoke(args).converse();
    rpc.initialize("2025-11-25");
    rpc
}

/// A note as a client writes it.
pub(crate) fn note(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is about\ntype: project\n---\n\n{body}\n")
}

pub(crate) fn paths(answer: &Value) -> Vec<&str> {
    let memories = answer["memories"].as_array().unwrap().iter();
    memories.map(|one| one["path"].as_str().unwrap()).collect()
}

#[test]
fn every_version_that_shakes_hands_is_spoken_and_others_get_the_newest() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (asked, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-12-31", "2025-11-25"),
    ] {
        let mut rpc = repo.invoke(["mcp"]).converse();
        let said = rpc.initialize(asked);
        assert_eq!(said["protocolVersion"], spoken, "{asked}");
        assert_eq!(said["serverInfo"]["name"], "mem");
        assert!(
            said["instructions"]
                .as_str()
                .unwrap()
                .contains("memory_recall")
        );
        assert!(said["capabilities"]["tools"].is_object());
        assert!(said["capabilities"]["resources"].is_object());
        assert_eq!(rpc.result("ping", json!({})), json!({}));
        let (status, left) = rpc.finish();
        assert!(status.success() && left.is_empty(), "{left:?}");
    }
}

#[test]
fn the_instructions_name_only_tools_that_are_listed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for flags in [
        &["mcp"][..],
        &["mcp", "--read-only"],
        &["mcp", "--user", "bob"],
        &["mcp", "--user", "bob", "--read-only"],
    ] {
        let mut rpc = repo.invoke(flags).converse();
        let said = rpc.initialize("2025-11-25");
        let listed = rpc.result("tools/list", json!({}));
        let tools: Vec<&str> = listed["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        let words = said["instructions"].as_str().unwrap().split('`');
        for word in words.filter(|word| word.starts_with("memory_")) {
            assert!(tools.contains(&word), "{flags:?}: {word}");
        }
    }
}

#[test]
fn the_newest_version_needs_no_handshake() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = repo.invoke(["mcp"]).converse();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "inline", "version": "1"},
    });
    let said = rpc.result("server/discover", json!({ "_meta": meta }));
    let versions = said["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{said}");
    let call = json!({
        "_meta": meta, "name": "memory_write",
        "arguments": {"path": "a.md", "content": note("A", "one")},
    });
    let result = rpc.result("tools/call", call);
    assert_eq!(result["structuredContent"]["created"], true, "{result}");
    drop(rpc);
    let history = repo.mem(["history", "--json"]).assert_ok().json();
    assert_eq!(history["changes"][0]["host"], "mcp:inline");
}

#[test]
fn tools_say_what_they_do_take_and_give() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let tools = rpc.result("tools/list", json!({}));
    let hint = |tool: &Value, name: &str| tool["annotations"][name].as_bool().unwrap();
    let lines = tools["tools"].as_array().unwrap().iter().map(|tool| {
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
        assert!(!hint(tool, "openWorldHint"));
        let words = [
            ("readOnlyHint", "reads"),
            ("destructiveHint", "destroys"),
            ("idempotentHint", "again"),
        ];
        let words = words.iter().filter(|(name, _)| hint(tool, name));
        let words: Vec<&str> = words.map(|(_, word)| *word).collect();
        format!("{}: {}", tool["name"].as_str().unwrap(), words.join(" "))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
    memory_list: reads again
    memory_search: reads again
    memory_read: reads again
    memory_write: destroys again
    memory_edit: destroys
    memory_delete: destroys
    memory_store: destroys again
    memory_retrieve: reads again
    memory_recall: reads again
    session_notes: reads again
    ");
}

#[test]
fn a_note_is_written_read_edited_and_deleted_and_a_person_takes_it_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let content = note("Freeze", "Nothing is merged after Thursday.");
    let reason = "the person said so";
    let arguments = json!({ "path": "project_freeze.md", "content": content, "reason": reason });
    let written = rpc.tool("memory_write", arguments.clone());
    assert_eq!(
        (&written["created"], &written["path"]),
        (&json!(true), &json!("project_freeze.md"))
    );
    assert_eq!(repo.note("project_freeze.md"), Some(content.clone()));
    let line = "- [Freeze](project_freeze.md) — What Freeze is about\n";
    assert_eq!(repo.note("MEMORY.md").as_deref(), Some(line));
    let again = rpc.tool("memory_write", arguments);
    assert_eq!(
        (&again["created"], &again["change"]),
        (&json!(false), &Value::Null)
    );

    let read = rpc.tool("memory_read", json!({ "path": "project_freeze" }));
    assert_eq!(
        (&read["content"], &read["caution"]),
        (&json!(content), &Value::Null)
    );
    let edit = json!({
        "path": "project_freeze.md", "content_sha256": read["content_sha256"],
        "old_text": "name: Freeze", "new_text": "name: Merge freeze",
    });
    let edited = rpc.tool("memory_edit", edit);
    assert_ne!(edited["content_sha256"], read["content_sha256"]);
    assert_eq!(
        repo.note("MEMORY.md").unwrap(),
        line.replace("[Freeze]", "[Merge freeze]")
    );

    let mut gone = json!({ "path": "project_freeze.md" });
    for (given, told) in [
        (None, "`reason` is missing"),
        (Some(" "), "`reason` is empty"),
    ] {
        if let Some(reason) = given {
            gone["reason"] = json!(reason);
        }
        let refused = rpc.refused("memory_delete", gone.clone());
        assert!(
            refused.contains(told) && refused.contains("hint:"),
            "{refused}"
        );
        assert!(repo.note("project_freeze.md").is_some());
    }
    gone["reason"] = json!("the freeze is\nover");
    let deleted = rpc.tool("memory_delete", gone);
    assert!(deleted["change"].is_string());
    let trail = repo.mem(["log-audit", "--json"]).assert_ok().json();
    assert_eq!(trail["entries"][0]["reason"], "the freeze is over");
    assert_eq!(repo.note("project_freeze.md"), None);
    assert!(
        rpc.refused("memory_read", json!({ "path": "project_freeze.md" }))
            .contains("hint:")
    );
    drop(rpc);
    let history = repo.mem(["history", "--json"]).assert_ok().json();
    for change in history["changes"].as_array().unwrap() {
        assert_eq!(
            (&change["actor"], &change["host"]),
            (&json!("agent"), &json!("mcp:tester"))
        );
    }
    assert_eq!(history["changes"][2]["reason"], reason);
    repo.mem(["undo"]).assert_ok();
    assert!(
        repo.note("project_freeze.md")
            .unwrap()
            .contains("Merge freeze")
    );
}

#[test]
fn a_list_comes_in_pages() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for number in 0..5 {
        repo.edit_note(&format!("n{number}.md"), &note("N", "x"));
    }
    let mut rpc = served(&repo, &[]);
    let mut seen = Vec::new();
    let mut after = Value::Null;
    loop {
        let mut arguments = json!({ "limit": 2 });
        if after.is_string() {
            arguments["after"] = after;
        }
        let page = rpc.tool("memory_list", arguments);
        assert_eq!(page["total"], 5);
        seen.extend(paths(&page).into_iter().map(str::to_owned));
        after = page["next"].clone();
        if after.is_null() {
            break;
        }
    }
    assert_eq!(seen, ["n0.md", "n1.md", "n2.md", "n3.md", "n4.md"]);
}

#[test]
fn a_new_note_that_says_what_another_says_is_told_of_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let same = repo.note("feedback_no_mocks.md").unwrap();
    let mut rpc = served(&repo, &[]);
    let arguments = json!({ "path": "feedback_again.md", "content": same });
    let warnings = rpc.tool("memory_write", arguments)["warnings"].to_string();
    assert!(
        warnings.contains("`feedback_no_mocks.md` says much the same"),
        "{warnings}"
    );
    let other = note(
        "Holidays",
        "The office is closed in the last week of December.",
    );
    let arguments = json!({ "path": "project_holidays.md", "content": other });
    assert_eq!(rpc.tool("memory_write", arguments)["warnings"], json!([]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_names_the_notes_that_cannot_be_read() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use crate::check::WITHOUT_PRIVILEGE;

    let env = TestEnv::new();
    let repo = env.repo("app");
    let content = note("Freeze", "Nothing is merged after Thursday.");
    let write = json!({ "path": "project_freeze.md", "content": content });
    served(&repo, &[]).tool("memory_write", write);
    let file = repo.memory().join("project_freeze.md");
    set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
    let server = repo.invoke(["mcp"]).through_shell(WITHOUT_PRIVILEGE);
    let mut rpc = server.converse();
    rpc.initialize("2025-11-25");
    let found = rpc.tool("memory_search", json!({ "query": "merged" }));
    assert_eq!(found["memories"], json!([]));
    let warning = found["warnings"][0].as_str().unwrap();
    assert!(warning.contains("project_freeze.md"), "{warning}");
}
