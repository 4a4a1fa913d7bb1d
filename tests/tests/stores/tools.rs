//! The tools of agents at `/mcp`: through the official clients, over both databases, for those who may.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use mem_tests::http::Answer;
use mem_tests::{Server, clients, github_token};
use serde_json::{Value, json};

use super::{Bed, ask, id, memory, ok, send, store};

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("clients")
        .join(name)
}

/// What a session prints, after everything that it asserts.
fn session(mut command: Command) -> Value {
    let output = command.output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {talk}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// One message.
pub(super) fn say(server: &Server, token: &str, message: &Value) -> Answer {
    let ask = server.ask("POST", "/mcp").json(message.to_string());
    match token.is_empty() {
        true => ask.send(),
        false => ask.token(token).send(),
    }
}

/// The text of one call that fails, or what it has as its value.
#[track_caller]
pub(super) fn call(
    server: &Server,
    token: &str,
    tool: &str,
    given: &Value,
) -> Result<Value, String> {
    let params = json!({ "name": format!("memory_{tool}"), "arguments": given });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let answer = ok(&say(server, token, &message));
    let result = &answer["result"];
    match result["isError"] == true {
        true => Err(result["content"][0]["text"].as_str().unwrap().to_owned()),
        false => Ok(result["structuredContent"].clone()),
    }
}

/// Words that have nothing in common.
const WORDS: [&str; 10] = [
    "zorbax", "quillim", "wurble", "flimsat", "grondle", "hepzin", "jorvict", "klympto", "snazzer",
    "tovella",
];

/// Makes a store with a name for whoever has the token.
fn named(server: &Server, token: &str, name: &str) -> String {
    let body = json!({ "name": name }).to_string();
    id(&ok(&ask(server, "POST", "").token(token).json(body).send()))
}

/// The paths that a search finds.
#[track_caller]
fn found(server: &Server, token: &str, query: &str) -> Vec<String> {
    let found = call(server, token, "search", &json!({ "query": query })).unwrap();
    let paths = found["memories"].as_array().unwrap().iter();
    paths
        .map(|one| one["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_official_python_client_is_content_in_every_version() {
    for bed in Bed::both() {
        let all = bed.token(&["--grant", "store:*:write"]);
        let server = bed.serve();
        let store = named(&server, &all, "tools");
        named(&server, &all, "another");
        let writer = bed.token(&["--grant", &format!("store:{store}:write")]);
        let reader = bed.token(&["--grant", &format!("store:{store}:read")]);
        // The handshake of old, and the way without one.
        for (mode, version) in [
            ("legacy", "2025-11-25"),
            ("auto", "2026-07-28"),
            ("2026-07-28", "2026-07-28"),
        ] {
            let mut command = bed.env.command(clients::python());
            command.arg(script("python/tools_session.py"));
            command.args([server.url(), store.clone(), writer.clone(), reader.clone()]);
            command.arg(mode);
            assert_eq!(session(command), json!({ "version": version }), "{mode}");
        }
    }
}

#[test]
fn records_are_a_users_own_through_the_official_python_client() {
    for bed in Bed::both() {
        let grants = [
            ("alice", "records:write"),
            ("alice", "records:read"),
            ("alice", "*:write"),
            ("carol", "store:*:write"),
            ("bob", "records:write"),
        ];
        let tokens = grants.map(|(name, grant)| bed.token(&["--name", name, "--grant", grant]));
        let server = bed.serve();
        named(&server, &tokens[2], "tools");
        let mut command = bed.env.command(clients::python());
        command.arg(script("python/records_session.py"));
        command.arg(server.url()).args(&tokens);
        assert_eq!(session(command), json!({ "records": 2 }));
        // A reason is kept without its secrets, and REST tells the same trail.
        let stored = json!({ "content": "x y", "category": "relationship", "importance": 1 });
        let id = call(&server, &tokens[0], "store", &stored).unwrap()["memory_id"].clone();
        let secret = github_token(9);
        let given = json!({ "memory_id": id, "reason": format!("it has {secret}") });
        let deleted = call(&server, &tokens[0], "delete", &given).unwrap();
        assert!(
            deleted["warnings"][0]
                .as_str()
                .unwrap()
                .contains("kept without")
        );
        let trail = server
            .ask("GET", "/api/records/audit")
            .token(&tokens[0])
            .send();
        let trail = String::from_utf8(trail.body).unwrap();
        assert!(
            trail.contains("[redacted: ") && !trail.contains(&secret[8..]),
            "{trail}"
        );
    }
}

#[test]
fn the_official_typescript_clients_of_both_generations_are_content() {
    let bed = Bed::new();
    let token = bed.token(&["--grant", "store:*:write"]);
    let server = bed.serve();
    named(&server, &token, "tools");
    let mut command = bed.env.command("node");
    command.arg(script("node/tools_session.mjs"));
    command.arg(clients::node_modules_with("node-mcp"));
    command.args([server.url(), token]);
    assert_eq!(session(command), json!({ "conversations": 3 }));
}

#[test]
fn stores_of_others_are_as_if_they_were_not() {
    let bed = Bed::new();
    let all = bed.token(&["--grant", "store:*:write"]);
    let server = bed.serve();
    let [mine, theirs] = ["mine", "theirs"].map(|name| named(&server, &all, name));
    let of = |store: &str, verb: &str| bed.token(&["--grant", &format!("store:{store}:{verb}")]);
    let (me, them) = (of(&mine, "write"), of(&theirs, "write"));
    let write = |token: &str, text: &str| {
        let given = json!({ "path": "/a.md", "content": text });
        call(&server, token, "write", &given).unwrap()
    };
    assert_eq!(write(&me, "apples")["store"], mine);
    assert_eq!(write(&them, "secret pears")["store"], theirs);
    for named in [theirs.as_str(), "theirs", "memstore_none", "none"] {
        for (tool, given) in [
            ("list", json!({ "store": named })),
            ("search", json!({ "store": named, "query": "pears" })),
            ("read", json!({ "store": named, "path": "/a.md" })),
            (
                "write",
                json!({ "store": named, "path": "/a.md", "content": "" }),
            ),
            ("delete", json!({ "store": named, "path": "/a.md" })),
        ] {
            let told = call(&server, &me, tool, &given).unwrap_err();
            assert!(
                told.contains(&format!("there is no store `{named}`")),
                "{told}"
            );
        }
    }
    assert_eq!(found(&server, &me, "secret pears"), Vec::<String>::new());
    // Who has several has to choose, among their own.
    let told = call(&server, &all, "list", &json!({})).unwrap_err();
    assert!(told.contains(&mine) && told.contains(&theirs), "{told}");
    let told = call(&server, &all, "list", &json!({ "store": "none" })).unwrap_err();
    assert!(told.contains("there is no store `none` among: "), "{told}");
    assert!(told.contains(&mine) && told.contains(&theirs), "{told}");
    let nobody = bed.token(&["--grant", "team:acme/app:write"]);
    let told = call(&server, &nobody, "list", &json!({})).unwrap_err();
    assert!(
        told.contains("there is no store") && !told.contains("mem"),
        "{told}"
    );
    // Reading one store and writing another are two things.
    let grants = [
        format!("store:{mine}:write"),
        format!("store:{theirs}:read"),
    ];
    let both = bed.token(&["--grant", &grants[0], "--grant", &grants[1]]);
    let given = |store: &str| json!({ "store": store, "path": "/b.md", "content": "" });
    assert!(call(&server, &both, "write", &given("mine")).is_ok());
    let told = call(&server, &both, "write", &given("theirs")).unwrap_err();
    assert!(told.contains("`theirs` is read-only here"), "{told}");
}

#[test]
fn an_archived_store_is_read_and_not_written() {
    let bed = Bed::new();
    let server = &bed.open();
    let store = store(server);
    memory(server, &store, "/a.md", "apples");
    ok(&send(
        server,
        "POST",
        &format!("/{store}/archive"),
        &json!({}),
    ));
    assert_eq!(found(server, "", "apples"), ["/a.md"]);
    let given = json!({ "path": "/a.md", "content": "" });
    let told = call(server, "", "write", &given).unwrap_err();
    assert!(told.contains("archived"), "{told}");
}

#[test]
fn edits_of_many_at_once_are_all_made() {
    for bed in Bed::both() {
        let server = bed.open();
        let store = store(&server);
        memory(
            &server,
            &store,
            "/all.md",
            "0:\n1:\n2:\n3:\n4:\n5:\n6:\n7:\n",
        );
        thread::scope(|threads| {
            for writer in 0..8 {
                let server = &server;
                threads.spawn(move || {
                    for round in 0..6 {
                        let old = format!("{writer}:");
                        let new = format!("{writer}:{round}");
                        let given = json!({ "path": "/all.md", "old_text": old, "new_text": new });
                        call(server, "", "edit", &given).unwrap();
                    }
                });
            }
        });
        let read = call(&server, "", "read", &json!({ "path": "/all.md" })).unwrap();
        let lines: Vec<String> = (0..8).map(|writer| format!("{writer}:543210\n")).collect();
        assert_eq!(read["content"], lines.concat());
        let versions = format!("/{store}/memory_versions?limit=100");
        let versions = ok(&ask(&server, "GET", &versions).send());
        assert_eq!(versions["data"].as_array().unwrap().len(), 1 + 8 * 6);
    }
}

/// The same as an agent calls that does what it is told: a server that has no time says so, has done nothing that
/// matters to whoever asks the same again, and is asked again.
#[track_caller]
fn patiently(server: &Server, tool: &str, given: &Value) -> Value {
    let mut done = None;
    crate::daemon::wait("the server has time", || {
        match call(server, "", tool, given) {
            Err(told) if told.ends_with("try again later") => {}
            told => done = Some(told.unwrap()),
        }
        done.is_some()
    });
    done.unwrap()
}

#[test]
fn a_thousand_requests_are_answered_whatever_else_is_written() {
    let bed = Bed::new();
    let server = bed.open();
    let store = store(&server);
    thread::scope(|threads| {
        for word in &WORDS[..8] {
            let (server, store) = (&server, &store);
            threads.spawn(move || {
                for round in 0..25 {
                    let path = format!("/{word}/{round}.md");
                    let given = json!({ "path": path, "content": format!("of {word} and apples") });
                    patiently(server, "write", &given);
                    let query = json!({ "store": store, "query": word, "limit": 50 });
                    let found = patiently(server, "search", &query);
                    assert_eq!(found["memories"].as_array().unwrap().len(), round + 1);
                    patiently(server, "read", &json!({ "path": path }));
                    patiently(server, "list", &json!({ "path_prefix": "/zorbax" }));
                    patiently(server, "search", &json!({ "query": "apples" }));
                }
            });
        }
    });
    let metrics = server.ask("GET", "/metrics").send();
    let metrics = String::from_utf8(metrics.body).unwrap();
    assert!(!metrics.contains("status=\"5"), "{metrics}");
}

#[test]
fn a_search_knows_what_was_done_just_now_by_whatever_way() {
    for bed in Bed::both() {
        let server = bed.open();
        let store = store(&server);
        let first = memory(&server, &store, "/a.md", "about zorbax");
        memory(&server, &store, "/b.md", "about quillim");
        assert_eq!(found(&server, "", "zorbax"), ["/a.md"]);
        let at = format!("/{store}/memories/{}", id(&first));
        let change = |body: Value| ok(&send(&server, "POST", &at, &body));
        change(json!({ "path": "/c.md" }));
        assert_eq!(found(&server, "", "zorbax"), ["/c.md"]);
        change(json!({ "content": "about wurble" }));
        assert_eq!(found(&server, "", "zorbax"), Vec::<String>::new());
        assert_eq!(found(&server, "", "wurble"), ["/c.md"]);
        let gone = memory(&server, &store, "/a.md", "other zorbax");
        assert_eq!(found(&server, "", "zorbax"), ["/a.md"]);
        let at = format!("/{store}/memories/{}", id(&gone));
        ok(&ask(&server, "DELETE", &at).send());
        assert_eq!(found(&server, "", "zorbax"), Vec::<String>::new());
        assert_eq!(found(&server, "", "quillim"), ["/b.md"]);
        ok(&ask(&server, "DELETE", &format!("/{store}")).send());
        let told = call(&server, "", "search", &json!({ "query": "quillim" })).unwrap_err();
        assert!(told.contains("there is no store"), "{told}");
    }
}

#[test]
fn every_replica_answers_what_another_began() {
    let Some(bed) = Bed::both().pop().filter(|bed| bed.url.is_some()) else {
        return;
    };
    let replicas = [bed.open(), bed.open()];
    store(&replicas[0]);
    for (round, word) in WORDS.into_iter().enumerate() {
        let (one, other) = (&replicas[round % 2], &replicas[(round + 1) % 2]);
        let path = format!("/{round}.md");
        let given = json!({ "path": path, "content": word });
        call(one, "", "write", &given).unwrap();
        assert_eq!(found(other, "", word), [path.as_str()]);
        call(other, "", "delete", &json!({ "path": path })).unwrap();
        assert_eq!(found(one, "", word), Vec::<String>::new());
    }
}

#[test]
fn the_memory_of_a_repository_is_a_store_like_any_other() {
    let bed = Bed::new();
    let token = bed.token(&["--grant", "team:acme/app:write"]);
    let server = bed.serve();
    let team = |method: &str| server.store(method, "acme/app", "").token(&token);
    let put = json!({ "entries": { "a.md": "about apples" } });
    team("PUT").json(put.to_string()).send().assert(200);
    assert_eq!(found(&server, &token, "apples"), ["/a.md"]);
    let given = json!({ "store": "team:acme/app", "path": "/b.md", "content": "pears" });
    call(&server, &token, "write", &given).unwrap();
    let entries = team("GET").send().json();
    assert_eq!(entries["entries"]["b.md"]["content"], "pears");
    // What no other machine could hold is refused here too.
    let twin = json!({ "path": "/B.md", "content": "" });
    let told = call(&server, &token, "write", &twin).unwrap_err();
    assert!(told.starts_with("error: "), "{told}");
    let delete = json!({ "entries": {}, "delete": ["a.md"] });
    team("PUT").json(delete.to_string()).send().assert(200);
    assert_eq!(found(&server, &token, "apples"), Vec::<String>::new());
}
