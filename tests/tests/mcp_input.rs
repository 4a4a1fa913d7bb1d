//! `mem mcp`: clients that send nonsense, too much, or go in the middle.

use mem_tests::TestEnv;
use serde_json::json;

use crate::mcp::{note, served};

#[test]
fn nonsense_is_answered_and_the_server_goes_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    for (line, code, id) in [
        ("this is no JSON\n", -32700, json!(null)),
        ("\0\u{fffd}\x1b[31m\n", -32700, json!(null)),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\n", -32700, json!(null)),
        ("[]\n", -32600, json!(null)),
        ("{\"foo\":1}\n", -32600, json!(null)),
        (
            "{\"jsonrpc\":\"1.0\",\"id\":\"x\",\"method\":\"ping\"}\n",
            -32600,
            json!("x"),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}\n",
            -32600,
            json!(null),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n",
            -32600,
            json!(null),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"no/such\"}\n",
            -32601,
            json!(9),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":7}\n",
            -32602,
            json!(9),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{}}\n",
            -32602,
            json!(9),
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"none\"}}\n",
            -32602,
            json!(9),
        ),
    ] {
        rpc.send_raw(line.as_bytes());
        let answer = rpc.read();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(code), &id),
            "{line}"
        );
    }
    for method in ["no/such", "prompts/list"] {
        let answer = rpc.ask(method, json!({}));
        let message = format!("unknown method `{method}`");
        assert_eq!(answer["error"]["message"], message, "{answer}");
    }
    let deep = format!("{}\n", "[".repeat(100_000));
    rpc.send_raw(deep.as_bytes());
    assert_eq!(rpc.read()["error"]["code"], -32700);
    rpc.send_raw(b"\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/no_such\"}\n");
    assert_eq!(rpc.result("ping", json!({})), json!({}));
}

#[test]
fn a_line_over_16_mib_is_refused_by_its_id() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let megabyte = vec![b'a'; 1 << 20];
    for (start, end, id) in [
        (
            r#"{"id":5,"method":"ping","params":{"x":""#,
            r#""}}"#,
            json!(5),
        ),
        (
            r#"{"params":{"x":""#,
            r#""},"method":"ping","id":"last"}"#,
            json!("last"),
        ),
        (r#"{"id":5,"result":{"x":""#, r#""}}"#, json!(null)),
        (
            r#"{"id":5,"method":"ping","params":{"x":""#,
            "",
            json!(null),
        ),
    ] {
        rpc.send_raw(start.as_bytes());
        for _ in 0..17 {
            rpc.send_raw(&megabyte);
        }
        rpc.send_raw(format!("{end}\n").as_bytes());
        let answer = rpc.read();
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&json!(-32600), &id)
        );
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("16 MiB"), "{message}");
        assert_eq!(rpc.result("ping", json!({})), json!({}));
    }
}

#[test]
fn arguments_that_do_not_fit_are_told_to_the_model() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    for (tool, arguments, told) in [
        ("memory_read", json!({}), "`path` is missing"),
        (
            "memory_read",
            json!({ "path": 7 }),
            "`path` is 7, expected type string",
        ),
        (
            "memory_list",
            json!({ "limt": 7 }),
            "`limt` is not an argument of this tool",
        ),
        (
            "memory_list",
            json!({ "limit": 5000 }),
            "`limit` is 5000, expected 1 to 1000",
        ),
        (
            "memory_search",
            json!({ "query": "" }),
            "`query` has 0 characters, expected at least 1",
        ),
        (
            "memory_search",
            json!({ "query": "a", "limit": 0 }),
            "`limit` is 0, expected 1 to 100",
        ),
        (
            "memory_recall",
            json!({ "prompt": "a", "limit": 51 }),
            "`limit` is 51, expected 1 to 50",
        ),
        (
            "memory_list",
            json!({ "type": "x" }),
            "`type` is `x`, expected one of `user`, `feedback`, `project`, `reference`",
        ),
        (
            "memory_edit",
            json!({ "path": "a", "old_text": "a", "new_text": "b" }),
            "content_sha256",
        ),
        (
            "memory_write",
            json!({ "path": "a", "content": "x", "content_sha256": "x" }),
            "sha256",
        ),
    ] {
        let text = rpc.refused(tool, arguments);
        assert!(
            text.contains(told) && text.contains("hint:"),
            "{tool}: {text}"
        );
        assert!(
            text.contains(&format!("the arguments of `{tool}`")),
            "{text}"
        );
    }
}

#[test]
fn a_whole_number_is_an_integer_however_it_is_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    for name in ["a", "b"] {
        let arguments = json!({ "path": format!("{name}.md"), "content": note(name, "x") });
        rpc.tool("memory_write", arguments);
    }
    let list = rpc.tool("memory_list", json!({ "limit": 1.0 }));
    assert_eq!(list["memories"].as_array().unwrap().len(), 1);
    let text = rpc.refused("memory_list", json!({ "limit": 1.5 }));
    assert!(
        text.contains("`limit` is 1.5, expected type integer"),
        "{text}"
    );
}

#[test]
fn a_request_before_the_handshake_is_an_error_and_a_notification_is_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = repo.invoke(["mcp"]).converse();
    rpc.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1} }));
    rpc.send(&json!({ "jsonrpc": "2.0", "id": 3, "result": {} }));
    let answer = rpc.ask("tools/list", json!({}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(rpc.initialize("2025-11-25")["serverInfo"]["name"], "mem");
    assert_eq!(
        rpc.result("tools/list", json!({}))["tools"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
}

#[test]
fn a_client_that_says_nothing_leaves_no_process() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for input in ["", "\n", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":1,\"meth"] {
        let output = repo.invoke(["mcp"]).stdin(input).run().assert_ok();
        assert_eq!(output.stderr, "");
    }
}

#[test]
fn what_was_asked_before_the_client_went_is_still_done_and_answered() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    for number in 0..8 {
        let content = note(&format!("N{number}"), &format!("Number {number}."));
        let arguments = json!({ "path": format!("n{number}.md"), "content": content });
        rpc.request(
            "tools/call",
            json!({ "name": "memory_write", "arguments": arguments }),
        );
    }
    let (status, answers) = rpc.finish();
    assert!(status.success());
    assert_eq!(answers.len(), 8, "{answers:?}");
    let list = repo.mem(["list", "--json"]).assert_ok().json();
    assert_eq!(list["memories"].as_array().unwrap().len(), 8);
    repo.mem(["check"]).assert_ok();
}

#[test]
fn a_client_that_reads_no_more_ends_the_server_with_every_file_whole() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut child = repo.invoke(["mcp"]).pipes();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let client = json!({ "name": "t", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    use std::io::Write as _;
    let _ = writeln!(stdin, "{hello}");
    // The input stays open: that nobody reads the answer is reason enough.
    child.wait().unwrap();
    drop(stdin);
    repo.mem(["check"]).assert_ok();
}

#[test]
fn a_call_that_is_taken_back_gets_no_answer_and_harms_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let arguments = json!({ "path": "a.md", "content": note("A", "x") });
    let call = json!({ "name": "memory_write", "arguments": arguments });
    let id = rpc.request("tools/call", call);
    let params = json!({ "requestId": id, "reason": "changed my mind" });
    rpc.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    assert_eq!(rpc.result("ping", json!({})), json!({}));
    drop(rpc);
    // It had begun, or it had not; there is no third way.
    let whole = repo.note("a.md").is_none_or(|text| text == note("A", "x"));
    assert!(whole);
    repo.mem(["check"]).assert_ok();
}
