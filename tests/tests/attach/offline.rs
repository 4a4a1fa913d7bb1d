//! Attached stores while the server is away, when it is back, and when two changed the same.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use mem_tests::TestEnv;
use serde_json::json;

use super::Bed;
use crate::store_keys::{http, listener};

/// The longest that an agent may wait for a server that is away, with the start of a test build.
const PATIENCE: Duration = Duration::from_secs(8);

#[test]
fn what_is_written_while_the_server_is_away_goes_there_when_it_is_back() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[("/a.md", "one\n"), ("/gone.md", "gone\n")]);
    let begun = Instant::now();
    assert!(bed.view("/memories/notes/a.md").contains("one"));
    bed.create_file("/memories/notes/new.md", "new\n");
    bed.done(&json!({ "command": "str_replace", "path": "/memories/notes/a.md", "old_str": "one", "new_str": "two" }));
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/gone.md" }));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    // What is as the server has it again does not wait.
    bed.create_file("/memories/notes/passing.md", "x\n");
    bed.done(&json!({ "command": "rename", "old_path": "/memories/notes/passing.md", "new_path": "/memories/notes/other.md" }));
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/other.md" }));
    let waiting = &bed.attachments()[0]["waiting"];
    assert_eq!(*waiting, json!(["/a.md", "/gone.md", "/new.md"]));
    let status = bed.repo.mem(["status"]).assert_ok().stdout;
    assert!(
        status.contains("/memories/notes") && status.contains("3 changes wait"),
        "{status}"
    );
    let error = bed.repo.mem(["detach", "notes"]).assert_code(1);
    assert!(
        error.stderr.contains("3 changes would be lost"),
        "{}",
        error.stderr
    );
    bed.repo.mem(["attachments", "--sync"]).assert_code(5);
    bed.revive();
    // Left alone for a while, then asked again by the next call of an agent.
    env.advance(600);
    bed.create_file("/memories/notes/later.md", "later\n");
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("two\n"));
    assert_eq!(bed.cat(&store, "/new.md").as_deref(), Some("new\n"));
    assert_eq!(bed.cat(&store, "/later.md").as_deref(), Some("later\n"));
    assert_eq!(bed.cat(&store, "/gone.md"), None);
    assert_eq!(bed.attachments()[0]["waiting"], json!([]));
    assert_eq!(bed.attachments()[0]["trouble"], json!(null));
}

#[test]
fn of_two_changes_the_servers_stands_and_the_other_is_kept() {
    let env = TestEnv::new();
    let mut bed = Bed::new(&env);
    let store = bed.create("Notes");
    for path in ["/a.md", "/b.md", "/c.md"] {
        bed.put(&store, path, "base\n");
    }
    bed.attach(&[&store]).assert_ok();
    bed.kill();
    env.advance(60);
    let edit = |path: &str, new: &str| json!({ "command": "str_replace", "path": path, "old_str": "base", "new_str": new });
    bed.done(&edit("/memories/notes/a.md", "mine"));
    bed.done(&edit("/memories/notes/b.md", "the same"));
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/c.md" }));
    bed.create_file("/memories/notes/new.md", "mine\n");
    bed.create_file("/memories/notes/folder/inner.md", "mine\n");
    bed.revive();
    bed.put(&store, "/a.md", "theirs\n");
    bed.put(&store, "/b.md", "the same\n");
    bed.put(&store, "/c.md", "theirs\n");
    bed.put(&store, "/new.md", "theirs\n");
    bed.put(&store, "/folder", "theirs\n");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    for path in ["/a.md", "/c.md", "/new.md", "/folder"] {
        assert_eq!(bed.cat(&store, path).as_deref(), Some("theirs\n"), "{path}");
        let here = bed.view(&format!("/memories/notes{path}"));
        assert!(here.contains("theirs"), "{here}");
    }
    assert_eq!(bed.cat(&store, "/b.md").as_deref(), Some("the same\n"));
    let one = &bed.attachments()[0];
    assert_eq!(one["waiting"], json!([]));
    let aside = one["aside"].as_array().unwrap();
    let mut paths: Vec<&str> = aside
        .iter()
        .map(|one| one["path"].as_str().unwrap())
        .collect();
    paths.sort_unstable();
    assert_eq!(paths, ["/a.md", "/folder/inner.md", "/new.md"]);
    for one in aside {
        let file = one["file"].as_str().unwrap();
        let file = file.replace("[ENV]", env.root().to_str().unwrap());
        let kept = fs::read_to_string(file).unwrap();
        assert!(kept.contains("mine"), "{kept}");
    }
    let listed = bed.repo.mem(["attachments"]).assert_ok().stdout;
    assert!(listed.contains("gave way: /a.md"), "{listed}");
    let status = bed.repo.mem(["status"]).assert_ok().stdout;
    assert!(status.contains("3 texts gave way"), "{status}");
    let error = bed.repo.mem(["detach", "notes"]).assert_code(1).stderr;
    assert!(error.contains("--forget"), "{error}");
    bed.repo
        .mem(["attachments", "--forget", "nothing"])
        .assert_code(1);
    bed.repo.mem(["attachments", "--forget", "all"]).assert_ok();
    assert_eq!(bed.attachments()[0]["aside"], json!([]));
    bed.repo.mem(["detach", "notes"]).assert_ok();
}

