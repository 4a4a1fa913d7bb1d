//! What the server of an attached store does not take, or what may not be kept here.

use std::fs;

use mem_tests::{Server, TestEnv};
use serde_json::{Value, json};

use super::Bed;
use crate::mcp::served;

/// A bed whose server asks for tokens, with a store `Notes`; its id, and a token that may write.
fn guarded(env: &TestEnv) -> (Bed<'_>, String, String) {
    let data = env.root().join("data");
    let token = |grant: &str| {
        let run = env.invoke(["server", "token", "create", "--grant", grant, "--data-dir"]);
        run.args([&data]).run().assert_ok().line()
    };
    let writer = token("store:*:write");
    let reader = token("store:*:read");
    let server = Server::start(env, &[]);
    let bed = Bed {
        env,
        repo: env.repo("app"),
        url: server.url(),
        server: Some(server),
    };
    login(&bed, &writer);
    let store = bed.create("Notes");
    bed.put(&store, "/a.md", "one\n");
    bed.put(&store, "/b.md", "two\n");
    bed.attach(&[&store]).assert_ok();
    login(&bed, &reader);
    (bed, store, writer)
}

fn login(bed: &Bed<'_>, token: &str) {
    let run = bed.repo.invoke(["team", "login", "--server", &bed.url]);
    run.stdin(format!("{token}\n")).run().assert_ok();
}

fn held(bed: &Bed<'_>) -> Vec<String> {
    let all = bed.attachments()[0]["held"].as_array().unwrap().clone();
    let paths = all.iter().map(|one| {
        let why = one["why"].as_str().unwrap();
        assert!(why.contains("403"), "{why}");
        one["path"].as_str().unwrap().to_owned()
    });
    paths.collect()
}

#[test]
fn what_the_key_may_not_write_stays_with_the_reason_and_goes_when_it_may() {
    let env = TestEnv::new();
    let (bed, store, writer) = guarded(&env);
    let inputs = [
        json!({ "command": "create", "path": "/memories/notes/new.md", "file_text": "new\n" }),
        json!({ "command": "str_replace", "path": "/memories/notes/a.md", "old_str": "one", "new_str": "1" }),
        json!({ "command": "delete", "path": "/memories/notes/b.md" }),
    ];
    for input in &inputs {
        let said = bed.refused(input);
        assert!(
            said.contains("the server does not take it") && said.contains("403"),
            "{said}"
        );
    }
    assert_eq!(held(&bed), ["/a.md", "/b.md", "/new.md"]);
    assert_eq!(
        bed.attachments()[0]["trouble"],
        json!(null),
        "the server is not away"
    );
    let listed = bed.repo.mem(["attachments"]).assert_ok().stdout;
    assert!(
        listed.contains("stays here: /a.md") && !listed.contains("waits to be sent"),
        "{listed}"
    );
    // A move is in the way of nothing else.
    bed.refused(&json!({ "command": "rename", "old_path": "/memories/notes/new.md", "new_path": "/memories/notes/moved.md" }));
    assert_eq!(held(&bed), ["/a.md", "/b.md", "/moved.md"]);
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("one\n"));
    // Nothing is sent again by itself; a person who asks for it is obeyed.
    env.advance(600);
    bed.view("/memories/notes/a.md");
    bed.repo.mem(["attachments", "--sync"]).assert_code(1);
    assert_eq!(held(&bed).len(), 3);
    login(&bed, &writer);
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let one = &bed.attachments()[0];
    assert_eq!((&one["held"], &one["waiting"]), (&json!([]), &json!([])));
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("1\n"));
    assert_eq!(bed.cat(&store, "/moved.md").as_deref(), Some("new\n"));
    assert_eq!(bed.cat(&store, "/b.md"), None);
}

