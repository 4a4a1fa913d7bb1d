//! The 14 endpoints without a client's own types: shapes, rules and statuses.

use mem_tests::Server;
use serde_json::{Value, json};

use super::{Bed, ask, id, memory, ok, send, store};

fn over_both(test: fn(&Server)) {
    for bed in Bed::both() {
        test(&bed.open());
    }
}

fn fields(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn stores_have_their_shape_and_their_rules() {
    over_both(|server| {
        let body = json!({ "name": "n", "metadata": { "k": "v" }, "later": [1] });
        let made = ok(&send(server, "POST", "", &body));
        let want = [
            "archived_at",
            "created_at",
            "description",
            "id",
            "metadata",
            "name",
            "type",
            "updated_at",
        ];
        assert_eq!(fields(&made), want);
        assert_eq!(
            (&made["type"], &made["description"]),
            (&json!("memory_store"), &json!(""))
        );
        let at = format!("/{}", id(&made));
        // Writing memories leaves the store as it was.
        memory(server, &id(&made), "/a", "1");
        assert_eq!(ok(&ask(server, "GET", &at).send()), made);
        let patch = json!({ "metadata": { "k": null, "x": "y" }, "name": null });
        let changed = ok(&send(server, "POST", &at, &patch));
        assert_eq!(changed["metadata"], json!({ "x": "y" }));
        assert_ne!(changed["updated_at"], made["updated_at"]);
        let archived = ok(&ask(server, "POST", &format!("{at}/archive")).send());
        assert_eq!(archived["archived_at"], archived["updated_at"]);
        let again = ok(&send(server, "POST", &format!("{at}/archive"), &json!({})));
        assert_eq!(again, archived);
        let frozen = [
            send(server, "POST", &at, &json!({ "name": "m" })),
            send(
                server,
                "POST",
                &format!("{at}/memories"),
                &json!({ "path": "/b", "content": "" }),
            ),
        ];
        for answer in frozen {
            assert_eq!(answer.assert(400), "invalid_request_error");
        }
        assert_eq!(ok(&ask(server, "GET", "").send())["data"], json!([]));
        let gone = ok(&ask(server, "DELETE", &at).send());
        assert_eq!(
            gone,
            json!({ "type": "memory_store_deleted", "id": id(&made) })
        );
        assert_eq!(
            ask(server, "GET", &at).send().assert(404),
            "not_found_error"
        );
    });
}

#[test]
fn what_is_archived_is_still_read_deleted_and_redacted() {
    over_both(|server| {
        let store = store(server);
        let made = memory(server, &store, "/a", "secret words");
        let at = format!("/{store}/memories/{}", id(&made));
        let content = json!({ "content": "two" });
        ok(&send(server, "POST", &at, &content));
        ok(&ask(server, "POST", &format!("/{store}/archive")).send());
        send(server, "POST", &at, &content).assert(400);
        assert_eq!(ok(&ask(server, "GET", &at).send())["content"], "two");
        let version = made["memory_version_id"].as_str().unwrap();
        let redact = format!("/{store}/memory_versions/{version}/redact");
        let cut = ok(&ask(server, "POST", &redact).send());
        assert_eq!(
            (&cut["content"], &cut["path"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(cut["created_by"]["type"], "user_actor");
        assert!(
            cut["redacted_by"]["user_id"]
                .as_str()
                .unwrap()
                .starts_with("user_")
        );
        assert_eq!(ok(&send(server, "POST", &redact, &json!({}))), cut);
        assert_eq!(
            ok(&ask(server, "DELETE", &at).send())["type"],
            "memory_deleted"
        );
    });
}

#[test]
fn memories_and_versions_have_their_shape() {
    over_both(|server| {
        let store = store(server);
        let made = memory(server, &store, "/é", "");
        let want = [
            "content",
            "content_sha256",
            "content_size_bytes",
            "created_at",
            "id",
            "memory_store_id",
            "memory_version_id",
            "path",
            "type",
            "updated_at",
        ];
        assert_eq!(fields(&made), want);
        assert_eq!(
            (&made["content"], &made["content_size_bytes"]),
            (&Value::Null, &json!(0))
        );
        let at = format!("/{store}/memories/{}", id(&made));
        let full = ok(&send(
            server,
            "POST",
            &format!("{at}?view=full"),
            &json!({ "path": "/f" }),
        ));
        assert_eq!(
            (&full["content"], &full["path"]),
            (&json!(""), &json!("/f"))
        );
        let same = ok(&send(
            server,
            "POST",
            &at,
            &json!({ "path": "/f", "content": "" }),
        ));
        assert_eq!(same["memory_version_id"], full["memory_version_id"]);
        ok(&ask(server, "DELETE", &at).send());
        let page = ok(&ask(server, "GET", &format!("/{store}/memory_versions")).send());
        let versions = page["data"].as_array().unwrap();
        let operations: Vec<&str> = versions
            .iter()
            .map(|v| v["operation"].as_str().unwrap())
            .collect();
        assert_eq!(operations, ["deleted", "modified", "created"]);
        for version in versions {
            assert_eq!(version.as_object().unwrap().len(), 13, "{version}");
            assert_eq!(version["memory_id"], made["id"]);
        }
        assert_eq!(versions[0]["content_sha256"], Value::Null);
        assert_eq!(versions[2]["path"], "/é");
        let head = format!("/{store}/memory_versions/{}", id(&versions[2]));
        assert_eq!(ok(&ask(server, "GET", &head).send())["content"], "");
        assert_eq!(
            ok(&ask(server, "GET", &format!("{head}?view=basic")).send())["content"],
            Value::Null
        );
    });
}

#[test]
fn conflicts_say_what_is_in_the_way_and_are_not_to_be_sent_again() {
    over_both(|server| {
        let store = store(server);
        let made = memory(server, &store, "/notes/todo.md", "1");
        let other = memory(server, &store, "/other.md", "2");
        let all = format!("/{store}/memories");
        for path in ["/notes/todo.md", "/notes", "/notes/todo.md/more"] {
            let create = send(
                server,
                "POST",
                &all,
                &json!({ "path": path, "content": "x" }),
            );
            let rename = send(
                server,
                "POST",
                &format!("{all}/{}", id(&other)),
                &json!({ "path": path }),
            );
            for answer in [create, rename] {
                assert_eq!(answer.assert(409), "memory_path_conflict_error");
                assert_eq!(answer.header("x-should-retry"), Some("false"));
                let error = &answer.json()["error"];
                assert_eq!(error["conflicting_memory_id"], made["id"]);
                assert_eq!(error["conflicting_path"], "/notes/todo.md");
            }
        }
        let at = format!("{all}/{}", id(&made));
        let stale = json!({ "content": "x", "precondition":
            { "type": "content_sha256", "content_sha256": "0".repeat(64) } });
        let update = send(server, "POST", &at, &stale);
        let hash = format!("{at}?expected_content_sha256={}", "0".repeat(64));
        for answer in [update, ask(server, "DELETE", &hash).send()] {
            assert_eq!(answer.assert(409), "memory_precondition_failed_error");
            assert_eq!(answer.header("x-should-retry"), Some("false"));
            assert_eq!(answer.json()["error"].as_object().unwrap().len(), 2);
        }
        // What is already as it was asked for is a success, however old the precondition.
        let mut done = stale.clone();
        done["content"] = json!("1");
        assert_eq!(
            ok(&send(server, "POST", &at, &done))["memory_version_id"],
            made["memory_version_id"]
        );
    });
}

#[test]
fn the_usage_of_a_store_counts_what_is_there_and_what_is_kept() {
    over_both(|server| {
        let store = store(server);
        let usage = || {
            let path = format!("/api/memory_stores/{store}/usage");
            let answer = ok(&server.ask("GET", &path).send());
            ["memories", "memory_bytes", "versions", "version_bytes"]
                .map(|name| answer[name].as_u64().unwrap())
        };
        assert_eq!(usage(), [0, 0, 0, 0]);
        let first = memory(server, &store, "/a", "four");
        memory(server, &store, "/b", "é");
        let at = format!("/{store}/memories/{}", id(&first));
        ok(&send(server, "POST", &at, &json!({ "content": "longer" })));
        assert_eq!(usage(), [2, 8, 3, 12]);
        ok(&ask(server, "DELETE", &at).send());
        assert_eq!(usage(), [1, 2, 4, 12]);
        let version = first["memory_version_id"].as_str().unwrap();
        let redact = format!("/{store}/memory_versions/{version}/redact");
        ok(&send(server, "POST", &redact, &json!({})));
        assert_eq!(usage(), [1, 2, 4, 8]);
        let nobody = server.ask("GET", "/api/memory_stores/memstore_0/usage");
        nobody.send().assert(404);
    });
}
