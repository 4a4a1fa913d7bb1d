//! Attached stores over MCP: the six tools with `store`, and paths below `/memories/<slug>`.

use mem_tests::{TestEnv, github_token};
use serde_json::{Value, json};

use super::Bed;
use crate::mcp::served;

#[test]
fn the_six_tools_work_in_a_store() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let store = bed.create("Release Notes");
    bed.put(
        &store,
        "/spring.md",
        "The parser of configuration files was rewritten.\n",
    );
    bed.put(
        &store,
        "/deep/autumn.md",
        "Nothing but dependency updates.\n",
    );
    bed.attach(&[&store]).assert_ok();
    let mut rpc = served(&bed.repo, &[]);
    // What only notes have is left out by `null`.
    let arguments = json!({ "store": "release-notes", "type": null });
    let listed = rpc.tool("memory_list", arguments);
    let paths: Vec<&Value> = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["path"])
        .collect();
    assert_eq!(paths, ["/deep/autumn.md", "/spring.md"]);
    let below = rpc.tool(
        "memory_list",
        json!({ "store": store, "path_prefix": "/deep" }),
    );
    assert_eq!(below["memories"].as_array().unwrap().len(), 1);
    let found = rpc.tool(
        "memory_search",
        json!({ "store": "release-notes", "query": "parser configuration" }),
    );
    assert_eq!(found["memories"][0]["path"], "/spring.md", "{found}");
    assert_eq!(found["memories"][0]["lines"][0]["line"], 1);
    let read = rpc.tool(
        "memory_read",
        json!({ "path": "/memories/release-notes/spring.md" }),
    );
    let sha256 = read["content_sha256"].clone();
    let edit = json!({
        "path": "/memories/release-notes/spring.md", "old_text": "rewritten", "new_text": "made anew",
        "content_sha256": sha256,
    });
    rpc.tool("memory_edit", edit.clone());
    assert!(bed.cat(&store, "/spring.md").unwrap().contains("made anew"));
    let said = rpc.refused("memory_edit", edit);
    assert!(said.contains("is not what you read"), "{said}");
    let written = rpc.tool(
        "memory_write",
        json!({ "store": "release-notes", "path": "/winter.md", "content": "snow\n" }),
    );
    assert_eq!(
        (&written["created"], &written["changed"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(bed.cat(&store, "/winter.md").as_deref(), Some("snow\n"));
    let found = rpc.tool(
        "memory_search",
        json!({ "store": "release-notes", "query": "snow" }),
    );
    assert_eq!(found["memories"][0]["path"], "/winter.md");
    rpc.tool(
        "memory_delete",
        json!({ "store": "release-notes", "path": "/winter.md" }),
    );
    assert_eq!(bed.cat(&store, "/winter.md"), None);
    let found = rpc.tool(
        "memory_search",
        json!({ "store": "release-notes", "query": "snow" }),
    );
    assert_eq!(found["memories"], json!([]));
    // What is wrong is told, and nothing of it is written.
    let occupied = rpc.refused(
        "memory_write",
        json!({ "store": "release-notes", "path": "/deep", "content": "x" }),
    );
    assert!(occupied.contains("cannot stand beside"), "{occupied}");
    rpc.refused(
        "memory_write",
        json!({ "store": "release-notes", "path": "/spring.md/x", "content": "x" }),
    );
    rpc.refused(
        "memory_write",
        json!({ "store": "release-notes", "path": "/../x", "content": "x" }),
    );
    rpc.refused("memory_read", json!({ "store": "nowhere", "path": "/x" }));
    let token = github_token(3);
    let said = rpc.refused(
        "memory_write",
        json!({ "store": "release-notes", "path": "/key", "content": token }),
    );
    assert!(!said.contains(&token), "{said}");
    // The project's own notes are where they were.
    let own = rpc.tool("memory_list", json!({}));
    assert_eq!(own["total"], 0);
    rpc.finish();
    assert_eq!(bed.count(&store), 2);
}

#[test]
fn tools_offer_a_store_only_where_one_is_attached_and_read_only_holds() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let store = bed.create("Notes");
    bed.put(&store, "/a.md", "a\n");
    let offers = |rpc: &mut mem_tests::Rpc| {
        let tools = rpc.result("tools/list", json!({}));
        let tools = tools["tools"].as_array().unwrap().clone();
        tools
            .iter()
            .filter(|tool| !tool["inputSchema"]["properties"]["store"].is_null())
            .count()
    };
    let mut rpc = served(&bed.repo, &[]);
    assert_eq!(offers(&mut rpc), 0);
    bed.attach(&[&store, "--access", "read_only"]).assert_ok();
    assert_eq!(offers(&mut rpc), 6);
    let arguments = json!({ "store": "notes", "path": "/b.md", "content": "b" });
    let said = rpc.refused("memory_write", arguments.clone());
    assert!(said.contains("read-only"), "{said}");
    rpc.refused(
        "memory_delete",
        json!({ "store": "notes", "path": "/a.md" }),
    );
    rpc.tool("memory_read", json!({ "store": "notes", "path": "/a.md" }));
    rpc.finish();
    bed.attach(&[&store, "--access", "read_write"]).assert_ok();
    // A client that was given nothing to write, or some tiers only.
    let mut rpc = served(&bed.repo, &["--read-only"]);
    assert_eq!(offers(&mut rpc), 3);
    rpc.refused("memory_write", arguments);
    rpc.finish();
    let mut rpc = served(&bed.repo, &["--scope", "private"]);
    assert_eq!(offers(&mut rpc), 0);
    rpc.refused("memory_read", json!({ "store": "notes", "path": "/a.md" }));
    rpc.finish();
}

#[test]
fn calls_go_on_while_the_server_is_away() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[("/a.md", "the first\n"), ("/gone.md", "x")]);
    let mut rpc = served(&bed.repo, &[]);
    let offers = rpc.result("tools/list", json!({}));
    let written = json!({ "store": "notes", "path": "/b.md", "content": "the second\n" });
    let answer = rpc.tool("memory_write", written.clone());
    let unsent = |answer: &Value| answer["unsent"].as_str().unwrap_or_default().to_owned();
    assert!(unsent(&answer).contains("waits to be sent"), "{answer}");
    let edit = json!({ "path": "/memories/notes/a.md", "old_text": "first", "new_text": "1st" });
    let answer = rpc.tool("memory_edit", edit);
    assert!(unsent(&answer).contains("waits to be sent"), "{answer}");
    let gone = json!({ "store": "notes", "path": "/gone.md" });
    let answer = rpc.tool("memory_delete", gone);
    assert!(unsent(&answer).contains("waits to be sent"), "{answer}");
    for tool in offers["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let declares = tool["outputSchema"].to_string().contains("\"unsent\"");
        let writes = ["memory_write", "memory_edit", "memory_delete"].contains(&name);
        assert_eq!(declares, writes, "{name}");
    }
    // The memory tool says so too.
    let said = bed.create_file("/memories/notes/c.md", "the third\n");
    assert!(said.contains("waits to be sent"), "{said}");
    let listed = rpc.tool("memory_list", json!({ "store": "notes" }));
    assert_eq!(listed["memories"].as_array().unwrap().len(), 3);
    let found = rpc.tool(
        "memory_search",
        json!({ "store": "notes", "query": "second" }),
    );
    assert_eq!(found["memories"][0]["path"], "/b.md");
    rpc.finish();
    bed.revive();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.cat(&store, "/b.md").as_deref(), Some("the second\n"));
    assert_eq!(bed.count(&store), 3);
    let mut rpc = served(&bed.repo, &[]);
    let answer = rpc.tool("memory_write", written);
    assert!(answer["unsent"].is_null(), "{answer}");
    rpc.finish();
}
