//! Who may see what: every endpoint and every id with every wrong identity. 404 where a caller may not even
//! read, 403 where they may read and not write, never a hint, and nothing changed.

use mem_tests::Server;
use mem_tests::http::Answer;
use serde_json::{Value, json};

use super::{Bed, ask, id, ok};

/// What one workspace has.
struct Own {
    store: String,
    memory: String,
    version: String,
}

impl Own {
    fn make(server: &Server, token: &str, name: &str) -> Self {
        let made = |rest: &str, body: Value| {
            ok(&ask(server, "POST", rest)
                .token(token)
                .json(body.to_string())
                .send())
        };
        let store = id(&made("", json!({ "name": name })));
        let first = made(
            &format!("/{store}/memories"),
            json!({ "path": "/a", "content": "1" }),
        );
        let at = format!("/{store}/memories/{}", id(&first));
        made(&at, json!({ "content": "2" }));
        Self {
            store,
            memory: id(&first),
            version: first["memory_version_id"].as_str().unwrap().to_owned(),
        }
    }

    /// Every endpoint that names a store, with its ids; reading ones first.
    fn endpoints(&self) -> (Vec<(&'static str, String)>, Vec<(&'static str, String)>) {
        let at = |rest: &str| format!("/{}{rest}", self.store);
        let memory = at(&format!("/memories/{}", self.memory));
        let version = at(&format!("/memory_versions/{}", self.version));
        let reading = vec![
            ("GET", at("")),
            ("GET", at("/memories")),
            ("GET", memory.clone()),
            ("GET", at("/memory_versions")),
            ("GET", version.clone()),
        ];
        let writing = vec![
            ("POST", at("")),
            ("POST", at("/archive")),
            ("POST", at("/memories")),
            ("POST", memory.clone()),
            ("POST", format!("{version}/redact")),
            ("DELETE", memory),
            ("DELETE", at("")),
        ];
        (reading, writing)
    }
}

/// A body that every endpoint takes.
const BODY: &str = r#"{"name":"taken","path":"/new","content":"taken"}"#;

fn send(server: &Server, token: &str, method: &str, rest: &str) -> Answer {
    let ask = ask(server, method, rest).token(token);
    match method {
        "POST" => ask.json(BODY).send(),
        _ => ask.send(),
    }
}

/// All that a store holds, as its owner sees it.
fn state(server: &Server, token: &str, own: &Own) -> Vec<Value> {
    let (reading, _) = own.endpoints();
    let read = |(method, rest): &(&str, String)| ok(&send(server, token, method, rest));
    reading.iter().map(read).collect()
}

#[test]
fn wrong_identities_see_nothing_and_change_nothing() {
    for bed in Bed::both() {
        bed.administer(&["workspace", "create", "other"]);
        let owner = bed.token(&["--name", "owner"]);
        let stranger = bed.token(&["--workspace", "other"]);
        let server = bed.serve();
        let (own, second) = (
            Own::make(&server, &owner, "a"),
            Own::make(&server, &owner, "b"),
        );
        let foreign = Own::make(&server, &stranger, "c");
        let one = format!("store:{}", own.store);
        let blind = [
            stranger.clone(),
            bed.token(&["--workspace", "other", "--grant", "store:*:write"]),
            bed.token(&["--workspace", "other", "--grant", &format!("{one}:write")]),
            bed.token(&["--grant", &format!("store:{}:write", second.store)]),
            bed.token(&[
                "--grant",
                "team:acme/app:write",
                "--grant",
                "team:acme/*:write",
            ]),
        ];
        let readers = [
            bed.token(&["--grant", "*:read"]),
            bed.token(&["--grant", "store:*:read"]),
            bed.token(&[
                "--grant",
                &format!("{one}:read"),
                "--grant",
                "team:a/*:write",
            ]),
        ];
        let before = state(&server, &owner, &own);
        let (reading, writing) = own.endpoints();
        let nothing = format!("/memstore_{}", "0".repeat(24));
        for token in &blind {
            for (method, rest) in reading.iter().chain(&writing) {
                let there = send(&server, token, method, rest);
                assert_eq!(there.assert(404), "not_found_error", "{method} {rest}");
                // The same words as of a store that nobody has.
                let none = rest.replacen(&format!("/{}", own.store), &nothing, 1);
                let none = send(&server, token, method, &none);
                assert_eq!(
                    there.json()["error"],
                    none.json()["error"],
                    "{method} {rest}"
                );
            }
            let listed = ok(&send(
                &server,
                token,
                "GET",
                "?include_archived=true&limit=100",
            ));
            assert!(!listed.to_string().contains(&own.store), "{listed}");
        }
        for token in &readers {
            for (method, rest) in &reading {
                ok(&send(&server, token, method, rest));
            }
            for (method, rest) in &writing {
                let answer = send(&server, token, method, rest);
                assert_eq!(answer.assert(403), "permission_error", "{method} {rest}");
            }
            assert_eq!(
                send(&server, token, "POST", "").assert(403),
                "permission_error"
            );
        }
        let nobody = format!("memtok_{}", "0".repeat(64));
        for (method, rest) in reading.iter().chain(&writing) {
            let answer = send(&server, &nobody, method, rest);
            assert_eq!(
                answer.assert(401),
                "authentication_error",
                "{method} {rest}"
            );
        }
        // Ids of one store within another, and of one kind for another.
        for (store, token) in [(&second.store, &owner), (&foreign.store, &stranger)] {
            for (method, rest) in reading.iter().chain(&writing) {
                let crossed = rest.replacen(&own.store, store, 1);
                if crossed.contains(&own.memory) || crossed.contains(&own.version) {
                    assert_eq!(
                        send(&server, token, method, &crossed).assert(404),
                        "not_found_error"
                    );
                }
            }
        }
        assert_eq!(state(&server, &owner, &own), before);
    }
}

