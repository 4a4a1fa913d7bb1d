//! Bad input: one over every limit, and JSON that two readers would read in two ways. Each has its status,
//! the envelope, and leaves nothing behind.

use mem_tests::Server;
use serde_json::{Value, json};

use super::{Bed, ask, id, memory, ok, send, store};

fn over_both(test: fn(&Server)) {
    for bed in Bed::both() {
        test(&bed.open());
    }
}

fn pairs(count: usize) -> Value {
    (0..count)
        .map(|n| (format!("k{n}"), json!("v")))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn bad_stores() -> Vec<(&'static str, String)> {
    let of = |name: &str, field: &str, value: Value| {
        let mut body = json!({ "name": name });
        body[field] = value;
        body.to_string()
    };
    vec![
        ("no name", "{}".to_owned()),
        ("empty name", of("", "x", json!(1))),
        ("long name", of(&"é".repeat(256), "x", json!(1))),
        ("control character", of("a\u{7}", "x", json!(1))),
        ("name of another type", of("n", "name", json!(["n"]))),
        ("null name", of("n", "name", Value::Null)),
        (
            "long description",
            of("n", "description", json!("é".repeat(1025))),
        ),
        ("17 pairs", of("n", "metadata", pairs(17))),
        ("empty key", of("n", "metadata", json!({ "": "v" }))),
        (
            "long key",
            of("n", "metadata", json!({ "k".repeat(65): "v" })),
        ),
        (
            "long value",
            of("n", "metadata", json!({ "k": "v".repeat(513) })),
        ),
        (
            "value of another type",
            of("n", "metadata", json!({ "k": 1 })),
        ),
        ("null value", of("n", "metadata", json!({ "k": null }))),
        ("metadata of another type", of("n", "metadata", json!("k"))),
        ("a key twice", r#"{"name":"n","name":"m"}"#.to_owned()),
        (
            "a key twice below",
            r#"{"name":"n","x":{"a":1,"a":2}}"#.to_owned(),
        ),
        (
            "a key twice in two spellings",
            r#"{"name":"n","\u006eame":"m"}"#.to_owned(),
        ),
        ("half a pair", r#"{"name":"\ud800"}"#.to_owned()),
        (
            "half a pair where nobody looks",
            r#"{"name":"n","x":"\udfff"}"#.to_owned(),
        ),
        (
            "deep",
            format!(
                r#"{{"name":"n","x":{}{}}}"#,
                "[".repeat(500),
                "]".repeat(500)
            ),
        ),
        (
            "very deep",
            format!(r#"{{"name":"n","x":{}"#, "[".repeat(500_000)),
        ),
        ("a list", "[]".to_owned()),
        ("a text", r#""n""#.to_owned()),
        ("nothing", String::new()),
        ("half", r#"{"name":"n""#.to_owned()),
        ("more", r#"{"name":"n"}{}"#.to_owned()),
        ("NUL", "{\"name\":\"n\0\"}".to_owned()),
    ]
}

#[test]
fn bad_stores_are_refused() {
    over_both(|server| {
        for (what, body) in bad_stores() {
            let answer = ask(server, "POST", "").json(body).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{what}");
        }
        let not_utf8 = ask(server, "POST", "")
            .json(&b"{\"name\":\"\xff\"}"[..])
            .send();
        not_utf8.assert(400);
        let message = not_utf8.json()["error"]["message"].to_string();
        assert!(message.contains("not UTF-8"), "{message}");
        let page = ask(server, "POST", "").body(r#"{"name":"n"}"#).send();
        assert_eq!(page.assert(400), "invalid_request_error");
        let packed = ask(server, "POST", "").header("content-encoding", "gzip");
        packed.json(r#"{"name":"n"}"#).send().assert(400);
        assert_eq!(ok(&ask(server, "GET", "").send())["data"], json!([]));
        let full = ok(&send(
            server,
            "POST",
            "",
            &json!({ "name": "é".repeat(255), "metadata": pairs(16) }),
        ));
        let at = format!("/{}", id(&full));
        let over = json!({ "metadata": { "one more": "v" } });
        assert_eq!(
            send(server, "POST", &at, &over).assert(400),
            "invalid_request_error"
        );
        let instead = json!({ "metadata": { "one more": "v", "k0": null } });
        ok(&send(server, "POST", &at, &instead));
        for body in [
            json!({ "name": "" }),
            json!({ "name": 1 }),
            json!({ "description": "x".repeat(1025) }),
        ] {
            assert_eq!(
                send(server, "POST", &at, &body).assert(400),
                "invalid_request_error"
            );
        }
    });
}

#[test]
fn a_body_that_is_no_json_is_told_why() {
    over_both(|server| {
        let deep = format!("{{\"x\":{}", "[".repeat(100));
        for (body, why) in [
            ("", "is empty"),
            ("\u{feff}{\"name\":\"n\"}", "byte order mark"),
            (r#"{"name":"\ud800"}"#, "lone surrogate"),
            (r#"{"name":"n","x":1e999}"#, "too large"),
            (r#"{"name":"n","name":"n"}"#, "a key is there twice"),
            (deep.as_str(), "nested too deeply"),
        ] {
            let answer = ask(server, "POST", "").json(body).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{body}");
            let message = answer.json()["error"]["message"].to_string();
            assert!(message.contains(why), "{body}: {message}");
        }
    });
}

fn bad_paths() -> Vec<String> {
    let mut paths: Vec<String> = [
        "",
        "/",
        "a",
        "a/b",
        "//a",
        "/a/",
        "/a//b",
        "/.",
        "/..",
        "/a/../b",
        "/./a",
        "/a\u{0}",
        "/a\nb",
        "/\u{1b}[2J",
        "/a\u{7f}",
        "/a\u{85}",
        "/a\u{200b}",
        "/a\u{202e}b",
        "/\u{feff}a",
        "/a\u{ad}b",
        "/a\u{2028}b",
        "/a\u{2029}",
        "/e\u{301}.md",
        "/\u{212b}",
        "/\u{e0041}",
    ]
    .map(str::to_owned)
    .into();
    paths.push("/a".repeat(21));
    paths.push(format!("/{}", "a".repeat(1024)));
    paths.push(format!("/{}", "é".repeat(512)));
    paths
}

#[test]
fn bad_memories_are_refused() {
    over_both(|server| {
        let store = store(server);
        let all = format!("/{store}/memories");
        let kept = memory(server, &store, "/kept", "kept");
        let at = format!("{all}/{}", id(&kept));
        for path in bad_paths() {
            let create = send(
                server,
                "POST",
                &all,
                &json!({ "path": path, "content": "x" }),
            );
            let rename = send(server, "POST", &at, &json!({ "path": path }));
            for answer in [create, rename] {
                assert_eq!(answer.assert(400), "invalid_request_error", "{path:?}");
            }
        }
        for content in ["x".repeat(102_401), "é".repeat(51_201)] {
            let create = send(
                server,
                "POST",
                &all,
                &json!({ "path": "/new", "content": content }),
            );
            let change = send(server, "POST", &at, &json!({ "content": content }));
            for answer in [create, change] {
                assert_eq!(answer.assert(413), "invalid_request_error");
            }
        }
        for body in [
            r#"{"path":"/new"}"#,
            r#"{"path":"/new","content":null}"#,
            r#"{"path":"/new","content":1}"#,
            r#"{"path":null,"content":""}"#,
            r#"{"path":"/new","content":"\ud83d"}"#,
            r#"{"path":"/new","path":"/new2","content":""}"#,
            r#"{"path":"/new","content":"","content":""}"#,
        ] {
            let answer = ask(server, "POST", &all).json(body).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{body}");
        }
        for body in [
            json!({}),
            json!({ "content": null, "path": null }),
            json!({ "content": "x", "precondition": {} }),
            json!({ "content": "x", "precondition": { "type": "content_sha256" } }),
            json!({ "content": "x", "precondition": { "type": "content_sha256", "content_sha256": "A".repeat(64) } }),
            json!({ "content": "x", "precondition": { "type": "not_exists" } }),
            json!({ "content": "x", "precondition": { "type": "other" } }),
            json!({ "content": "x", "precondition": "x" }),
        ] {
            let answer = send(server, "POST", &at, &body);
            assert_eq!(answer.assert(400), "invalid_request_error", "{body}");
        }
        let delete = ask(server, "DELETE", &format!("{at}?expected_content_sha256=x")).send();
        assert_eq!(delete.assert(400), "invalid_request_error");
        let head = format!(
            "/{store}/memory_versions/{}/redact",
            kept["memory_version_id"].as_str().unwrap()
        );
        let redact = ask(server, "POST", &head).send();
        assert_eq!(redact.assert(400), "invalid_request_error");
        assert!(
            redact.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains("new version")
        );
        ask(server, "POST", &head).json("[]").send().assert(400);
        let page = ok(&ask(server, "GET", &all).send());
        assert_eq!(page["data"], json!([kept]));
        let log = ok(&ask(server, "GET", &format!("/{store}/memory_versions")).send());
        assert_eq!(log["data"].as_array().unwrap().len(), 1);
    });
}

#[test]
fn what_is_just_within_the_limits_is_taken() {
    over_both(|server| {
        let store = store(server);
        for content in [
            "x".repeat(102_400),
            "\u{0}".repeat(102_400),
            "\u{1f9e0}".repeat(25_600),
        ] {
            let path = format!("/{}", content.chars().next().unwrap() as u32);
            let made = memory(server, &store, &path, &content);
            assert_eq!(made["content_size_bytes"], content.len());
            let at = format!("/{store}/memories/{}", id(&made));
            assert_eq!(ok(&ask(server, "GET", &at).send())["content"], content);
        }
        let long = format!("/{}", "b".repeat(1023));
        for path in [
            &"/a".repeat(20),
            &long,
            "/c\\d",
            "/con",
            "/ ",
            "/...",
            "/\u{1f468}",
        ] {
            memory(server, &store, path, "");
            let page = format!("/{store}/memories?limit=1");
            ok(&ask(server, "GET", &page).send());
        }
        // A page that ends with the longest path has a name that is taken.
        let first = ok(&ask(server, "GET", &format!("/{store}/memories?limit=1")).send());
        let mut next = first["next_page"].as_str().map(str::to_owned);
        while let Some(page) = next {
            let one = ok(&ask(
                server,
                "GET",
                &format!("/{store}/memories?limit=1&page={page}"),
            )
            .send());
            next = one["next_page"].as_str().map(str::to_owned);
        }
    });
}

#[test]
fn bad_queries_are_refused() {
    over_both(|server| {
        let store = store(server);
        for query in [
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=x",
            "limit=",
            "limit=%2B5",
            "limit=1&limit=1",
            "view=all",
            "depth=2",
            "depth=-1",
            "depth=x",
            "path_prefix=a",
            "path_prefix=/a",
            "path_prefix=",
            "path_prefix=//",
            "path_prefix=/%00/",
            "path_prefix=/e%CC%81/",
            "path_prefix=/%ff/",
            "page=x",
            "page=page_00",
        ] {
            let answer = ask(server, "GET", &format!("/{store}/memories?{query}")).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{query}");
        }
        for query in [
            "operation=x",
            "created_at[gte]=yesterday",
            "created_at[gte]=2020-01-01",
            "memory_id=",
            "memory_id=%00",
            "created_at_gte=2020-01-01T00:00:00Z&created_at[gte]=2020-01-01T00:00:00Z",
        ] {
            let answer = ask(server, "GET", &format!("/{store}/memory_versions?{query}")).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{query}");
        }
        for query in ["include_archived=1", "include_archived=", "limit=101"] {
            let answer = ask(server, "GET", &format!("?{query}")).send();
            assert_eq!(answer.assert(400), "invalid_request_error", "{query}");
        }
    });
}
