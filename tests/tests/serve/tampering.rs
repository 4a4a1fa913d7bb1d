//! Contents of an encrypted database that somebody changed: told by their names, and the others are served.

use mem_tests::http::Answer;
use mem_tests::{Server, TestEnv, tampering};
use serde_json::{Value, json};

fn encrypt(env: &TestEnv) {
    let data = env.root().join("data");
    let on = ["encrypt", "on", "--data-dir", data.to_str().unwrap()];
    env.mem(on).assert_ok();
}

fn ask(server: &Server, who: &str, method: &str, rest: &str, body: Option<&Value>) -> Answer {
    let ask = server.ask(method, &format!("/api/records{rest}"));
    let ask = ask.header("x-mem-actor", who);
    match body {
        Some(body) => ask.json(body.to_string()).send(),
        None => ask.send(),
    }
}

fn told(server: &Server, who: &str, method: &str, rest: &str, body: Option<&Value>) -> Value {
    let answer = ask(server, who, method, rest, body);
    answer.assert(200);
    answer.json()
}

fn store(server: &Server, who: &str, content: &str) -> Value {
    let record = json!({ "content": content, "category": "project_context", "importance": 4 });
    told(server, who, "POST", "", Some(&record))
}

fn stored(server: &Server, who: &str, content: &str) -> String {
    let stored = store(server, who, content);
    assert_eq!(stored.get("warnings"), None, "{stored}");
    stored["memory_id"].as_str().unwrap().to_owned()
}

fn contents(answer: &Value) -> Vec<&str> {
    let memories = answer["memories"].as_array().unwrap().iter();
    let mut all: Vec<&str> = memories
        .map(|one| one["content"].as_str().unwrap())
        .collect();
    all.sort_unstable();
    all
}

#[track_caller]
fn warns_of(answer: &Value, id: &str) {
    let warnings = answer["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{answer}");
    let text = warnings[0].as_str().unwrap();
    assert!(
        text.contains("1 memory cannot be opened") && text.contains(id),
        "{text}"
    );
}

fn call(server: &Server, who: &str, tool: &str, arguments: &Value) -> Value {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments },
    });
    let ask = server.ask("POST", "/mcp").header("x-mem-actor", who);
    let ask = ask.header("accept", "application/json, text/event-stream");
    ask.json(call.to_string()).send().json()["result"].clone()
}

#[test]
fn a_record_that_was_changed_costs_none_of_the_others() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let lunch = stored(&server, "alice", "Lunch is at noon.");
    stored(&server, "alice", "The printer is on the second floor.");
    stored(&server, "bob", "Deploys are on Tuesdays.");
    encrypt(&env);
    assert_eq!(tampering::change(&env, &format!("/records/{lunch}.md")), 1);
    let listed = told(&server, "alice", "GET", "", None);
    assert_eq!(contents(&listed), ["The printer is on the second floor."]);
    warns_of(&listed, &lunch);
    let query = json!({ "query": "where is the printer, and when is lunch?" });
    let found = told(&server, "alice", "POST", "/retrieve", Some(&query));
    assert_eq!(contents(&found), ["The printer is on the second floor."]);
    warns_of(&found, &lunch);
    let also = store(&server, "alice", "Lunch is at one.");
    assert_eq!(also["success"], true);
    warns_of(&also, &lunch);
    let by_tool = call(&server, "alice", "memory_retrieve", &query);
    assert_ne!(by_tool["isError"], true, "{by_tool}");
    assert_eq!(contents(&by_tool["structuredContent"]).len(), 2);
    warns_of(&by_tool["structuredContent"], &lunch);
    // Another user's answers are as they ever were.
    assert_eq!(told(&server, "bob", "GET", "", None).get("warnings"), None);
    // What nobody can read any more can go.
    let reason = json!({ "reason": "it is damaged" });
    told(
        &server,
        "alice",
        "DELETE",
        &format!("/{lunch}"),
        Some(&reason),
    );
    let listed = told(&server, "alice", "GET", "", None);
    assert_eq!((contents(&listed).len(), listed.get("warnings")), (2, None));
    let log = server.end();
    assert!(log.contains("a content cannot be opened"), "{log}");
    assert!(!log.contains("noon") && !log.contains("printer"), "{log}");
}

#[test]
fn what_the_trail_cannot_say_of_a_record_is_told_as_that() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let ids = ["Lunch is at noon.", "The printer is upstairs."]
        .map(|content| stored(&server, "alice", content));
    let reason = json!({ "reason": "it is over" });
    for id in &ids {
        told(&server, "alice", "DELETE", &format!("/{id}"), Some(&reason));
    }
    encrypt(&env);
    assert_eq!(
        tampering::change(&env, &format!("/audit/{}.json", ids[0])),
        1
    );
    let trail = told(&server, "alice", "GET", "/audit", None);
    assert_eq!(trail["entries"].as_array().unwrap().len(), 1, "{trail}");
    warns_of(&trail, &ids[0]);
    let again = ask(
        &server,
        "alice",
        "DELETE",
        &format!("/{}", ids[0]),
        Some(&reason),
    );
    assert_eq!(again.assert(500), "api_error");
    let message = again.json()["error"]["message"].to_string();
    assert!(
        message.contains(&ids[0]) && !message.contains("over"),
        "{message}"
    );
    let same = json!({ "memory_id": ids[0], "reason": "it is over" });
    let by_tool = call(&server, "alice", "memory_delete", &same);
    assert_eq!(by_tool["isError"], true);
    assert!(
        by_tool.to_string().contains("cannot be opened"),
        "{by_tool}"
    );
    // What was retrieved when is forgotten, and nothing else.
    stored(&server, "alice", "Lunch is at one.");
    let query = json!({ "query": "lunch" });
    told(&server, "alice", "POST", "/retrieve", Some(&query));
    assert!(tampering::change(&env, "/used.json") > 0);
    let found = told(&server, "alice", "POST", "/retrieve", Some(&query));
    assert_eq!(contents(&found), ["Lunch is at one."]);
}