#[test]
fn an_agent_that_lost_a_race_is_told() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/a.md", "base\n")]);
    // Within the seconds in which a copy counts as fresh.
    bed.put(&store, "/a.md", "theirs\n");
    let edit = json!({ "command": "str_replace", "path": "/memories/notes/a.md", "old_str": "base", "new_str": "mine" });
    let said = bed.refused(&edit);
    assert!(
        said.contains("changed by somebody else") && said.contains("kept"),
        "{said}"
    );
    assert!(bed.view("/memories/notes/a.md").contains("theirs"));
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("theirs\n"));
    assert_eq!(bed.attachments()[0]["aside"][0]["path"], "/a.md");
}

#[test]
fn what_the_server_changed_comes_with_the_next_look() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let store = bed.create("Notes");
    for at in 0..30 {
        bed.put(&store, &format!("/d{}/{at}.md", at % 3), &format!("{at}\n"));
    }
    bed.attach(&[&store]).assert_ok();
    assert_eq!(bed.attachments()[0]["memories"], 30);
    bed.store(&["mv", &store, "/d0/0.md", "/moved.md"]);
    bed.store(&["rm", &store, "/d1/1.md"]);
    bed.store(&["mv", &store, "/d2/2.md", "/swap"]);
    bed.store(&["mv", &store, "/d2/5.md", "/d2/2.md"]);
    bed.put(&store, "/d2/8.md", "eight\n");
    env.advance(60);
    assert!(bed.view("/memories/notes/moved.md").contains("0"));
    let copies = bed.copies().join("notes");
    let read = |path: &str| fs::read_to_string(copies.join(path)).ok();
    assert_eq!(read("d0/0.md"), None);
    assert_eq!(read("d1/1.md"), None);
    assert_eq!(read("swap").as_deref(), Some("2\n"));
    assert_eq!(read("d2/2.md").as_deref(), Some("5\n"));
    assert_eq!(read("d2/5.md"), None);
    assert_eq!(read("d2/8.md").as_deref(), Some("eight\n"));
    assert_eq!(env.files_under(&copies).len(), 29);
}

