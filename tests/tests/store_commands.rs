//! `mem store` against a real `mem serve`: every verb, its shapes, its exit codes.

mod errors;
mod folders;

use std::fs;

use mem_tests::{Output, ScriptedModel, Server, TestEnv, github_token, words};
use serde_json::{Value, json};

/// A server, and runs of `mem store` that ask it.
struct Shop<'e> {
    env: &'e TestEnv,
    url: String,
    server: Server,
}

impl<'e> Shop<'e> {
    fn open(env: &'e TestEnv) -> Self {
        let server = Server::open(env);
        Self {
            env,
            url: server.url(),
            server,
        }
    }

    fn run(&self, args: &[&str]) -> Output {
        self.given(args, "")
    }

    fn given(&self, args: &[&str], input: &str) -> Output {
        let run = self.env.invoke(["store"]).args(args);
        run.args(["--base-url", &self.url]).stdin(input).run()
    }

    #[track_caller]
    fn json(&self, args: &[&str]) -> Value {
        self.run(&[args, &["--json"]].concat()).assert_ok().json()
    }

    #[track_caller]
    fn fails(&self, args: &[&str], code: i32) -> Value {
        let output = self.run(&[args, &["--json"]].concat()).assert_code(code);
        output.json_error().clone()
    }

    #[track_caller]
    fn store(&self, name: &str) -> String {
        let made = self.json(&["create", name]);
        made["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    fn put(&self, store: &str, path: &str, text: &str) -> Value {
        self.json(&["put", store, path, "--body", text])
    }
}

#[test]
fn stores_are_made_found_changed_and_put_away() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let made = shop.json(&[
        "create",
        "Notes",
        "--description",
        "What went out",
        "--metadata",
        "team=web",
    ]);
    let id = made["id"].as_str().unwrap();
    assert_eq!(made["metadata"], json!({ "team": "web" }));
    assert_eq!(shop.json(&["show", "Notes"])["id"], id);
    let changed = shop.json(&[
        "update",
        "Notes",
        "--name",
        "Notices",
        "--metadata",
        "a=b",
        "--without-metadata",
        "team",
    ]);
    assert_eq!(
        (&changed["name"], &changed["metadata"]),
        (&json!("Notices"), &json!({ "a": "b" }))
    );
    assert_eq!(changed["description"], "What went out");
    let error = shop.fails(&["show", "Notes"], 1);
    assert_eq!(error["kind"], "not_found");
    let listed = shop.run(&["list"]).assert_ok().stdout;
    assert!(
        listed.contains(id) && listed.contains("Notices"),
        "{listed}"
    );
    // Two of one name are told apart by their ids only.
    let other = shop.store("Notices");
    let error = shop.fails(&["show", "Notices"], 1);
    assert!(error["hint"].as_str().unwrap().contains(&other), "{error}");
    // Nobody is there to ask, so nothing is closed or deleted.
    shop.run(&["archive", id]).assert_code(2);
    shop.run(&["delete", id]).assert_code(2);
    shop.run(&["archive", id, "--yes"]).assert_ok();
    // The name means the one that is in use now.
    assert_eq!(shop.json(&["show", "Notices"])["id"], other);
    assert_eq!(shop.json(&["list"])["stores"].as_array().unwrap().len(), 1);
    assert_eq!(
        shop.json(&["list", "--archived"])["stores"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let error = shop.fails(&["put", id, "/a", "--body", "x"], 1);
    assert!(
        error["message"].as_str().unwrap().contains("archived"),
        "{error}"
    );
    shop.run(&["delete", id, "--yes"]).assert_ok();
    assert_eq!(shop.fails(&["show", id], 1)["kind"], "not_found");
}

#[test]
fn a_memory_is_written_moved_rolled_back_and_redacted() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let made = shop.put(&store, "/notes/a.md", "one\n");
    assert_eq!(made["created"], true);
    shop.given(&["put", &store, "notes/a.md"], "two\n")
        .assert_ok();
    assert_eq!(
        shop.run(&["cat", &store, "/notes/a.md"]).assert_ok().stdout,
        "two\n"
    );
    // What is there is not replaced by what is to be new, nor by what was meant for something else.
    assert_eq!(
        shop.fails(&["put", &store, "/notes/a.md", "--body", "x", "--new"], 4)["kind"],
        "conflict"
    );
    let zeros = "0".repeat(64);
    let stale = [
        "put",
        &store,
        "/notes/a.md",
        "--body",
        "x",
        "--if-sha256",
        &zeros,
    ];
    assert_eq!(shop.fails(&stale, 4)["kind"], "conflict");
    assert_eq!(
        shop.fails(&["rm", &store, "/notes/a.md", "--if-sha256", &zeros], 4)["kind"],
        "conflict"
    );
    shop.run(&["mv", &store, "/notes/a.md", "/old/a.md"])
        .assert_ok();
    let listed = shop.json(&["memories", &store]);
    assert_eq!(listed["memories"][0]["path"], "/old/a.md");
    assert_eq!(
        shop.json(&["memories", &store, "/notes"])["memories"],
        json!([])
    );
    assert_eq!(
        shop.json(&["memories", &store, "--flat"])["memories"][0]["path"],
        "/old/"
    );
    let versions = shop.json(&["versions", &store, "/old/a.md"]);
    let version = |at: usize| versions["versions"][at]["id"].as_str().unwrap().to_owned();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 3);
    let diff = shop
        .run(&["diff", &store, &version(2), &version(1)])
        .assert_ok()
        .stdout;
    assert!(diff.contains("-one") && diff.contains("+two"), "{diff}");
    let diff = shop.run(&["diff", &store, &version(2)]).assert_ok().stdout;
    assert!(diff.contains("-one") && diff.contains("+two"), "{diff}");
    shop.run(&["rollback", &store, &version(2)]).assert_ok();
    assert_eq!(shop.run(&["cat", &store, "/old/a.md"]).stdout, "one\n");
    // One that was deleted comes back where the version stood.
    shop.run(&["rm", &store, "/old/a.md"]).assert_ok();
    shop.fails(&["cat", &store, "/old/a.md"], 1);
    let back = shop.json(&["rollback", &store, &version(1)]);
    assert_eq!(
        (&back["created"], &back["memory"]["path"]),
        (&json!(true), &json!("/notes/a.md"))
    );
    shop.run(&["redact", &store, &version(2)]).assert_code(2);
    let redacted = shop.json(&["redact", &store, &version(2), "--yes"]);
    assert!(
        !redacted["redacted_at"].is_null() && redacted["path"].is_null(),
        "{redacted}"
    );
    assert_eq!(
        shop.fails(&["rollback", &store, &version(2)], 1)["kind"],
        "not_found"
    );
    assert_eq!(
        shop.fails(&["diff", &store, &version(2)], 1)["kind"],
        "not_found"
    );
}

