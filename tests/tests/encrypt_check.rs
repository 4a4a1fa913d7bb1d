//! `mem encrypt status --check`: whether contents open, at a server and on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{Output, Server, TestEnv, history, tampering};
use serde_json::{Value, json};

use crate::encrypt_local::{encrypt, save};
use crate::inbox::{confirming, save as save_as_agent};

fn at_server(env: &TestEnv, args: &[&str]) -> Output {
    let data = env.root().join("data");
    let run = env.invoke(["encrypt"]).args(args);
    run.args(["--data-dir", data.to_str().unwrap()]).run()
}

#[test]
fn what_does_not_open_at_a_server_is_counted_and_named() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let entries =
        json!({ "a.md": "the freeze is on friday", "b.md": "lunch is at noon", "c.md": "apples" });
    let put = server.store("PUT", "acme/app", "");
    put.json(json!({ "entries": entries }).to_string())
        .send()
        .assert(200);
    at_server(&env, &["on"]).assert_ok();
    let checked = ["status", "--check", "--json"];
    let well = at_server(&env, &checked).assert_ok().json();
    assert_eq!(well["checked"], json!({ "open": 3, "closed": [] }));
    assert_eq!(tampering::change(&env, "/a.md"), 1);
    // One that opens, and is not what was stored.
    assert_eq!(tampering::put(&env, "CAST('no lunch' AS BLOB)", "/b.md"), 1);
    let counted = at_server(&env, &["status"]).assert_ok();
    assert!(counted.stderr.contains("--check"), "{}", counted.stderr);
    let found = at_server(&env, &checked).assert_code(1).json();
    assert_eq!(found["checked"]["open"], 1);
    let closed = found["checked"]["closed"].as_array().unwrap();
    let paths: Vec<&Value> = closed.iter().map(|one| &one["path"]).collect();
    assert_eq!(paths, ["/a.md", "/b.md"]);
    for one in closed {
        assert!(one["version"].as_str().unwrap().starts_with("memver_"));
        assert!(
            one["why"].as_str().unwrap().contains("was changed"),
            "{one}"
        );
    }
    let told = at_server(&env, &["status", "--check"]).assert_code(1);
    assert!(
        told.stdout.contains("1 contents open, 2 do not"),
        "{}",
        told.stdout
    );
    assert!(
        told.stderr.contains("`/a.md`") && told.stderr.contains("backup"),
        "{}",
        told.stderr
    );
    assert!(!told.stderr.contains("lunch"), "{}", told.stderr);
}

#[test]
fn what_does_not_open_on_this_machine_is_counted_and_named() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "ledge", "the heron nests above the ledge");
    save_as_agent(&repo, "s1", "proposed", "the otter sleeps below");
    encrypt(&env, &["on"]).assert_ok();
    save(&repo, "later", "the swallow is back");
    let checked = ["status", "--check", "--json"];
    let well = encrypt(&env, &checked).assert_ok().json();
    assert_eq!(well["checked"]["closed"], json!([]));
    assert!(well["checked"]["open"].as_u64().unwrap() > 5, "{well}");
    let state = env.home().join(".local/state/mem/stores");
    let store = fs::read_dir(&state)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut named = String::new();
    let wrong = |what: &str| {
        let closed = encrypt(&env, &checked).assert_code(1).json()["checked"]["closed"].to_string();
        assert!(closed.contains(what), "{what}: {closed}");
        named += &closed;
        let told = encrypt(&env, &["status", "--check"]).assert_code(1);
        assert!(told.stderr.contains(what), "{what}: {}", told.stderr);
        for word in ["heron", "otter", "swallow"] {
            assert!(!told.stderr.contains(word), "{}", told.stderr);
        }
    };
    let mut wrong = wrong;
    for file in files(&store.join("inbox"), ".json") {
        let whole = fs::read(&file).unwrap();
        let mut changed = whole.clone();
        let at = changed.len() * 2 / 3;
        changed[at] ^= 0x55;
        fs::write(&file, &changed).unwrap();
        wrong("inbox");
        assert_eq!(fs::read(&file).unwrap(), changed, "a look changes nothing");
        fs::write(&file, &whole).unwrap();
        encrypt(&env, &checked).assert_ok();
    }
    let db = history::database(&store.join("history"));
    for (table, column, what) in [
        ("changes", "record", "change chg_"),
        ("contents", "bytes", "of change chg_"),
    ] {
        let keys: Vec<i64> = db
            .prepare(&format!("SELECT rowid FROM {table}"))
            .unwrap()
            .query_map((), |row| row.get(0))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        for key in keys {
            let query = format!("SELECT {column} FROM {table} WHERE rowid = ?");
            let whole: Vec<u8> = db.query_row(&query, [key], |row| row.get(0)).unwrap();
            let mut changed = whole.clone();
            let at = changed.len() * 2 / 3;
            changed[at] ^= 0x55;
            let update = format!("UPDATE {table} SET {column} = ? WHERE rowid = ?");
            db.execute(&update, (&changed, key)).unwrap();
            wrong(what);
            db.execute(&update, (&whole, key)).unwrap();
            encrypt(&env, &checked).assert_ok();
        }
    }
    assert!(named.contains("`project_later.md` of change"), "{named}");
}

/// The files below a folder whose names end so; those of packs only where they are asked for.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("pack") || path.ends_with("info") => {}
            true => found.extend(files(&path, end)),
            false if path.to_str().unwrap().ends_with(end) => found.push(path),
            false => {}
        }
    }
    assert!(!found.is_empty() || end.is_empty(), "{folder:?}");
    found
}
