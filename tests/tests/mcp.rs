//! `mem mcp`: the handshake, the tools, and what a client may do with them.

use mem_tests::{Repo, Rpc, TestEnv, github_token};
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

fn paths(answer: &Value) -> Vec<&str> {
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
fn what_is_not_what_the_client_read_is_left_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let arguments = json!({ "path": "a.md", "content": note("A", "one one") });
    let sha256 = rpc.tool("memory_write", arguments)["content_sha256"].clone();
    let edit = |old: &str, sha256: &Value| json!({ "path": "a.md", "content_sha256": sha256, "old_text": old, "new_text": "two" });
    let told = rpc.refused("memory_edit", edit("one", &sha256));
    assert!(
        told.contains("occurs 2 times") && told.contains("hint: take more"),
        "{told}"
    );
    let told = rpc.refused("memory_edit", edit("three", &sha256));
    assert!(told.contains("occurs 0 times"), "{told}");
    let foreign = note("A", "by hand");
    repo.edit_note("a.md", &foreign);
    let before = env.files_under(&repo.memory());
    for (tool, arguments) in [
        ("memory_edit", edit("one one", &sha256)),
        (
            "memory_write",
            json!({ "path": "a.md", "content": "x", "content_sha256": sha256 }),
        ),
        (
            "memory_write",
            json!({ "path": "b.md", "content": "x", "content_sha256": sha256 }),
        ),
        (
            "memory_delete",
            json!({ "path": "a.md", "content_sha256": sha256 }),
        ),
    ] {
        let told = rpc.refused(tool, arguments);
        assert!(
            told.contains("is not what you read") && told.contains("memory_read"),
            "{told}"
        );
    }
    assert_eq!(env.files_under(&repo.memory()), before);
}

#[test]
fn a_tier_that_is_not_served_is_not_there() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let save = |scope: &str, name: &str| {
        let description = "Integration tests hit a real PostgreSQL database";
        let args = [
            "save", "--type", "feedback", "--scope", scope, "--name", name,
        ];
        repo.mem(
            args.iter()
                .chain(&["--description", description, "--body", "x"]),
        )
        .assert_ok();
    };
    save("global", "Database everywhere");
    save("team", "Database of the team");
    let mut all = served(&repo, &[]);
    let everywhere = all.tool("memory_list", json!({}));
    assert_eq!(everywhere["total"], 5);
    let global = "global:feedback_database_everywhere.md";
    assert!(paths(&everywhere).contains(&global));
    assert_eq!(
        all.tool("memory_read", json!({ "path": global }))["scope"],
        "global"
    );
    let team = all.tool(
        "memory_read",
        json!({ "path": "team:feedback_database_of_the_team.md" }),
    );
    assert!(team["author"].is_string(), "{team}");
    let prefixed = all.tool("memory_list", json!({ "prefix": "team:feedback_" }));
    assert_eq!(paths(&prefixed), ["team:feedback_database_of_the_team.md"]);

    let mut rpc = served(&repo, &["--scope", "private", "--scope", "team"]);
    assert_eq!(rpc.tool("memory_list", json!({}))["total"], 4);
    let question = "may I mock the database in the integration tests?";
    let asked = json!({ "query": question });
    let found = rpc.tool("memory_search", asked);
    assert!(
        !paths(&found).is_empty() && !paths(&found).contains(&global),
        "{found}"
    );
    let recalled = rpc.tool("memory_recall", json!({ "prompt": question }));
    assert!(
        paths(&recalled).contains(&"feedback_no_mocks.md"),
        "{recalled}"
    );
    assert!(!paths(&recalled).contains(&global));
    assert!(
        recalled["context"]
            .as_str()
            .unwrap()
            .starts_with("<memories>")
    );
    for (tool, more) in [
        ("memory_read", json!({})),
        ("memory_write", json!({ "content": "x" })),
    ] {
        let mut arguments = json!({ "path": global });
        arguments
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let told = rpc.refused(tool, arguments);
        assert!(told.contains("there is no tier `global` here"), "{told}");
    }
}

#[test]
fn a_client_that_may_only_read_is_shown_no_other_tool_and_gets_none() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let mut rpc = served(&repo, &["--read-only"]);
    let tools = rpc.result("tools/list", json!({}));
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names.len(), 6);
    assert!(!names.contains(&"memory_write"));
    let before = env.files_under(&repo.memory());
    let told = rpc.refused("memory_write", json!({ "path": "a.md", "content": "x" }));
    assert!(told.contains("only reads"), "{told}");
    rpc.refused("memory_delete", json!({ "path": "feedback_no_mocks.md" }));
    assert_eq!(env.files_under(&repo.memory()), before);
}

#[test]
fn secrets_are_refused_for_the_team_and_warned_of_elsewhere() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let token = github_token(1);
    let content = note("Token", &format!("It is {token}."));
    let told = rpc.refused(
        "memory_write",
        json!({ "path": "team:a.md", "content": content }),
    );
    assert!(
        told.contains("holds a secret") && !told.contains(&token),
        "{told}"
    );
    assert_eq!(repo.note("team/a.md"), None);
    let written = rpc.tool(
        "memory_write",
        json!({ "path": "a.md", "content": content }),
    );
    let warnings = written["warnings"].to_string();
    assert!(
        warnings.contains("looks like a secret") && !warnings.contains(&token),
        "{warnings}"
    );
}

#[test]
fn where_memory_is_off_every_tool_says_how_it_is_switched_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let invocation = repo.invoke(["mcp"]).env("MEM_MEMORY_ENABLED", "false");
    let mut rpc = invocation.converse();
    rpc.initialize("2025-11-25");
    let told = rpc.refused("memory_list", json!({}));
    assert!(
        told.contains("memory is off here") && told.contains("hint: unset"),
        "{told}"
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
fn what_a_person_has_to_agree_to_waits_in_the_inbox() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let mut rpc = served(&repo, &[]);
    let before = env.files_under(&repo.memory());
    let told = rpc.refused(
        "memory_write",
        json!({ "path": "a.md", "content": note("A", "x") }),
    );
    assert!(
        told.contains("put aside for a person") && told.contains("mem inbox"),
        "{told}"
    );
    let path = json!({ "path": "project_release.md", "reason": "it is out" });
    assert!(
        rpc.refused("memory_delete", path.clone())
            .contains("put aside")
    );
    assert_eq!(env.files_under(&repo.memory()), before);
    repo.mem(["config", "set", "memory.write", "read-only"])
        .assert_ok();
    let told = rpc.refused("memory_delete", path);
    assert!(told.contains("read-only for agents"), "{told}");
    let waiting = repo.mem(["inbox", "--json"]).assert_ok().json();
    assert_eq!(waiting["entries"].as_array().unwrap().len(), 2, "{waiting}");
}

#[test]
fn notes_of_sessions_are_as_private_as_the_private_tier() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &["--scope", "team"]);
    let tools = rpc.result("tools/list", json!({}));
    assert_eq!(tools["tools"].as_array().unwrap().len(), 9);
    let told = rpc.refused("session_notes", json!({}));
    assert!(told.contains("there is no tier `private` here"), "{told}");
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