#[test]
fn what_the_contract_forbids_is_said_before_the_server_is_asked() {
    let env = TestEnv::new();
    let away = |args: &[&str]| {
        let run = env.invoke(["store"]).args(args);
        run.args(["--base-url", "http://127.0.0.1:1", "--json"])
            .run()
    };
    let long = "x".repeat(102_401);
    for path in ["/a/../b", "/a//b", "/\u{7}", "/e\u{301}", "/a\u{200b}"] {
        let output = away(&["put", "memstore_1", path, "--body", "x"]).assert_code(1);
        assert_eq!(output.json_error()["kind"], "invalid", "{path:?}");
    }
    let output = env.invoke(words(
        "store put memstore_1 /a --base-url http://127.0.0.1:1",
    ));
    output.stdin(long).run().assert_code(1);
    away(&["create", ""]).assert_code(1);
    away(&["create", "n", "--metadata", "x"]).assert_code(2);
    away(&["show", "memstore_a/../b"]).assert_code(1);
    away(&["list", "-n", "0"]).assert_code(2);
    away(&["versions", "memstore_1", "-n", "0"]).assert_code(2);
    for address in ["127.0.0.1:1", "git:origin", "host", ""] {
        let run = env.invoke(["store", "list", "--json", "--base-url", address]);
        let error = run.run().assert_code(1).json_error().clone();
        let hint = error["hint"].as_str().unwrap_or_default();
        assert!(hint.contains("`https://host`"), "{address}: {error}");
    }
    let output = away(&["list"]).assert_code(5);
    assert_eq!(output.json_error()["kind"], "unreachable");
    let output = env.mem(["store", "list", "--json"]).assert_code(1);
    let hint = output.json_error()["hint"].clone();
    assert!(hint.as_str().unwrap().contains("stores.base_url"), "{hint}");
}

