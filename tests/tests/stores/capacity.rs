//! The most memories that a store holds, over HTTP.

use std::thread;

use mem_tests::Server;
use serde_json::{Value, json};

use super::{Bed, ask, id, memory, ok, send, store};

/// The limit of the contract.
const MEMORIES_MAX: usize = 10_000;
/// Connections at a time.
const WRITERS: usize = 8;
/// So many keys fit into one PUT of the team protocol.
const PUT_KEYS: usize = 2_000;

/// Holds for a store with as many memories as there may be: nothing new, everything else.
fn is_full(server: &Server, store: &str) {
    let all = format!("/{store}/memories");
    let new = json!({ "path": "/one-too-many", "content": "x" });
    let refused = send(server, "POST", &all, &new);
    assert_eq!(refused.assert(400), "invalid_request_error");
    let message = refused.json()["error"]["message"].to_string();
    assert!(
        message.contains("10000") || message.contains("10,000"),
        "{message}"
    );
    let preview = ask(server, "POST", &all).header("anthropic-beta", "managed-agents-2026-04-01");
    assert_eq!(preview.json(new.to_string()).send().status, 400);
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "memory_write", "arguments": { "store": store, "path": "/one-too-many", "content": "x" } },
    });
    let mcp = server
        .ask("POST", "/mcp")
        .header("accept", "application/json, text/event-stream");
    let told = mcp.json(call.to_string()).send().json();
    assert_eq!(told["result"]["isError"], true, "{told}");
    assert!(told.to_string().contains("takes no more"), "{told}");
    // Changes, moves and deletions go on, and a deletion makes room for one.
    let one = ok(&ask(server, "GET", &format!("{all}?limit=1")).send())["data"][0].clone();
    let at = format!("{all}/{}", id(&one));
    ok(&send(server, "POST", &at, &json!({ "content": "changed" })));
    ok(&send(server, "POST", &at, &json!({ "path": "/moved.md" })));
    assert_eq!(send(server, "POST", &all, &new).status, 400);
    ok(&ask(server, "DELETE", &at).send());
    ok(&send(server, "POST", &all, &new));
    let another = json!({ "path": "/one-too-many-again", "content": "x" });
    assert_eq!(send(server, "POST", &all, &another).status, 400);
}

fn create_all(server: &Server, store: &str) {
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            scope.spawn(move || {
                for number in (writer..MEMORIES_MAX).step_by(WRITERS) {
                    memory(
                        server,
                        store,
                        &format!("/{}/{number}.md", number % 100),
                        "x",
                    );
                }
            });
        }
    });
}

#[test]
fn a_store_that_is_full_takes_changes_and_nothing_new() {
    let bed = Bed::new();
    let server = bed.open();
    let store = store(&server);
    create_all(&server, &store);
    is_full(&server, &store);
}

#[test]
fn so_does_a_repositorys_store_whichever_door_filled_it() {
    for bed in Bed::both() {
        let server = bed.open();
        let put = |entries: serde_json::Map<String, Value>| {
            let body = json!({ "entries": entries }).to_string();
            ok(&server.store("PUT", "acme/app", "").json(body).send())
        };
        for from in (0..MEMORIES_MAX).step_by(PUT_KEYS) {
            let keys = from..from + PUT_KEYS;
            let answer = put(keys.map(|at| (format!("{at}.md"), json!("x"))).collect());
            assert!(
                answer["rejected"]
                    .as_object()
                    .is_none_or(serde_json::Map::is_empty),
                "{answer}"
            );
        }
        let page = ok(&ask(&server, "GET", "").send());
        let store = id(&page["data"][0]);
        is_full(&server, &store);
        let answer = put([("by-the-team.md".to_owned(), json!("x"))]
            .into_iter()
            .collect());
        assert_eq!(answer["rejected"].as_object().unwrap().len(), 1, "{answer}");
    }
}
