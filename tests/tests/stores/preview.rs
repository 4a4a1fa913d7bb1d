//! The research preview: writes by path, `PATCH`, raw prefixes, and types of errors without a suffix.

use mem_tests::Server;
use mem_tests::http::Answer;
use serde_json::{Value, json};

use super::{Bed, ask, id, ok, paths, store};

const PREVIEW: &str = "managed-agents-2026-04-01";

fn send(server: &Server, method: &str, rest: &str, body: &Value) -> Answer {
    let ask = ask(server, method, rest).header("anthropic-beta", PREVIEW);
    ask.json(body.to_string()).send()
}

fn get(server: &Server, rest: &str) -> Value {
    ok(&ask(server, "GET", rest)
        .header("anthropic-beta", PREVIEW)
        .send())
}

fn over_both(test: fn(&Server)) {
    for bed in Bed::both() {
        test(&bed.open());
    }
}

#[test]
fn a_write_by_path_makes_or_replaces() {
    over_both(|server| {
        let store = store(server);
        let all = format!("/{store}/memories");
        let write = |content: &str| {
            let body = json!({ "path": "/p/f.md", "content": content });
            ok(&send(server, "POST", &all, &body))
        };
        let (made, again) = (write("tabs"), write("spaces"));
        assert_eq!(made["id"], again["id"]);
        assert_ne!(made["memory_version_id"], again["memory_version_id"]);
        assert_eq!(write("spaces"), again);
        let only =
            json!({ "path": "/p/f.md", "content": "x", "precondition": { "type": "not_exists" } });
        let taken = send(server, "POST", &all, &only);
        assert_eq!(taken.assert(409), "memory_precondition_failed");
        assert_eq!(taken.header("x-should-retry"), Some("false"));
        // What is there already just as it was asked for is a success, and no new version.
        let mut same = only.clone();
        same["content"] = json!("spaces");
        assert_eq!(ok(&send(server, "POST", &all, &same)), again);
        let below = send(
            server,
            "POST",
            &all,
            &json!({ "path": "/p", "content": "x" }),
        );
        assert_eq!(below.assert(409), "conflict");
        let fresh =
            json!({ "path": "/q", "content": "x", "precondition": { "type": "not_exists" } });
        ok(&send(server, "POST", &all, &fresh));
        let log = get(
            server,
            &format!("/{store}/memory_versions?memory_id={}", id(&made)),
        );
        assert_eq!(log["data"].as_array().unwrap().len(), 2);
        let page = get(server, &format!("{all}?path_prefix=/"));
        assert_eq!(page["data"][0]["size_bytes"], 6);
        assert_eq!(page["data"][0]["content_size_bytes"], 6);
    });
}

#[test]
fn a_memory_is_changed_with_patch_and_renamed_on_a_condition() {
    over_both(|server| {
        let store = store(server);
        let all = format!("/{store}/memories");
        let write = |path: &str| {
            let body = json!({ "path": path, "content": path });
            ok(&send(server, "POST", &all, &body))
        };
        let (a, b) = (write("/a"), write("/b"));
        let at = format!("{all}/{}", id(&a));
        for method in ["PATCH", "POST"] {
            let taken = send(server, method, &at, &json!({ "path": "/b" }));
            assert_eq!(taken.assert(409), "conflict", "{method}");
            let condition = json!({ "path": "/b", "precondition": { "type": "not_exists" } });
            let same = ok(&send(server, method, &at, &condition));
            assert_eq!(
                (&same["path"], &same["id"]),
                (&json!("/a"), &a["id"]),
                "{method}"
            );
        }
        let moved = ok(&send(
            server,
            "PATCH",
            &at,
            &json!({ "path": "/c", "precondition": { "type": "not_exists" } }),
        ));
        assert_eq!((&moved["path"], &moved["id"]), (&json!("/c"), &a["id"]));
        let hash = a["content_sha256"].clone();
        let edit = |hash: &Value, content: &str| {
            let condition = json!({ "type": "content_sha256", "content_sha256": hash });
            send(
                server,
                "PATCH",
                &at,
                &json!({ "content": content, "precondition": condition }),
            )
        };
        assert_eq!(
            edit(&b["content_sha256"], "x").assert(409),
            "memory_precondition_failed"
        );
        assert_eq!(ok(&edit(&hash, "new"))["content_size_bytes"], 3);
    });
}

#[test]
fn a_prefix_is_any_text_and_bounds_of_time_are_flat() {
    over_both(|server| {
        let store = store(server);
        for path in ["/notes/a.md", "/notes-old/a.md", "/other"] {
            let body = json!({ "path": path, "content": "" });
            ok(&send(server, "POST", &format!("/{store}/memories"), &body));
        }
        let found = |query: &str| {
            let page = get(server, &format!("/{store}/memories?{query}"));
            paths(&page).len()
        };
        assert_eq!(
            (found("path_prefix=/notes"), found("path_prefix=/notes/")),
            (2, 1)
        );
        assert_eq!((found("path_prefix="), found("path_prefix=x")), (3, 0));
        let versions = |query: &str| {
            let page = get(server, &format!("/{store}/memory_versions?{query}"));
            page["data"].as_array().unwrap().len()
        };
        assert_eq!(versions("created_at_gte=2020-01-01T00:00:00Z"), 3);
        assert_eq!(versions("created_at_lte=2020-01-01T00:00:00Z"), 0);
        // The current dialect knows neither.
        let now = ask(
            server,
            "GET",
            &format!("/{store}/memories?path_prefix=/notes"),
        )
        .send();
        now.assert(400);
    });
}