#[test]
fn ids_of_other_kinds_are_not_found() {
    let bed = Bed::new();
    let token = bed.token(&[]);
    let server = bed.serve();
    let own = Own::make(&server, &token, "a");
    let (store, memory, version) = (&own.store, &own.memory, &own.version);
    for rest in [
        format!("/{memory}"),
        format!("/{version}/memories"),
        format!("/{store}/memories/{version}"),
        format!("/{store}/memories/{store}"),
        format!("/{store}/memory_versions/{memory}"),
        format!("/{store}/memories/mem_"),
        format!("/{store}/memories/mem_%00"),
        format!("/{store}/memories/mem_%ff"),
        format!("/{store}/memories/mem_%27%20OR%201=1"),
        format!("/{store}/memories/mem_{}", "a".repeat(2000)),
        "/memstore_..%2f".to_owned(),
        format!("/{}", store.to_uppercase()),
    ] {
        let answer = send(&server, &token, "GET", &rest);
        assert_eq!(answer.assert(404), "not_found_error", "{rest}");
    }
    for filter in [
        "memory_id",
        "api_key_id",
        "session_id",
        "service_account_id",
    ] {
        let rest = format!("/{store}/memory_versions?{filter}={store}");
        assert_eq!(
            send(&server, &token, "GET", &rest).assert(400),
            "invalid_request_error"
        );
    }
}

#[test]
fn a_token_speaks_for_its_workspace_alone() {
    let bed = Bed::new();
    let other = bed.administer(&["workspace", "create", "other"]);
    let token = bed.token(&["--workspace", "other"]);
    let home = bed.token(&[]);
    let server = bed.serve();
    let own = Own::make(&server, &token, "a");
    let named = |token: &str, workspace: &str| {
        let ask = ask(&server, "GET", &format!("/{}", own.store)).token(token);
        ask.header("anthropic-workspace-id", workspace).send()
    };
    let right = named(&token, &other);
    assert_eq!(right.assert(200), "");
    assert_eq!(right.header("anthropic-workspace-id"), Some(other.as_str()));
    assert_eq!(
        named(&token, "wrkspc_default").assert(403),
        "permission_error"
    );
    assert_eq!(named(&home, &other).assert(403), "permission_error");
    assert_eq!(
        named(&home, "wrkspc_default").assert(404),
        "not_found_error"
    );
    // The memory of repositories is in the default one.
    server
        .store("GET", "acme/app", "")
        .token(&home)
        .send()
        .assert(200);
    server
        .store("GET", "acme/app", "")
        .token(&token)
        .send()
        .assert(403);
    let list = bed.administer(&["workspace", "list", "--json"]);
    assert!(
        list.contains("\"other\"") && list.contains("\"default\""),
        "{list}"
    );
}
