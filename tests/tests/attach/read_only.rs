//! Copies of stores that may only be read: as the server has them, whoever writes into the files.

use std::fs;

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::Bed;
use crate::mcp::served;

fn aside(bed: &Bed<'_>) -> Vec<String> {
    let all = bed.attachments()[0]["aside"].as_array().unwrap().clone();
    let path = |one: &Value| one["path"].as_str().unwrap().to_owned();
    let mut paths: Vec<String> = all.iter().map(path).collect();
    paths.sort();
    paths
}

fn attached<'e>(env: &'e TestEnv, access: &str) -> (Bed<'e>, String) {
    let bed = Bed::new(env);
    let store = bed.create("Notes");
    for name in ["style", "other", "kept"] {
        bed.put(&store, &format!("/{name}.md"), &format!("{name}\n"));
    }
    bed.attach(&[&store, "--access", access]).assert_ok();
    (bed, store)
}

#[test]
fn what_was_written_into_its_files_is_put_back_and_never_sent() {
    let env = TestEnv::new();
    let (bed, store) = attached(&env, "read_only");
    let copy = bed.copies().join("notes");
    let read = |name: &str| fs::read_to_string(copy.join(name)).ok();
    fs::remove_file(copy.join("style.md")).unwrap();
    fs::write(copy.join("other.md"), "evil\n").unwrap();
    fs::write(copy.join("extra.md"), "extra\n").unwrap();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(read("style.md").as_deref(), Some("style\n"));
    assert_eq!(read("other.md").as_deref(), Some("other\n"));
    assert_eq!(read("extra.md"), None);
    assert_eq!(aside(&bed), ["/extra.md", "/other.md"]);
    let file = bed.attachments()[0]["aside"][0]["file"].clone();
    let file = file
        .as_str()
        .unwrap()
        .replace("[ENV]", env.root().to_str().unwrap());
    assert!(["evil\n", "extra\n"].contains(&&*fs::read_to_string(file).unwrap()));
    let listed = bed.repo.mem(["attachments"]).assert_ok().stdout;
    assert!(listed.contains("may only be read"), "{listed}");
    // An agent's look does it too.
    fs::write(copy.join("other.md"), "evil\n").unwrap();
    env.advance(60);
    assert!(bed.view("/memories/notes/other.md").contains("other"));
    // And what nobody has looked at yet is not sent when the store may be written.
    fs::write(copy.join("other.md"), "worse\n").unwrap();
    let output = bed.attach(&[&store, "--access", "read_write"]).assert_ok();
    assert!(
        output.stderr.contains("1 text gave way"),
        "{}",
        output.stderr
    );
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.cat(&store, "/other.md").as_deref(), Some("other\n"));
    assert_eq!(bed.count(&store), 3);
    assert_eq!(aside(&bed), ["/extra.md", "/other.md", "/other.md"]);
}

#[test]
fn what_is_remembered_of_it_may_be_lost_and_nothing_gives_way() {
    let env = TestEnv::new();
    let (bed, _) = attached(&env, "read_only");
    let copies = bed.copies();
    let base = copies.parent().unwrap().join("state/notes/base.json");
    fs::write(&base, "{\"memories\":{").unwrap();
    let told = bed.repo.mem(["attachments"]).assert_ok();
    assert!(
        told.stderr.contains("damaged") && told.stderr.contains("--sync"),
        "{}",
        told.stderr
    );
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let told = bed.repo.mem(["attachments"]).assert_ok();
    assert!(!told.stderr.contains("damaged"), "{}", told.stderr);
    fs::remove_file(&base).unwrap();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.attachments()[0]["memories"], 3);
    assert_eq!(aside(&bed), [""; 0]);
    assert_eq!(env.files_under(&copies).len(), 3);
}

#[test]
fn a_store_with_changes_that_wait_does_not_become_one() {
    let env = TestEnv::new();
    let (mut bed, store) = attached(&env, "read_write");
    bed.kill();
    env.advance(60);
    bed.create_file("/memories/notes/new.md", "new\n");
    bed.revive();
    let error = bed
        .attach(&[&store, "--access", "read_only"])
        .assert_code(1)
        .stderr;
    assert!(
        error.contains("1 change of `notes`") && error.contains("--sync"),
        "{error}"
    );
    assert_eq!(bed.attachments()[0]["access"], "read_write");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.cat(&store, "/new.md").as_deref(), Some("new\n"));
    bed.attach(&[&store, "--access", "read_only"]).assert_ok();
    assert_eq!(bed.attachments()[0]["waiting"], json!([]));
}

#[test]
fn what_was_written_into_its_files_is_not_shown_while_the_server_is_away() {
    let env = TestEnv::new();
    let (mut bed, _) = attached(&env, "read_only");
    let mut rpc = served(&bed.repo, &[]);
    bed.kill();
    env.advance(60);
    let copy = bed.copies().join("notes");
    fs::write(copy.join("other.md"), "evil zorbax\n").unwrap();
    fs::write(copy.join("extra.md"), "extra zorbax\n").unwrap();
    for name in ["other.md", "extra.md"] {
        let path = format!("/memories/notes/{name}");
        let said = bed.refused(&json!({ "command": "view", "path": path }));
        assert!(
            said.contains("changed here by other means") && !said.contains("zorbax"),
            "{said}"
        );
        let said = rpc.refused("memory_read", json!({ "path": path }));
        assert!(said.contains("changed here"), "{said}");
    }
    let folder = bed.view("/memories/notes");
    assert_eq!(folder.matches("changed here by other means").count(), 2);
    assert!(bed.view("/memories/notes/style.md").contains("style"));
    let found = rpc.tool(
        "memory_search",
        json!({ "store": "notes", "query": "zorbax" }),
    );
    assert_eq!(found["memories"], json!([]));
    rpc.finish();
    bed.revive();
    env.advance(600);
    assert!(bed.view("/memories/notes/other.md").contains("other"));
    assert!(!bed.view("/memories/notes").contains("changed here"));
}
