//! What is wrong with a request gets its status and the envelope; nothing is stored, nothing is quoted.

use std::io::Write as _;
use std::net::Shutdown;

use mem_tests::http::{Answer, Ask, connect};
use mem_tests::{Server, TestEnv};
use serde_json::json;

use super::{get, put};

/// What must never be in a log.
const PRIVATE: &str = "quite private words";

/// A body that would be taken.
fn body() -> String {
    json!({ "entries": { "new.md": PRIVATE } }).to_string()
}

fn requests(server: &Server) -> Vec<(&'static str, u16, Ask)> {
    let put = |more: &str| server.store("PUT", "acme/app", more);
    let path = "/api/claude_code/team_memory";
    let large = json!({ "entries": { "new.md": "x".repeat(300_000) } }).to_string();
    let chunked = |body: &str| {
        let piece = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        let ask = put("").header("content-type", "application/json");
        ask.header("transfer-encoding", "chunked").raw_body(piece)
    };
    let deep = format!("{{\"x\":{}", "[".repeat(10_000));
    vec![
        ("unknown query", 400, put("&x=1").json(body())),
        ("query twice", 400, put("&repo=acme/app").json(body())),
        ("no repository", 400, server.ask("PUT", path).json(body())),
        (
            "bad repository",
            400,
            server.store("PUT", "acme", "").json(body()),
        ),
        (
            "traversal",
            400,
            server.store("PUT", "../x", "").json(body()),
        ),
        (
            "query not UTF-8",
            400,
            server.store("PUT", "acme/%ff", "").json(body()),
        ),
        (
            "unknown view",
            400,
            server.store("GET", "acme/app", "&view=all"),
        ),
        (
            "bad key",
            400,
            server.store("GET", "acme/app", "&keys=..%2Fx"),
        ),
        ("no JSON", 400, put("").json(&body()[1..])),
        ("other JSON", 400, put("").json("[]")),
        ("empty", 400, put("").json("")),
        (
            "field twice",
            400,
            put("").json(r#"{"entries":{},"entries":{"new.md":"x"}}"#),
        ),
        ("deep", 400, put("").json(deep)),
        (
            "lone surrogate",
            400,
            put("").json(r#"{"entries":{"new.md":"\ud800"},"delete":0}"#),
        ),
        (
            "not UTF-8",
            400,
            put("").json(b"{\"entries\":{\"new.md\":\"\xff\"}}".to_vec()),
        ),
        ("too large", 413, put("").json(large.clone())),
        ("too large in pieces", 413, chunked(&large)),
        (
            "packed",
            415,
            put("")
                .header("content-encoding", "gzip")
                .json(vec![0x1f, 0x8b, 8]),
        ),
        (
            "of another type",
            415,
            put("").header("content-type", "text/plain").body(body()),
        ),
        ("of no type", 415, put("").body(body())),
        (
            "another method",
            405,
            server.store("DELETE", "acme/app", ""),
        ),
        ("another address", 404, server.ask("GET", "/v1/nothing")),
        (
            "a page of a foreign site",
            403,
            put("").header("origin", "https://a.example").json(body()),
        ),
        (
            "a foreign name",
            403,
            put("")
                .without("host")
                .header("host", "a.example")
                .json(body()),
        ),
    ]
}

#[test]
fn bad_requests_are_refused_and_leave_nothing() {
    let env = TestEnv::new();
    let server = Server::start(&env, &["--insecure-no-auth", "--log", "json"]);
    let before = put(&server, "a.md", PRIVATE).etag();
    for (what, status, ask) in requests(&server) {
        let answer = ask.send();
        assert_eq!(
            answer.status,
            status,
            "{what}: {}",
            String::from_utf8_lossy(&answer.body)
        );
        answer.assert(status);
        assert!(
            !String::from_utf8_lossy(&answer.body).contains("private"),
            "{what}"
        );
    }
    let after = get(&server);
    assert_eq!(after.etag(), before);
    let log = server.end();
    assert!(
        !log.contains("private") && !log.contains("new.md") && !log.contains("acme"),
        "{log}"
    );
    for line in log.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["timestamp"].is_string(), "{line}");
    }
}

#[test]
fn a_bad_key_costs_that_key_only() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let body = r#"{"entries":{"good.md":"x","twice.md":"1","twice.md":"2","../up.md":"x","n.md":7},
                   "delete":["/abs"]}"#;
    let answer = server.store("PUT", "acme/app", "").json(body).send();
    answer.assert(200);
    let rejected = answer.json()["rejected"].as_object().unwrap().clone();
    let codes: Vec<(&str, &str)> = rejected
        .iter()
        .map(|(name, why)| (name.as_str(), why["code"].as_str().unwrap()))
        .collect();
    let want = [
        ("../up.md", "invalid_key"),
        ("/abs", "invalid_key"),
        ("n.md", "form"),
        ("twice.md", "duplicate"),
    ];
    assert_eq!(codes, want);
    let entries = get(&server).json()["entries"].clone();
    assert_eq!(entries.as_object().unwrap().len(), 1);
}

#[test]
fn lying_lengths_and_slow_clients_are_answered() {
    let env = TestEnv::new();
    let limits = [
        "--insecure-no-auth",
        "--head-timeout",
        "1",
        "--body-timeout",
        "1",
    ];
    let server = Server::start(&env, &limits);
    let put = |length: usize| {
        let ask = server
            .store("PUT", "acme/app", "")
            .header("content-type", "application/json");
        ask.header("content-length", length.to_string())
            .raw_body(body())
    };
    put(body().len() - 5).send().assert(400);
    put(body().len() + 5).send_all().assert(400);
    assert_eq!(put(body().len() + 5).send().assert(408), "timeout_error");
    // Announced, not sent: refused before it is waited for.
    let huge = put(10_000_000).header("expect", "100-continue");
    huge.raw_body("").send().assert(413);
    let mut slow = connect(server.address);
    slow.write_all(b"GET /healthz HTTP/1.1\r\nhost: loc")
        .unwrap();
    assert_eq!(Answer::read(slow).status, 408);
    let silent = connect(server.address);
    assert_eq!(Answer::read(silent).status, 0);
    let gone = connect(server.address);
    gone.shutdown(Shutdown::Both).unwrap();
    assert_eq!(get(&server).json()["entries"], json!({}));
}

#[test]
fn heads_that_are_too_large_or_no_http_get_the_envelope_and_end_the_connection() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let long = "x".repeat(100_000);
    let answer = server
        .ask("GET", "/healthz")
        .header("x-long", long.as_str())
        .send();
    let many = (0..101).fold(server.ask("GET", "/healthz"), |ask, number| {
        ask.header(&format!("x-{number}"), "y")
    });
    let many = many.send();
    assert!(many.json().to_string().contains("more than 100 headers"));
    let mut answers = vec![(431, answer), (431, many)];
    for garbage in [
        &b"\x16\x03\x01 hello\r\n\r\n"[..],
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
        b"\r\n\r\n\0\r\n\r\n",
    ] {
        let mut other = connect(server.address);
        other.write_all(garbage).unwrap();
        answers.push((400, Answer::read(other)));
    }
    for (status, answer) in answers {
        assert_eq!(answer.assert(status), "invalid_request_error");
        let id = answer.json()["request_id"].as_str().unwrap().to_owned();
        assert!(id.starts_with("req_"), "{id}");
        assert_eq!(answer.header("request-id"), Some(id.as_str()));
    }
    server.ask("GET", "/healthz").send().assert(200);
}