#[test]
fn no_secret_leaves_and_none_is_shown() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let token = github_token(1);
    let body = format!("key: {token}\n");
    let named = format!("/{token}.md");
    let attempts = [
        vec!["put", &store, "/a.md", "--body", &body],
        vec!["put", &store, &named, "--body", "x"],
        vec!["create", "n", "--description", &body],
        vec!["update", &store, "--name", &token],
    ];
    for args in attempts {
        let output = shop.run(&args).assert_code(3);
        assert!(!output.stderr.contains(&token), "{}", output.stderr);
    }
    shop.put(&store, "/a.md", "x");
    shop.run(&["mv", &store, "/a.md", &named]).assert_code(3);
    let folder = env.work().join("in");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("good.md"), "fine\n").unwrap();
    fs::write(folder.join("bad.md"), &body).unwrap();
    let output = shop.run(&["import", &store, "in"]).assert_code(3);
    assert!(
        !output.stderr.contains(&token) && output.stderr.contains("bad.md"),
        "{}",
        output.stderr
    );
    let data = env.files_under(&env.root().join("data"));
    assert!(!data.is_empty());
    for (name, bytes) in data {
        let found = bytes
            .windows(token.len())
            .any(|window| window == token.as_bytes());
        assert!(!found, "{name}");
    }
    assert_eq!(
        shop.run(&["cat", &store, "/good.md"]).assert_ok().stdout,
        "fine\n"
    );
}

#[test]
fn an_agent_writes_only_where_it_may() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let as_agent = |args: &[&str]| {
        let run = env.invoke(["store"]).args(args).env("MEM_ACTOR", "agent");
        run.args(["--base-url", &shop.url]).run()
    };
    as_agent(&["put", &store, "/a", "--body", "x"]).assert_ok();
    env.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    for args in [
        vec!["put", &store, "/a", "--body", "y"],
        vec!["mv", &store, "/a", "/b"],
        vec!["rm", &store, "/a"],
        vec!["delete", &store, "--yes"],
        vec!["create", "n"],
    ] {
        let output = as_agent(&args).assert_code(1);
        assert!(output.stderr.contains("agent"), "{}", output.stderr);
    }
    as_agent(&["cat", &store, "/a"]).assert_ok();
    let set = env.invoke(["config", "set", "stores.base_url", "http://127.0.0.1:1"]);
    set.env("MEM_ACTOR", "agent").run().assert_code(1);
    let moved = env
        .invoke(["store", "list"])
        .env("MEM_STORES_BASE_URL", &shop.url);
    moved.env("MEM_ACTOR", "agent").run().assert_code(1);
}

#[test]
fn a_proxy_hears_nothing_of_a_server_on_the_same_machine() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    shop.store("Notes");
    let proxy = ScriptedModel::play([]);
    let list = env.invoke(["store", "list", "--base-url", &shop.url]);
    let list = list.env("HTTP_PROXY", proxy.url());
    let listed = list.env("http_proxy", proxy.url()).run().assert_ok();
    assert!(listed.stdout.contains("Notes"), "{listed:?}");
    assert!(proxy.requests().is_empty());
}