#[test]
fn a_copy_that_was_swept_away_comes_back_and_empties_no_store() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/a.md", "a\n"), ("/b.md", "b\n")]);
    let copies = bed.copies().join("notes");
    fs::remove_dir_all(&copies).unwrap();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(env.files_under(&copies).len(), 2);
    assert!(bed.cat(&store, "/a.md").is_some() && bed.cat(&store, "/b.md").is_some());
    // What a person edits there is sent, what damages the state is told.
    fs::write(copies.join("a.md"), "by hand\n").unwrap();
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("by hand\n"));
    let state = copies
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .join("state/notes");
    for file in ["base.json", "standing.json", "waiting.json"] {
        fs::write(state.join(file), "{").unwrap();
        bed.repo.mem(["attachments", "--sync"]).assert_ok();
        assert_eq!(bed.cat(&store, "/b.md").as_deref(), Some("b\n"), "{file}");
        assert_eq!(env.files_under(&copies).len(), 2, "{file}");
    }
}

#[test]
fn what_a_server_lost_to_an_older_backup_is_kept_aside() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[("/a.md", "one\n"), ("/gone.md", "gone\n")]);
    let (data, backup) = (env.root().join("data"), env.root().join("backup"));
    let copy = |from: &Path, to: &Path| {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    };
    copy(&data, &backup);
    bed.revive();
    env.advance(600);
    bed.create_file("/memories/notes/new.md", "new\n");
    bed.done(&json!({ "command": "str_replace", "path": "/memories/notes/a.md", "old_str": "one", "new_str": "two" }));
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/gone.md" }));
    assert_eq!(bed.cat(&store, "/new.md").as_deref(), Some("new\n"));
    bed.kill();
    fs::remove_dir_all(&data).unwrap();
    copy(&backup, &data);
    bed.revive();
    // Somebody writes first, so that its newest version is newer than all that this copy knows.
    env.advance(600);
    bed.put(&store, "/of somebody.md", "later\n");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    // Nothing is sent again by itself: it may have been erased there.
    assert_eq!(bed.cat(&store, "/new.md"), None);
    assert_eq!(bed.cat(&store, "/a.md").as_deref(), Some("one\n"));
    let aside = bed.attachments()[0]["aside"].clone();
    let of = |path: &str| {
        let all = aside.as_array().unwrap().iter();
        let mut found = all.filter(|one| one["path"] == path);
        found
            .next()
            .unwrap_or_else(|| panic!("{path}: {aside}"))
            .clone()
    };
    assert!(
        of("/new.md")["why"]
            .as_str()
            .unwrap()
            .contains("older state")
    );
    assert!(of("/a.md")["why"].is_string());
    // What was deleted since stands there again, and here.
    assert!(bed.view("/memories/notes/gone.md").contains("gone"));
    let root = env.root().to_str().unwrap();
    let text = |path: &str| {
        let file = of(path)["file"].as_str().unwrap().replace("[ENV]", root);
        fs::read_to_string(file).unwrap()
    };
    assert_eq!(
        (text("/new.md"), text("/a.md")),
        ("new\n".to_owned(), "two\n".to_owned())
    );
}

#[test]
fn a_store_that_is_gone_or_archived_leaves_its_copy() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let (one, two) = (bed.create("One"), bed.create("Two"));
    bed.put(&one, "/a.md", "a\n");
    bed.put(&two, "/a.md", "a\n");
    bed.attach(&[&one]).assert_ok();
    bed.attach(&[&two]).assert_ok();
    bed.store(&["archive", &one, "--yes"]);
    bed.store(&["delete", &two, "--yes"]);
    env.advance(60);
    bed.repo.mem(["attachments", "--sync"]).assert_code(1);
    let listed = bed.attachments();
    assert_eq!(listed[0]["archived"], true);
    assert!(listed[1]["trouble"].is_string(), "{}", listed[1]);
    for slug in ["one", "two"] {
        assert!(bed.view(&format!("/memories/{slug}/a.md")).contains("1\ta"));
    }
    bed.create_file("/memories/two/b.md", "b\n");
    let error = bed.repo.mem(["detach", "two"]).assert_code(1).stderr;
    assert!(
        error.contains("--discard") && !error.contains("--sync"),
        "{error}"
    );
    let said =
        bed.refused(&json!({ "command": "create", "path": "/memories/one/b", "file_text": "x" }));
    assert!(said.contains("archived"), "{said}");
}

