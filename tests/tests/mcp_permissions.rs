//! What a client of `mem mcp` may do: as far as tiers, settings, secrets and what it has read let it.

use mem_tests::{TestEnv, github_token};
use serde_json::{Value, json};

use crate::mcp::{note, paths, served};
use crate::recall::three_notes;

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