#[test]
fn a_memory_that_was_changed_is_listed_and_named_and_can_go() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let new = json!({ "name": "notes" }).to_string();
    let made = server.ask("POST", "/v1/memory_stores").json(new).send();
    let store = made.json()["id"].as_str().unwrap().to_owned();
    let at = format!("/v1/memory_stores/{store}/memories");
    for (path, content) in [("/a.md", "apples are red"), ("/b.md", "bananas are yellow")] {
        let new = json!({ "path": path, "content": content }).to_string();
        server.ask("POST", &at).json(new).send().assert(200);
    }
    encrypt(&env);
    assert_eq!(tampering::change(&env, "/a.md"), 1);
    let basic = server.ask("GET", &at).send();
    basic.assert(200);
    let data = basic.json()["data"].clone();
    assert_eq!(data.as_array().unwrap().len(), 2);
    let version = data[0]["memory_version_id"].as_str().unwrap();
    let ids = [0, 1].map(|at| data[at]["id"].as_str().unwrap().to_owned());
    // A copy of a store is not made of a part of it that looks whole.
    let full = server.ask("GET", &format!("{at}?view=full")).send();
    let one = server.ask("GET", &format!("{at}/{}", ids[0])).send();
    for answer in [full, one] {
        assert_eq!(answer.assert(500), "api_error");
        let message = answer.json()["error"]["message"].to_string();
        assert!(
            message.contains("/a.md") && message.contains(version),
            "{message}"
        );
    }
    let other = server.ask("GET", &format!("{at}/{}", ids[1])).send();
    assert_eq!(other.json()["content"], "bananas are yellow");
    let search = json!({ "query": "bananas are yellow" });
    let found = call(&server, "alice", "memory_search", &search);
    assert!(found.to_string().contains("/b.md"), "{found}");
    let read = call(&server, "alice", "memory_read", &json!({ "path": "/a.md" }));
    assert_eq!(read["isError"], true);
    assert!(read.to_string().contains(version), "{read}");
    server
        .ask("DELETE", &format!("{at}/{}", ids[0]))
        .send()
        .assert(200);
    server
        .ask("GET", &format!("{at}?view=full"))
        .send()
        .assert(200);
}

#[test]
fn a_pull_names_the_key_that_it_cannot_open_and_drops_none() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let put = |entries: Value| {
        let body = json!({ "entries": entries }).to_string();
        server
            .store("PUT", "acme/app", "")
            .json(body)
            .send()
            .assert(200);
    };
    put(json!({ "notes/a.md": "apples", "notes/b.md": "bananas" }));
    encrypt(&env);
    assert_eq!(tampering::change(&env, "/notes/a.md"), 1);
    let pull = |more: &str| server.store("GET", "acme/app", more).send();
    let names_it = |answer: &Answer| {
        assert_eq!(answer.assert(500), "api_error");
        let message = answer.json()["error"]["message"].to_string();
        assert!(message.contains("`notes/a.md`"), "{message}");
    };
    names_it(&pull(""));
    names_it(&pull("&keys=notes/a.md"));
    pull("&keys=notes/b.md").assert(200);
    pull("&view=hashes").assert(200);
    // One that is sent while it is read breaks off, and says why to whoever asks again.
    put(json!({ "notes/a.md": "apples again" }));
    let large: serde_json::Map<String, Value> = (0..40)
        .map(|number| (format!("large/{number}.md"), json!("words ".repeat(790))))
        .collect();
    put(Value::Object(large));
    pull("").assert(200);
    let last = "large/9.md";
    assert_eq!(tampering::change(&env, &format!("/{last}")), 1);
    let broken = pull("");
    let is_whole = serde_json::from_slice::<Value>(&broken.body).is_ok();
    assert!(!is_whole || broken.status == 500, "{}", broken.status);
    let again = pull("");
    assert_eq!(again.assert(500), "api_error");
    assert!(again.json()["error"]["message"].to_string().contains(last));
    put(json!({ last: "mended" }));
    for _ in 0..2 {
        let whole = pull("");
        whole.assert(200);
        assert_eq!(whole.json()["entries"].as_object().unwrap().len(), 42);
    }
    let log = server.end();
    assert!(!log.contains("a.md") && !log.contains("large/"), "{log}");
}

#[test]
fn a_content_that_is_no_text_is_one_contents_fault() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let lunch = stored(&server, "alice", "Lunch is at noon.");
    stored(&server, "alice", "The printer is upstairs.");
    assert_eq!(
        tampering::put(&env, "x'fffefd'", &format!("/records/{lunch}.md")),
        1
    );
    let listed = told(&server, "alice", "GET", "", None);
    assert_eq!(contents(&listed), ["The printer is upstairs."]);
    warns_of(&listed, &lunch);
}
