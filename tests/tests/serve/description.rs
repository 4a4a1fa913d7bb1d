//! `GET /openapi.json` says what the server does: its routes, its statuses, the form of its bodies.

use mem_tests::http::Answer;
use mem_tests::{Server, TestEnv};
use serde_json::{Value, json};

use super::put;

/// What is at a pointer such as `#/components/schemas/Key`, when this is one.
fn followed<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document
            .pointer(&reference[1..])
            .expect("a reference that leads somewhere"),
        None => value,
    }
}

/// Whether a value has one of the types that a schema names.
fn is_of_type(value: &Value, wanted: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        name => panic!("a type that this test does not know: {name}"),
    };
    match wanted {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        _ => true,
    }
}

/// What of a value is not as its schema says. Fields that the schema does not name count too.
fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = followed(document, schema);
    let mut found = Vec::new();
    if !is_of_type(value, &schema["type"]) {
        found.push(format!("{at}: another type: {value}"));
    }
    if let Some(all) = schema["enum"].as_array()
        && !all.contains(value)
    {
        found.push(format!("{at}: not one of those: {value}"));
    }
    if let Some(ways) = schema["oneOf"].as_array() {
        let fitting = ways
            .iter()
            .filter(|way| faults(document, way, value, at).is_empty());
        if fitting.count() != 1 {
            found.push(format!("{at}: not one of the forms: {value}"));
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            found.push(format!("{at}: no {name}"));
        }
    }
    for (index, one) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(
            document,
            &schema["items"],
            one,
            &format!("{at}[{index}]"),
        ));
    }
    for (name, one) in value.as_object().into_iter().flatten() {
        let inner = match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Null) if schema["properties"].is_object() => {
                found.push(format!("{at}: `{name}` is not in the description"));
                continue;
            }
            (Value::Null, inner) | (inner, _) => inner,
        };
        found.extend(faults(document, inner, one, &format!("{at}.{name}")));
    }
    found
}

/// Holds one answer to what the document says of it.
#[track_caller]
fn hold(document: &Value, path: &str, method: &str, answer: &Answer) {
    let (status, operation) = (answer.status.to_string(), &document["paths"][path][method]);
    let response = followed(document, &operation["responses"][&status]);
    assert!(
        response.is_object(),
        "{method} {path}: {status} is not described"
    );
    for name in response["headers"].as_object().unwrap().keys() {
        assert!(
            answer.header(name).is_some(),
            "{method} {path} {status}: no {name}"
        );
    }
    let Some((kind, body)) = response["content"]
        .as_object()
        .and_then(|all| all.iter().next())
    else {
        assert!(
            answer.body.is_empty(),
            "{method} {path}: {status} has a body"
        );
        return;
    };
    let sent = answer.header("content-type").unwrap_or_default();
    assert!(
        sent.starts_with(kind.as_str()),
        "{method} {path} {status}: {sent}"
    );
    if kind == "application/json" {
        let found = faults(document, &body["schema"], &answer.json(), "body");
        assert_eq!(found, Vec::<String>::new(), "{method} {path} {status}");
    }
}

