//! What each kind of grant may do by each route: no token for a store removes the store as a whole.

use mem_tests::{Server, TestEnv};
use serde_json::json;

use super::token;

const GRANTS: [&str; 7] = [
    "team:acme/app:read",
    "team:acme/app:write",
    "team:acme/*:write",
    "store:*:write",
    "records:write",
    "*:read",
    "*:write",
];

/// Method, path, body, and for each grant above: `+` done or answered, `-` refused (403), `?` hidden (404). What
/// removes the store comes last.
const ROUTES: [(&str, &str, &str, &str); 11] = [
    ("GET", "TEAM", "", "+++--++"),
    ("GET", "TEAM/log", "", "+++--++"),
    ("PUT", "TEAM", r#"{"entries":{"b.md":"x"}}"#, "-++---+"),
    ("POST", "TEAM/redact", r#"{"key":"a.md"}"#, "-++---+"),
    ("GET", "STORE", "", "+++??++"),
    ("GET", "STORE/memories", "", "+++??++"),
    ("POST", "STORE", r#"{"description":"d"}"#, "-++??-+"),
    (
        "POST",
        "STORE/memories",
        r#"{"path":"/c.md","content":"x"}"#,
        "-++??-+",
    ),
    (
        "POST",
        "STORE/memory_versions/VERSION/redact",
        "",
        "-++??-+",
    ),
    ("POST", "STORE/archive", "", "---??-+"),
    ("DELETE", "STORE", "", "---??-+"),
];

#[test]
fn no_grant_for_a_repository_removes_its_store_as_a_whole() {
    let env = TestEnv::new();
    let tokens = GRANTS.map(|grant| token(&env, &["--grant", grant]));
    let server = Server::start(&env, &[]);
    let all = &tokens[GRANTS.len() - 1];
    let put = server.store("PUT", "acme/app", "").token(all);
    let body = json!({ "entries": { "a.md": "x" } }).to_string();
    put.json(body).send().assert(200);
    let first = |path: &str| {
        let list = server.ask("GET", path).token(all).send();
        list.json()["data"][0]["id"].as_str().unwrap().to_owned()
    };
    let store = format!("/v1/memory_stores/{}", first("/v1/memory_stores"));
    let version = first(&format!("{store}/memory_versions"));
    for (method, path, body, expected) in ROUTES {
        let path = match path.strip_prefix("TEAM") {
            Some(verb) => format!("/api/claude_code/team_memory{verb}?repo=acme/app"),
            None => path.replace("STORE", &store).replace("VERSION", &version),
        };
        let mut told = String::new();
        for token in &tokens {
            let ask = server.ask(method, &path).token(token);
            let ask = match body {
                "" => ask,
                body => ask.json(body),
            };
            told.push(match ask.send().status {
                403 => '-',
                404 => '?',
                _ => '+',
            });
        }
        assert_eq!(told, expected, "{method} {path}");
    }
}

#[test]
fn a_token_for_one_store_does_not_delete_it() {
    let env = TestEnv::new();
    let maker = token(&env, &["--grant", "store:*:write"]);
    let server = Server::start(&env, &[]);
    let made = server.ask("POST", "/v1/memory_stores").token(&maker);
    let made = made.json(r#"{"name":"Notes"}"#).send();
    let store = made.json()["id"].as_str().unwrap().to_owned();
    let one = token(&env, &["--grant", &format!("store:{store}:write")]);
    let path = format!("/v1/memory_stores/{store}");
    let ask = |method: &str, path: &str, token: &str| server.ask(method, path).token(token).send();
    let refused = ask("DELETE", &path, &one);
    refused.assert(403);
    let said = refused.json()["error"]["message"].to_string();
    assert!(said.contains("store:*:write"), "{said}");
    ask("POST", &format!("{path}/archive"), &one).assert(403);
    ask("DELETE", &path, &maker).assert(200);
}
