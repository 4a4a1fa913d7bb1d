//! What `/mcp` is given by strangers: who they are, and messages that are none.

use mem_tests::http::Answer;
use serde_json::{Value, json};

use super::tools::{call, say};
use super::{Bed, ok, send, store};

const LIST: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;

/// The code of an error of JSON-RPC, with the status that it came with.
#[track_caller]
fn fault(answer: &Answer) -> (u16, i64) {
    let told = answer.json();
    assert_eq!(told["jsonrpc"], "2.0", "{told}");
    (answer.status, told["error"]["code"].as_i64().unwrap())
}

#[test]
fn nobody_gets_in_without_a_token_that_counts() {
    let bed = Bed::new();
    let (token, ended) = (bed.token(&[]), bed.token(&["--name", "ended"]));
    let server = bed.serve();
    let listed: Value = serde_json::from_str(LIST).unwrap();
    let tools = ok(&say(&server, &token, &listed));
    assert_eq!(
        (
            tools["id"].as_i64(),
            tools["result"]["tools"][5]["name"].as_str()
        ),
        (Some(7), Some("memory_delete"))
    );
    let key = server
        .ask("POST", "/mcp")
        .json(LIST)
        .header("x-api-key", &token);
    ok(&key.send());
    let wrong = format!("{}x", &token[..token.len() - 1]);
    for token in ["", "none", wrong.as_str()] {
        let answer = say(&server, token, &listed);
        assert_eq!(answer.assert(401), "authentication_error");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    let tokens: Value =
        serde_json::from_str(&bed.administer(&["token", "list", "--json"])).unwrap();
    let mut tokens = tokens.as_array().unwrap().iter();
    let token_id = tokens.find(|one| one["name"] == "ended").unwrap()["id"].clone();
    bed.administer(&["token", "revoke", token_id.as_str().unwrap()]);
    say(&server, &ended, &listed).assert(401);
    let log = server.end();
    assert!(!log.contains(&token) && !log.contains(&wrong), "{log}");
}

#[test]
fn a_server_without_tokens_answers_no_pages_of_elsewhere() {
    let bed = Bed::new();
    let server = bed.open();
    let post = || server.ask("POST", "/mcp").json(LIST);
    ok(&post().send());
    ok(&post().header("origin", "http://localhost:3000").send());
    post()
        .header("origin", "https://evil.example")
        .send()
        .assert(403);
    post()
        .without("host")
        .header("host", "evil.example")
        .send()
        .assert(403);
}

#[test]
fn a_token_is_of_no_use_to_pages_of_elsewhere() {
    let bed = Bed::new();
    let token = bed.token(&[]);
    let server = bed.serve();
    let post = |origin: &str| {
        let post = server.ask("POST", "/mcp").json(LIST).token(&token);
        post.header("origin", origin).send()
    };
    ok(&post("http://localhost:3000"));
    let answer = post("https://evil.example");
    answer.assert(403);
    let told = answer.json()["error"]["message"].to_string();
    assert!(told.contains("the origin `https://evil.example`"), "{told}");
}

#[test]
fn messages_that_are_none_are_told_so() {
    let bed = Bed::new();
    let server = bed.open();
    let post = |body: &str| server.ask("POST", "/mcp").json(body).send();
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"x","params":{}"#,
        "[".repeat(100_000)
    );
    for (body, code) in [
        ("", -32700),
        ("nonsense", -32700),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32700),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\ud800"}}"#,
            -32700,
        ),
        (deep.as_str(), -32700),
        (&format!("[{LIST}]"), -32600),
        (r#"{"id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, -32600),
    ] {
        assert_eq!(fault(&post(body)), (400, code), "{body:.80}");
    }
    let asked = |method: &str, params: Value| {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        fault(&post(&body.to_string())).1
    };
    assert_eq!(asked("memory/none", json!({})), -32601);
    assert_eq!(
        asked("tools/call", json!({ "name": "memory_none" })),
        -32602
    );
    assert_eq!(asked("tools/call", json!({ "name": 7 })), -32602);
    assert_eq!(
        asked(
            "tools/call",
            json!({ "name": "memory_list", "arguments": [] })
        ),
        -32602
    );
    assert_eq!(
        post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).status,
        202
    );
}