#[test]
fn what_is_described_is_what_happens() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let document = server.ask("GET", "/openapi.json").send().json();
    let store = "/api/claude_code/team_memory";
    let at = |path: &str, more: &str| format!("{store}{path}?repo=acme/app{more}");
    put(&server, "a.md", "1");
    put(&server, "a.md", "2");
    put(&server, "b.md", "b");
    let change = json!({ "entries": { "c.md": "c", "../x": "" }, "delete": ["b.md", "n.md"] });
    let send = |method: &str, target: &str| server.ask(method, target);
    let with = |method: &str, target: &str, body: Value| {
        send(method, target).json(body.to_string()).send()
    };
    let known = put(&server, "a.md", "2").etag();
    let cases = [
        ("", "put", with("PUT", &at("", ""), change)),
        (
            "",
            "put",
            send("PUT", &at("", ""))
                .header("if-match", "\"x\"")
                .json("{}")
                .send(),
        ),
        ("", "put", with("PUT", &at("", ""), json!([]))),
        ("", "put", send("PUT", &at("", "")).body("{}").send()),
        (
            "",
            "put",
            send("PUT", &at("", "")).json("x".repeat(300_000)).send(),
        ),
        ("", "get", send("GET", &at("", "")).send()),
        ("", "get", send("GET", &at("", "&view=hashes")).send()),
        (
            "",
            "get",
            send("GET", &at("", "")).header("if-none-match", "*").send(),
        ),
        (
            "",
            "get",
            send("GET", &at("", "&x=1"))
                .header("if-none-match", known.as_str())
                .send(),
        ),
        ("/log", "get", send("GET", &at("/log", "&limit=2")).send()),
        ("/log", "get", send("GET", &at("/log", "&limit=0")).send()),
        (
            "/redact",
            "post",
            with("POST", &at("/redact", ""), json!({ "key": "c.md" })),
        ),
        (
            "/redact",
            "post",
            with("POST", &at("/redact", ""), json!({ "key": "no.md" })),
        ),
        (
            "/redact",
            "post",
            with(
                "POST",
                &at("/redact", ""),
                json!({ "key": "b.md", "name": true }),
            ),
        ),
        (
            "/redact",
            "post",
            with(
                "POST",
                &at("/redact", ""),
                json!({ "key": "a.md", "name": true }),
            ),
        ),
        (
            "/redact",
            "post",
            with("POST", &at("/redact", ""), json!({ "key": "a.md" })),
        ),
        (
            "/redact",
            "post",
            with("POST", &at("/redact", ""), json!({})),
        ),
    ];
    for (path, method, answer) in &cases {
        hold(&document, &format!("{store}{path}"), method, answer);
    }
    let met: Vec<u16> = cases.iter().map(|(_, _, answer)| answer.status).collect();
    let want = [
        200, 412, 400, 415, 413, 200, 200, 304, 400, 200, 400, 409, 404, 200, 409, 200, 400,
    ];
    assert_eq!(met, want);
    hold(
        &document,
        &format!("{store}/log"),
        "get",
        &send("GET", &at("/log", "")).send(),
    );
}

#[test]
fn what_is_described_of_the_tools_is_what_happens() {
    let env = TestEnv::new();
    let open = Server::open(&env);
    let document = open.ask("GET", "/openapi.json").send().json();
    let met = [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"none"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "[]",
        &" ".repeat(2_000_000),
    ]
    .map(|body| {
        let answer = open.ask("POST", "/mcp").json(body).send();
        hold(&document, "/mcp", "post", &answer);
        answer.status
    });
    assert_eq!(met, [200, 200, 202, 400, 413]);
}

#[test]
fn every_route_is_described_and_every_description_is_a_route() {
    let env = TestEnv::new();
    let open = Server::open(&env);
    let document = open.ask("GET", "/openapi.json").send().json();
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    assert_eq!(paths.len(), 41, "{paths:?}");
    // What is below the stores is asked for by ids that are nobody's, and says so.
    for path in paths.into_iter().filter(|path| !path.contains('{')) {
        let methods = document["paths"][path].as_object().unwrap();
        for method in ["get", "put", "post", "delete", "patch"] {
            let answer = open.ask(&method.to_uppercase(), path).send();
            assert_eq!(
                answer.status == 405,
                !methods.contains_key(method),
                "{method} {path}"
            );
            assert_ne!(answer.status, 404, "{method} {path}");
        }
        let allowed = open.ask("TRACE", path).send();
        let allowed = allowed.header("allow").unwrap().to_lowercase();
        for method in methods.keys() {
            assert!(allowed.contains(method.as_str()), "{allowed}");
        }
    }
    drop(open);
    let closed = Server::start(&env, &[]);
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let answer = closed.ask(&method.to_uppercase(), path).send();
            let is_open = operation["security"].as_array().is_some_and(Vec::is_empty);
            assert_eq!(answer.status == 401, !is_open, "{method} {path}");
            hold(&document, path, method, &answer);
        }
    }
}
