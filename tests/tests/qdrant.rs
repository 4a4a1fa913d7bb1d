//! `records.backend = "qdrant"`: records in a Qdrant, played by a server that knows its documented endpoints.

#[path = "../../crates/mem-records/tests/qdrant/fake_server.rs"]
mod fake_server;

use mem_tests::{Invocation, Repo, TestEnv, github_token};
use serde_json::{Value, json};

use fake_server::FakeServer;

/// Has the records of a home kept there.
fn set(repo: &Repo<'_>, server: &FakeServer) {
    repo.mem(["config", "set", "records.qdrant_url", &server.base()])
        .assert_ok();
    repo.mem(["config", "set", "records.backend", "qdrant"])
        .assert_ok();
}

fn keyed(run: Invocation<'_>) -> Invocation<'_> {
    run.env("MEM_QDRANT_API_KEY", ["not", "a", "key"].concat())
}

fn found(repo: &Repo<'_>, more: &[&str]) -> Value {
    let args = [
        "record",
        "retrieve",
        "which port has the gateway?",
        "--json",
    ];
    repo.mem(args.iter().chain(more)).assert_ok().json()["memories"].clone()
}

#[test]
fn records_are_kept_there_and_not_in_files() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let server = FakeServer::begin();
    set(&repo, &server);
    let store = [
        "record",
        "store",
        "The API gateway listens on port 8080.",
        "--category",
        "project_context",
        "--json",
    ];
    let stored = keyed(repo.invoke(store)).run().assert_ok().json();
    assert!(server.keys().iter().all(|key| key == "notakey") && !server.keys().is_empty());
    let id = stored["memory_id"].as_str().unwrap();
    assert_eq!(found(&repo, &[])[0]["id"], id);
    assert!(!repo.memory().exists() || env.files_under(&repo.memory()).is_empty());
    let alice = ["--user", "alice"];
    assert_eq!(found(&repo, &alice), json!([]));
    repo.mem(store.iter().chain(&alice)).assert_ok();
    let collections = server.collections();
    assert_eq!(collections.len(), 2, "{collections:?}");
    assert!(
        collections.contains(&"mem_user_u-alice".to_owned()),
        "{collections:?}"
    );
    let newer = [
        "record",
        "store",
        "The API gateway listens on port 9090.",
        "--category",
        "project_context",
    ];
    let told = repo.mem(newer).assert_ok().stderr;
    assert!(
        told.contains("takes the place of") && !told.contains("undo"),
        "{told}"
    );
    let gone = repo
        .mem(["record", "delete", id, "--reason", "old"])
        .assert_code(1)
        .stderr;
    assert!(gone.contains("was superseded by"), "{gone}");
    let mut rpc = crate::mcp::served(&repo, &["--user", "alice"]);
    let hers = rpc.tool("memory_retrieve", json!({ "query": "gateway port" }))["memories"][0]["id"]
        .clone();
    let deleted = rpc.tool(
        "memory_delete",
        json!({ "memory_id": hers, "reason": "it is over" }),
    );
    assert_eq!(
        (&deleted["success"], &deleted["path"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(found(&repo, &alice), json!([]));
    // An erasure says that it does not reach them.
    let told = repo
        .mem(["erase", "--user", "alice", "--yes"])
        .assert_code(2)
        .stderr;
    assert!(told.contains("mem_user_u-alice"), "{told}");
    let erased = repo.mem(["erase", "--project", "--yes"]).assert_ok().stdout;
    assert!(erased.contains("not searched: the Qdrant"), "{erased}");
}

#[test]
fn what_may_not_leave_is_not_sent_and_a_person_decides() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let server = FakeServer::begin();
    set(&repo, &server);
    let secret = format!("The registry opens with {}.", github_token(3));
    let store = |content: &str, more: &[&str]| {
        let args = ["record", "store", content, "--category", "project_context"];
        repo.mem(args.iter().chain(more))
    };
    let told = store(&secret, &[]).assert_code(3).stderr;
    assert!(told.contains("the record holds a secret"), "{told}");
    store("Lunch is at noon.", &["--scope", "team"]).assert_code(2);
    assert!(server.requests().is_empty());
    for key in ["records.backend", "records.qdrant_url"] {
        let set = repo
            .invoke(["config", "set", key, "files"])
            .env("MEM_ACTOR", "agent");
        set.run().assert_code(1);
    }
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let args = [
        "record",
        "store",
        "Lunch is at noon.",
        "--category",
        "project_context",
    ];
    repo.invoke(args)
        .env("MEM_ACTOR", "agent")
        .run()
        .assert_code(1);
    assert!(server.requests().is_empty());
    // A key goes nowhere that others can listen, and an address has to be one.
    for (url, told) in [
        ("http://qdrant.example", "behind TLS"),
        ("qdrant", "not the address"),
        ("http://me:pass@localhost:6333", "not the address"),
        ("", "not the address"),
    ] {
        let set = repo.mem(["config", "set", "records.qdrant_url", url]);
        let is_taken = url.is_empty() || told == "behind TLS";
        let refused = match is_taken {
            true => {
                set.assert_ok();
                let run = keyed(repo.invoke(["record", "list"])).run();
                run.assert_code(1).stderr
            }
            false => set.assert_code(2).stderr,
        };
        assert!(
            refused.contains(told) && refused.contains("hint:") && !refused.contains("pass@"),
            "{refused}"
        );
    }
    // Nobody listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("http://127.0.0.1:{port}");
    repo.mem(["config", "set", "records.qdrant_url", &url])
        .assert_ok();
    let away = repo.mem(["record", "list"]).assert_code(5).stderr;
    assert!(away.contains("does not answer"), "{away}");
}