#[test]
fn no_memory_becomes_a_repository_and_no_repository_memories() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let store = bed.create("Notes");
    // The server takes such names: to it they are names as others are.
    for path in [
        "/.git/config",
        "/deep/.GIT/hooks/post-checkout",
        "/.git",
        "/good.md",
    ] {
        let body = json!({ "path": path, "content": "x" }).to_string();
        let ask = bed.server.as_ref().unwrap();
        let ask = ask.ask("POST", &format!("/v1/memory_stores/{store}/memories"));
        let status = ask.json(body).send().status;
        assert!([200, 409].contains(&status), "{path}: {status}");
    }
    bed.attach(&[&store]).assert_ok();
    let copy = bed.copies().join("notes");
    let here = |env: &TestEnv| -> Vec<String> {
        let files = env.files_under(&copy).into_iter();
        files.map(|(name, _)| name).collect()
    };
    assert_eq!(here(&env), ["good.md"]);
    let skipped = bed.attachments()[0]["skipped"].as_array().unwrap().clone();
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    for one in &skipped {
        assert!(one["why"].as_str().unwrap().contains("git"), "{one}");
    }
    // Neither tool makes one.
    let said = bed.refused(
        &json!({ "command": "create", "path": "/memories/notes/sub/.git/config", "file_text": "x" }),
    );
    assert!(said.contains("git would take it"), "{said}");
    bed.refused(&json!({ "command": "rename", "old_path": "/memories/notes/good.md", "new_path": "/memories/notes/.git" }));
    let mut rpc = served(&bed.repo, &[]);
    let arguments = json!({ "store": "notes", "path": "/sub/.git/config", "content": "x" });
    let said = rpc.refused("memory_write", arguments);
    assert!(said.contains("git would take it"), "{said}");
    rpc.finish();
    assert_eq!(here(&env), ["good.md"]);
    // A repository that somebody made of the copy is nobody's memory.
    fs::create_dir_all(copy.join(".git/hooks")).unwrap();
    fs::write(copy.join(".git/hooks/post-checkout"), "x").unwrap();
    fs::write(copy.join("by-hand.md"), "x").unwrap();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let there = bed.store(&["memories", &store]);
    let there: Vec<&Value> = there["memories"].as_array().unwrap().iter().collect();
    let paths: Vec<&str> = there
        .iter()
        .map(|one| one["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "/.git/config",
            "/by-hand.md",
            "/deep/.GIT/hooks/post-checkout",
            "/good.md"
        ]
    );
}

#[test]
fn what_no_server_takes_is_not_promised_to_be_sent() {
    let env = TestEnv::new();
    let (bed, store, _) = guarded(&env);
    bed.refused(
        &json!({ "command": "create", "path": "/memories/notes/new.md", "file_text": "new\n" }),
    );
    bed.refused(&json!({ "command": "delete", "path": "/memories/notes/b.md" }));
    let error = bed.repo.mem(["detach", "notes"]).assert_code(1).stderr;
    assert!(
        error.contains("--discard") && !error.contains("--sync"),
        "{error}"
    );
    // Whoever may not write attaches it so: what was written is kept aside.
    bed.attach(&[&store, "--access", "read_only"]).assert_ok();
    let one = &bed.attachments()[0];
    assert_eq!((&one["held"], &one["waiting"]), (&json!([]), &json!([])));
    assert_eq!(one["aside"][0]["path"], "/new.md");
    assert!(bed.view("/memories/notes/b.md").contains("two"));
    let error = bed.repo.mem(["detach", "notes"]).assert_code(1).stderr;
    assert!(
        error.contains("--forget") && !error.contains("--sync"),
        "{error}"
    );
}

#[test]
fn the_name_that_sdks_keep_for_themselves_is_nobodys_memory() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/a.md", "a\n")]);
    let path = "/memories/notes/.anthropic-memory-store";
    let said = bed.refused(&json!({ "command": "create", "path": path, "file_text": "x" }));
    assert!(said.contains("SDKs"), "{said}");
    bed.refused(
        &json!({ "command": "rename", "old_path": "/memories/notes/a.md", "new_path": path }),
    );
    let mut rpc = served(&bed.repo, &[]);
    let arguments = json!({ "store": "notes", "path": "/.anthropic-memory-store", "content": "x" });
    let said = rpc.refused("memory_write", arguments);
    assert!(said.contains("SDKs"), "{said}");
    rpc.finish();
    // An SDK that syncs the same folder.
    fs::write(bed.copies().join("notes/.anthropic-memory-store"), "x").unwrap();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.count(&store), 1);
}
