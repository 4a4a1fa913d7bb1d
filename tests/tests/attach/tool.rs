//! The memory tool over an attached store, and what holds it back.

use mem_tests::{TestEnv, github_token};
use serde_json::{Value, json};

use super::Bed;

#[test]
fn the_memory_tool_works_in_a_store_and_the_server_has_it() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/seen.md", "one\ntwo\n")]);
    assert!(bed.view("/memories/notes/seen.md").contains("     2\ttwo"));
    let made = bed.create_file("/memories/notes/deep/new.md", "new\n");
    assert_eq!(
        made,
        "File created successfully at: /memories/notes/deep/new.md"
    );
    assert_eq!(bed.cat(&store, "/deep/new.md").as_deref(), Some("new\n"));
    bed.done(&json!({ "command": "str_replace", "path": "/memories/notes/seen.md", "old_str": "two", "new_str": "2" }));
    bed.done(&json!({ "command": "insert", "path": "/memories/notes/seen.md", "insert_line": 0, "insert_text": "0" }));
    assert_eq!(bed.cat(&store, "/seen.md").as_deref(), Some("0\none\n2\n"));
    let before = bed.store(&["memories", &store]);
    let id = |json: &Value, path: &str| {
        let all = json["memories"].as_array().unwrap();
        all.iter()
            .find(|one| one["path"] == path)
            .map(|one| one["id"].clone())
    };
    bed.done(&json!({ "command": "rename", "old_path": "/memories/notes/deep", "new_path": "/memories/notes/moved" }));
    let after = bed.store(&["memories", &store]);
    assert_eq!(id(&after, "/moved/new.md"), id(&before, "/deep/new.md"));
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/moved" }));
    assert_eq!(bed.cat(&store, "/moved/new.md"), None);
    let root = bed.view("/memories");
    assert!(
        root.contains("\t/memories/notes/seen.md") || root.contains("\t/memories/notes/"),
        "{root}"
    );
    // What the contract does not take is refused before it is written.
    let long = "x".repeat(102_401);
    bed.refused(&json!({ "command": "create", "path": "/memories/notes/long", "file_text": long }));
    bed.refused(
        &json!({ "command": "create", "path": "/memories/notes/a\u{200b}b", "file_text": "x" }),
    );
    bed.refused(&json!({ "command": "delete", "path": "/memories/notes" }));
    bed.refused(&json!({ "command": "rename", "old_path": "/memories/notes", "new_path": "/memories/other" }));
    bed.refused(&json!({ "command": "rename", "old_path": "/memories/notes/seen.md", "new_path": "/memories/seen.md" }));
    let token = github_token(2);
    let said = bed.refused(
        &json!({ "command": "create", "path": "/memories/notes/key", "file_text": token }),
    );
    assert!(!said.contains(&token), "{said}");
    assert_eq!(bed.count(&store), 1);
    // Somebody else's change is there the next time somebody looks.
    bed.put(&store, "/seen.md", "by others\n");
    env.advance(60);
    assert!(bed.view("/memories/notes/seen.md").contains("by others"));
}

#[test]
fn read_only_means_it_and_settings_hold_agents_back() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let store = bed.create("Notes");
    bed.put(&store, "/a.md", "a\n");
    bed.attach(&[&store, "--access", "read_only"]).assert_ok();
    let inputs = [
        json!({ "command": "create", "path": "/memories/notes/b", "file_text": "x" }),
        json!({ "command": "str_replace", "path": "/memories/notes/a.md", "old_str": "a", "new_str": "b" }),
        json!({ "command": "insert", "path": "/memories/notes/a.md", "insert_line": 0, "insert_text": "x" }),
        json!({ "command": "delete", "path": "/memories/notes/a.md" }),
        json!({ "command": "rename", "old_path": "/memories/notes/a.md", "new_path": "/memories/notes/b" }),
    ];
    for input in &inputs {
        let said = bed.refused(input);
        assert!(said.contains("attached read-only"), "{said}");
    }
    // What is not said again stays.
    bed.attach(&[&store, "--instructions", "Look first."])
        .assert_ok();
    bed.refused(&inputs[0]);
    bed.attach(&[&store]).assert_ok();
    assert_eq!(bed.attachments()[0]["instructions"], "Look first.");
    assert_eq!(bed.attachments()[0]["access"], "read_only");
    bed.attach(&[&store, "--access", "read_write"]).assert_ok();
    bed.repo
        .mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    for input in &inputs {
        bed.refused(input);
    }
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("a\n"));
    assert!(bed.view("/memories/notes/a.md").contains("1\ta"));
    // A host's own directory has no stores.
    let own = bed
        .repo
        .invoke(["tool", "--root", "own"])
        .stdin(r#"{"command":"view","path":"/memories/notes"}"#);
    own.run().assert_code(1);
}

#[cfg(unix)]
#[test]
fn names_that_other_systems_do_not_take_go_both_ways() {
    let env = TestEnv::new();
    let paths = ["/con", "/100%.md", "/dots./aux.md"];
    let (bed, store) = Bed::with(&env, &paths.map(|path| (path, "one\n")));
    for path in paths {
        let at = format!("/memories/notes{path}");
        bed.done(
            &json!({ "command": "str_replace", "path": at, "old_str": "one", "new_str": "two" }),
        );
        assert_eq!(bed.cat(&store, path).as_deref(), Some("two\n"), "{path}");
    }
    bed.create_file("/memories/notes/nul.md", "new\n");
    assert_eq!(bed.cat(&store, "/nul.md").as_deref(), Some("new\n"));
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/con" }));
    assert_eq!(bed.cat(&store, "/con"), None);
    bed.put(&store, "/100%.md", "three\n");
    env.advance(60);
    assert!(bed.view("/memories/notes/100%.md").contains("three"));
    assert_eq!(bed.attachments()[0]["skipped"], json!([]));
}