#[test]
fn a_server_that_ends_in_the_middle_leaves_nothing_half() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[]);
    for at in 0..40 {
        fs::create_dir_all(bed.copies().join("notes")).unwrap();
        fs::write(
            bed.copies().join(format!("notes/{at}.md")),
            format!("{at}\n"),
        )
        .unwrap();
    }
    bed.revive();
    let mut sync = bed.repo.invoke(["attachments", "--sync"]).spawn();
    // Somewhere in the middle: as soon as the first memory is there.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) && bed.count(&store) == 0 {}
    bed.kill();
    sync.wait().unwrap();
    bed.revive();
    env.advance(600);
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let there = bed.store(&["memories", &store]);
    assert_eq!(there["memories"].as_array().unwrap().len(), 40);
    let versions = bed.store(&["versions", &store, "-n", "100"]);
    assert_eq!(versions["versions"].as_array().unwrap().len(), 40);
    let one = &bed.attachments()[0];
    assert_eq!(
        (&one["waiting"], &one["aside"], &one["held"]),
        (&json!([]), &json!([]), &json!([]))
    );
}

#[test]
fn a_server_that_hangs_keeps_no_agent_for_long() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[("/a.md", "one\n")]);
    // Takes connections, says nothing.
    let address = bed.url.trim_start_matches("http://").to_owned();
    let silent = TcpListener::bind(&address).unwrap();
    let begun = Instant::now();
    assert!(bed.view("/memories/notes/a.md").contains("one"));
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    let begun = Instant::now();
    for at in 0..10 {
        bed.create_file(&format!("/memories/notes/{at}.md"), "x\n");
    }
    // It is left alone after the first time.
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    drop(silent);
    bed.revive();
    env.advance(600);
    bed.view("/memories/notes/a.md");
    assert_eq!(bed.count(&store), 11);
}

#[test]
fn what_a_hostile_server_calls_its_memories_stays_in_the_copy() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let time = "2026-01-01T00:00:00Z";
    let store = json!({
        "type": "memory_store", "id": "memstore_1", "name": "../../escaped", "description": "", "metadata": {},
        "created_at": time, "updated_at": time, "archived_at": null,
    });
    let paths = [
        "/../../escaped",
        "/a/../b",
        "relative",
        "/good.md",
        "/good.md/below",
        "//",
        "/a\u{0}b",
    ];
    let memories = paths.iter().enumerate().map(|(at, path)| {
        json!({
            "type": "memory", "id": format!("mem_{at}"), "memory_store_id": "memstore_1", "path": path,
            "content": "x", "content_sha256": "0".repeat(64), "content_size_bytes": 1,
            "memory_version_id": "memver_1", "created_at": time, "updated_at": time,
        })
    });
    let page = json!({ "data": memories.collect::<Vec<_>>(), "next_page": null });
    let (store, page) = (store.to_string(), page.to_string());
    let empty = r#"{"data":[],"next_page":null}"#;
    // The store by its id, again with its copy, its newest version, and all that it has.
    let (url, _requests) = listener(move |at| match at {
        0 | 1 => http("200 OK", "", &store),
        2 => http("200 OK", "", empty),
        _ => http("200 OK", "", &page),
    });
    let run = repo.invoke(["attach", "memstore_1", "--base-url", &url]);
    run.run().assert_ok();
    let listed = repo.mem(["attachments", "--json"]).assert_ok().json();
    let one = &listed["resources"][0];
    assert_eq!(one["mount_path"], "/memories/-escaped");
    assert_eq!(one["skipped"].as_array().unwrap().len(), 5, "{one}");
    let all = env.files_under(&env.home());
    let found = all
        .iter()
        .filter(|(name, _)| name.contains("escaped/") && name.contains("/memories/"));
    let found: Vec<&str> = found
        .map(|(name, _)| name.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(!env.work().join("escaped").exists() && !env.root().join("escaped").exists());
}
