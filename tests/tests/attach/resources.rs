//! Memories of attached stores as resources of MCP.

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::Bed;
use crate::mcp::served;

fn uris(page: &Value) -> Vec<&str> {
    let resources = page["resources"].as_array().unwrap().iter();
    resources.map(|one| one["uri"].as_str().unwrap()).collect()
}

#[test]
fn they_are_listed_and_read_like_notes_and_offline_too() {
    let env = TestEnv::new();
    let memories = [
        ("/spring.md", "one\n"),
        ("/a b/100%.txt", "two\n"),
        ("/empty", ""),
    ];
    let (mut bed, store) = Bed::with(&env, &memories);
    let mut rpc = served(&bed.repo, &[]);
    let page = rpc.result("resources/list", json!({}));
    assert_eq!(
        uris(&page),
        [
            "memory://attached/notes/a%20b/100%25.txt",
            "memory://attached/notes/empty",
            "memory://attached/notes/spring.md"
        ]
    );
    let kinds: Vec<&Value> = page["resources"].as_array().unwrap().iter().collect();
    let kinds: Vec<&str> = kinds
        .iter()
        .map(|one| one["mimeType"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["text/plain", "text/plain", "text/markdown"]);
    assert_eq!(page["resources"][2]["name"], "/memories/notes/spring.md");
    for resource in page["resources"].as_array().unwrap() {
        let read = rpc.result("resources/read", json!({ "uri": resource["uri"] }));
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert_eq!(text.len() as u64, resource["size"].as_u64().unwrap());
    }
    let templates = rpc.result("resources/templates/list", json!({}));
    let templates = templates["resourceTemplates"].as_array().unwrap();
    assert_eq!(
        templates[1]["uriTemplate"],
        "memory://attached/{store}/{+path}"
    );
    for uri in [
        "memory://attached/notes/none.md",
        "memory://attached/notes",
        "memory://attached/notes/",
        "memory://attached/notes/../notes/spring.md",
        "memory://attached/notes/%2e%2e/spring.md",
        "memory://attached/other/spring.md",
        "memory://attached//spring.md",
    ] {
        let answer = rpc.ask("resources/read", json!({ "uri": uri }));
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
    }
    // What changed there is what is read, and with the server away what was there last.
    bed.put(&store, "/spring.md", "changed\n");
    env.advance(60);
    rpc.finish();
    let mut rpc = served(&bed.repo, &[]);
    let read = json!({ "uri": "memory://attached/notes/spring.md" });
    let text = rpc.result("resources/read", read.clone());
    assert_eq!(text["contents"][0]["text"], "changed\n");
    rpc.finish();
    bed.kill();
    env.advance(60);
    let mut rpc = served(&bed.repo, &[]);
    let text = rpc.result("resources/read", read.clone());
    assert_eq!(text["contents"][0]["text"], "changed\n");
    assert_eq!(uris(&rpc.result("resources/list", json!({}))).len(), 3);
    rpc.finish();
    // A client that was given some tiers only sees no store.
    let mut rpc = served(&bed.repo, &["--scope", "private"]);
    assert_eq!(uris(&rpc.result("resources/list", json!({}))).len(), 0);
    assert_eq!(rpc.ask("resources/read", read)["error"]["code"], -32002);
    let templates = rpc.result("resources/templates/list", json!({}));
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 1);
    rpc.finish();
}