#[test]
fn requests_of_another_form_are_refused() {
    let bed = Bed::new();
    let server = bed.open();
    let at = |method: &str| server.ask(method, "/mcp");
    for method in ["GET", "DELETE", "PUT", "PATCH"] {
        at(method).send().assert(405);
    }
    at("POST").body(LIST).send().assert(415);
    at("POST")
        .body(LIST)
        .header("content-type", "text/plain")
        .send()
        .assert(415);
    at("POST")
        .json(LIST)
        .header("content-encoding", "gzip")
        .send()
        .assert(415);
    at("POST")
        .json(LIST)
        .header("mcp-protocol-version", "1999-01-01")
        .send()
        .assert(400);
    let large = format!("{LIST}{}", " ".repeat(1024 * 1024));
    at("POST").json(large).send().assert(413);
    // What clients send along that is not needed does no harm, nor does what they leave out.
    for accept in [
        "application/json",
        "text/event-stream, application/json",
        "*/*",
    ] {
        ok(&at("POST").json(LIST).header("accept", accept).send());
    }
    ok(&at("POST")
        .json(LIST)
        .header("mcp-session-id", "of another server")
        .send());
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        ok(&at("POST")
            .json(LIST)
            .header("mcp-protocol-version", version)
            .send());
        let hello = json!({ "protocolVersion": version, "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" } });
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
        let hello = ok(&at("POST").json(hello.to_string()).send());
        assert_eq!(hello["result"]["protocolVersion"], version);
        assert!(
            hello["result"]["instructions"]
                .as_str()
                .unwrap()
                .contains("memory_search")
        );
    }
}

#[test]
fn hostile_arguments_store_nothing() {
    let bed = Bed::new();
    let server = bed.open();
    let id = store(&server);
    let long = format!("/{}", "a".repeat(1024));
    let many = "/a".repeat(21);
    for path in [
        "",
        "/",
        "a.md",
        "//a",
        "/a/",
        "/a/../b",
        "/.",
        "/a\u{0}",
        "/a\n",
        "/a\u{202e}b",
        "/a\u{2028}",
        "/e\u{301}.md",
        "/\u{feff}a",
        &long,
        &many,
    ] {
        for (tool, given) in [
            ("write", json!({ "path": path, "content": "x" })),
            ("read", json!({ "path": path })),
            (
                "edit",
                json!({ "path": path, "old_text": "a", "new_text": "b" }),
            ),
            ("delete", json!({ "path": path })),
        ] {
            let told = call(&server, "", tool, &given).unwrap_err();
            assert!(told.contains("do not fit"), "{path:?}: {told}");
            assert!(
                !told.contains(['\u{202e}', '\u{0}', '\u{2028}']),
                "{told:?}"
            );
        }
    }
    let text = "a".repeat(102_401);
    for (tool, given) in [
        ("write", json!({ "path": "/a.md", "content": text })),
        ("write", json!({ "path": "/a.md", "content": null })),
        (
            "write",
            json!({ "path": "/a.md", "content": "x", "extra": 1 }),
        ),
        (
            "write",
            json!({ "path": "/a.md", "content": "x", "store": 7 }),
        ),
        (
            "write",
            json!({ "path": "/a.md", "content": "x", "content_sha256": "0" }),
        ),
        ("search", json!({ "query": "" })),
        ("search", json!({ "query": "a".repeat(4_097) })),
        ("search", json!({ "query": "a", "limit": 51 })),
        ("list", json!({ "limit": 0 })),
        ("list", json!({ "path_prefix": "a/" })),
        ("list", json!({ "after": "/a/" })),
    ] {
        assert!(
            call(&server, "", tool, &given).is_err(),
            "{tool}: {given:.60}"
        );
    }
    let query = "'; DROP TABLE memory; -- \" ) OR 1=1 %\u{0}\\";
    let found = call(
        &server,
        "",
        "search",
        &json!({ "query": query, "store": id }),
    )
    .unwrap();
    assert_eq!(found["memories"], json!([]));
    let listed = call(&server, "", "list", &json!({})).unwrap();
    assert_eq!(listed["memories"], json!([]));
}

#[test]
fn the_name_that_sdks_keep_for_themselves_is_not_written() {
    let bed = Bed::new();
    let server = bed.open();
    let id = store(&server);
    let path = "/.anthropic-memory-store";
    let write = |path: &str| json!({ "path": path, "content": "x" });
    for path in [path, "/.anthropic-memory-store/below"] {
        let told = call(&server, "", "write", &write(path)).unwrap_err();
        assert!(
            told.contains("SDKs") && told.contains("another path"),
            "{told}"
        );
    }
    call(&server, "", "write", &write("/.anthropic-memory-stores")).unwrap();
    // An SDK that wrote there is answered, and what it wrote can be read and taken away.
    let made = send(
        &server,
        "POST",
        &format!("/{id}/memories"),
        &json!({ "path": path, "content": "theirs" }),
    );
    ok(&made);
    let edit = json!({ "path": path, "old_text": "theirs", "new_text": "mine" });
    let told = call(&server, "", "edit", &edit).unwrap_err();
    assert!(told.contains("SDKs"), "{told}");
    let read = call(&server, "", "read", &json!({ "path": path })).unwrap();
    assert_eq!(read["content"], "theirs");
    call(&server, "", "delete", &json!({ "path": path })).unwrap();
}
