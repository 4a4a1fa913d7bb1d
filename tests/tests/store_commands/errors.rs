//! What is said where a store cannot do what is asked of it.

use std::fs;

use mem_tests::{TestEnv, github_token};
use serde_json::json;

use super::Shop;

#[test]
fn a_rollback_that_finds_its_place_taken_says_how_to_make_room() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    shop.put(&store, "/notes/a.md", "old\n");
    let versions = shop.json(&["versions", &store]);
    let version = versions["versions"][0]["id"].as_str().unwrap().to_owned();
    shop.run(&["rm", &store, "/notes/a.md"]).assert_ok();
    for (at, other) in ["/notes/a.md", "/notes", "/notes/a.md/below"]
        .iter()
        .enumerate()
    {
        shop.put(&store, other, "new\n");
        let error = shop.fails(&["rollback", &store, &version], 4);
        assert_eq!(error["kind"], "conflict");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("`/notes/a.md` cannot come back")
                && message.contains(&format!("`{other}`")),
            "{message}"
        );
        let hint = error["hint"].as_str().unwrap();
        assert!(
            hint.contains(&format!("mem store mv STORE {other} PATH")) && hint.contains(&version),
            "{hint}"
        );
        // What the hint says works.
        let cat = ["cat", &store, "/notes/a.md", "--version", &version];
        assert_eq!(shop.run(&cat).assert_ok().stdout, "old\n");
        shop.run(&["mv", &store, other, &format!("/moved/{at}")])
            .assert_ok();
    }
    let back = shop.json(&["rollback", &store, &version]);
    assert_eq!(back["memory"]["path"], "/notes/a.md");
}

#[test]
fn the_name_that_sdks_keep_for_themselves_is_refused_and_named() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    shop.put(&store, "/a.md", "a\n");
    let name = "/.anthropic-memory-store";
    for args in [
        &["put", &store, name, "--body", "x"][..],
        &["mv", &store, "/a.md", name],
    ] {
        let error = shop.fails(args, 1);
        assert_eq!(error["kind"], "refused");
        assert!(
            error["message"].as_str().unwrap().contains("SDKs"),
            "{error}"
        );
    }
    // What somebody else made there is neither written anew nor brought back.
    let memories = format!("/v1/memory_stores/{store}/memories");
    let body = json!({ "path": name, "content": "theirs" }).to_string();
    let made = shop.server.ask("POST", &memories).json(body).send();
    made.assert(200);
    let made = made.json();
    let (id, version) = (&made["id"], made["memory_version_id"].as_str().unwrap());
    let memory = format!("{memories}/{}", id.as_str().unwrap());
    for is_deleted in [false, true] {
        if is_deleted {
            shop.server.ask("DELETE", &memory).send().assert(200);
        }
        let error = shop.fails(&["rollback", &store, version], 1);
        assert_eq!(error["kind"], "refused");
        assert_eq!(error["hint"], "write it at another path");
    }
    let versions = shop.json(&["versions", &store]);
    // The first text of `/a.md`, and theirs made and deleted.
    assert_eq!(versions["versions"].as_array().unwrap().len(), 3);
    let folder = env.work().join("in");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(".anthropic-memory-store"), "x").unwrap();
    fs::write(folder.join("b.md"), "b\n").unwrap();
    let report = shop.json(&["import", &store, "in"]);
    assert_eq!(
        (&report["created"], &report["skipped"][0]["path"]),
        (&1.into(), &name.into())
    );
}

#[test]
fn no_secret_becomes_metadata_of_a_store() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let token = github_token(1);
    for pair in [
        format!("k={token}"),
        format!("token={token}"),
        format!("k=see {token}."),
        format!("{token}=v"),
        format!("old-{token}=v"),
    ] {
        for start in [["create", "other"], ["update", &store]] {
            let args = [&start[..], &["--metadata", "team=web", "--metadata", &pair]].concat();
            let output = shop.run(&args).assert_code(3);
            let said = &output.stderr;
            assert!(!said.contains(&token), "{said}");
            assert!(
                said.contains("the metadata of the store holds a secret") && said.contains("hint:"),
                "{said}"
            );
        }
    }
    let stores = shop.json(&["list"])["stores"].clone();
    assert_eq!(stores.as_array().unwrap().len(), 1, "{stores}");
    assert_eq!(stores[0]["metadata"], serde_json::json!({}));
    // One that is there already can be taken away.
    shop.run(&["update", &store, "--without-metadata", &token])
        .assert_ok();
}

#[test]
fn a_dash_for_a_text_is_standard_input() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let put = ["put", &store, "/p", "--body", "-"];
    for text in ["one\n", "two\n"] {
        shop.given(&put, text).assert_ok();
        let there = shop.run(&["cat", &store, "/p"]).assert_ok().stdout;
        assert_eq!(there, text);
    }
    // What only begins with one is the text itself.
    shop.put(&store, "/p", "- an item");
    let there = shop.run(&["cat", &store, "/p"]).assert_ok().stdout;
    assert_eq!(there.trim_end(), "- an item");
}
