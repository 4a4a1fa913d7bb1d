//! What a client of any generation sends around its requests.

use serde_json::json;

use super::{Bed, STORES, ask, ok};

const CURRENT: &str = "agent-memory-2026-07-22";
const PREVIEW: &str = "managed-agents-2026-04-01";

#[test]
fn every_generation_of_client_is_served() {
    let bed = Bed::new();
    let token = bed.token(&[]);
    let server = bed.serve();
    let ask = |method: &str, rest: &str| ask(&server, method, rest);
    for (auth, value) in [
        ("x-api-key", token.clone()),
        ("authorization", format!("Bearer {token}")),
    ] {
        for version in [None, Some("2023-06-01"), Some("2026-10-21")] {
            for beta in [
                None,
                Some(CURRENT),
                Some(PREVIEW),
                Some("x,agent-memory-2026-07-22"),
            ] {
                for query in ["", "?beta=true"] {
                    let headers = [("anthropic-version", version), ("anthropic-beta", beta)];
                    let asks = |method: &str| {
                        let mut one = ask(method, query).header(auth, value.as_str());
                        for (name, value) in headers {
                            if let Some(value) = value {
                                one = one.header(name, value);
                            }
                        }
                        one
                    };
                    let made = asks("POST").json(json!({ "name": "n" }).to_string()).send();
                    let id = super::id(&ok(&made));
                    assert!(
                        made.header("anthropic-workspace-id")
                            .unwrap()
                            .starts_with("wrkspc_")
                    );
                    ok(&asks("GET").send());
                    // An empty body with a type, without one, and an empty object.
                    let archive = || {
                        ask("POST", &format!("/{id}/archive{query}")).header(auth, value.as_str())
                    };
                    ok(&archive().header("content-length", "0").send());
                    ok(&archive().json("").send());
                    ok(&archive().json("{}").send());
                }
            }
        }
    }
}

#[test]
fn both_dialects_at_once_are_none() {
    let bed = Bed::new();
    let server = bed.open();
    let both = [
        vec![format!("{CURRENT},{PREVIEW}")],
        vec![PREVIEW.to_owned(), CURRENT.to_owned()],
        vec![format!("x, {PREVIEW} , y,{CURRENT}")],
    ];
    for values in both {
        let mut create = ask(&server, "POST", "").json(r#"{"name":"n"}"#);
        for value in values {
            create = create.header("anthropic-beta", value);
        }
        assert_eq!(create.send().assert(400), "invalid_request_error");
    }
    assert_eq!(ok(&ask(&server, "GET", "").send())["data"], json!([]));
}

#[test]
fn errors_of_routes_and_limits_speak_the_dialect_too() {
    let bed = Bed::new();
    let server = bed.open();
    for (method, rest, status, word) in [
        ("GET", "/memstore_none", 404, "not_found"),
        ("GET", "/memstore_none/nothing", 404, "not_found"),
        ("PUT", "/memstore_none", 405, "invalid_request"),
        ("GET", "?limit=0", 400, "invalid_request"),
    ] {
        let now = ask(&server, method, rest).send();
        assert_eq!(now.assert(status), format!("{word}_error"), "{rest}");
        let then = ask(&server, method, rest)
            .header("anthropic-beta", PREVIEW)
            .send();
        assert_eq!(then.assert(status), word, "{rest}");
    }
    let large = ask(&server, "POST", "").json(" ".repeat(2_000_000)).send();
    assert_eq!(large.assert(413), "invalid_request_error");
    let patch = ask(&server, "PATCH", "/memstore_a/memories/mem_a")
        .json("{}")
        .send();
    patch.assert(405);
    assert!(!patch.header("allow").unwrap().contains("PATCH"));
    assert_eq!(server.ask("GET", &format!("{STORES}/")).send().status, 404);
}
