//! A store of a server, and the key of what one keeps.

use std::fs;

use mem_tests::{Server, TestEnv, postgres};
use serde_json::json;

use super::TEXT;

#[test]
fn a_store_of_a_server_goes_with_its_versions_and_its_key() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let server = Server::open(&env);
    for repository in ["acme/app", "acme/other"] {
        for text in [TEXT, "Something newer that was said in its place, later"] {
            let text = format!("{repository}: {text}");
            let body = json!({ "entries": { "a.md": text } }).to_string();
            server
                .store("PUT", repository, "")
                .json(body)
                .send()
                .assert(200);
        }
    }
    let erase = |more: &[&str]| {
        let run = env.invoke(["erase", "--store", "team:acme/app", "--data-dir", data]);
        run.args(more).run()
    };
    let refused = erase(&["--yes"]).assert_code(4).stderr;
    assert!(refused.contains("a server is using"), "{refused}");
    assert!(
        erase(&["--dry-run"])
            .assert_ok()
            .stdout
            .contains("2 versions")
    );
    env.mem(["encrypt", "on", "--data-dir", data]).assert_ok();
    server.end();
    let erased = erase(&["--yes", "--json"]).assert_ok().json();
    assert_eq!(erased["proof"]["is_clean"], true);
    assert!(erased["proof"]["searched_for"]["content"].as_u64().unwrap() >= 2);
    erase(&["--yes"]).assert_code(2);
    let server = Server::open(&env);
    let gone = server.store("GET", "acme/app", "").send();
    assert!(gone.status == 404 || gone.json()["entries"] == json!({}));
    let other = server.store("GET", "acme/other", "").send().json();
    assert!(
        other["entries"]["a.md"]["content"]
            .as_str()
            .unwrap()
            .contains("newer")
    );
    server.end();
    // Without the key it cannot be read, and goes all the same.
    fs::remove_file(env.home().join(".config/mem/master.key")).unwrap();
    let other = ["erase", "--store", "team:acme/other", "--yes", "--data-dir"];
    let erased = env.invoke(other).args([data]).run().assert_ok();
    assert!(
        erased.stdout.contains("nothing is left"),
        "{}",
        erased.stdout
    );
}

#[test]
fn an_erasure_that_did_not_end_is_ended_and_proven_by_the_next_one() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let server = Server::open(&env);
    let body = json!({ "entries": { "a.md": TEXT } }).to_string();
    let put = server.store("PUT", "acme/app", "");
    put.json(body).send().assert(200);
    server.end();
    let erase = || {
        let run = env.invoke(["erase", "--store", "team:acme/app", "--yes", "--json"]);
        run.args(["--data-dir", data.to_str().unwrap()]).run()
    };
    // Something is left the first time; the store is gone by then.
    let copy = data.join("copy.txt");
    fs::write(&copy, TEXT).unwrap();
    erase().assert_code(1);
    let notes = || env.files_under(&data.join("erasing"));
    assert!(
        !notes().is_empty()
            && notes()
                .iter()
                .all(|(_, note)| !String::from_utf8_lossy(note).contains("staging"))
    );
    fs::remove_file(copy).unwrap();
    let proof = erase().assert_ok().json()["proof"].clone();
    assert_eq!(proof["found"], json!([]));
    assert!(
        proof["searched_for"]["digest"].as_u64().unwrap() >= 1,
        "{proof}"
    );
    // And then there is nothing more to end.
    assert!(notes().is_empty());
    erase().assert_code(2);
}

#[test]
fn what_a_server_keeps_here_is_not_called_erased_with_the_rest() {
    let env = TestEnv::new();
    let repo = super::remembering(&env, "app", TEXT);
    env.mem(["server", "token", "create", "--name", "ann"])
        .assert_ok();
    let data = env.home().join(".local/share/mem/server");
    assert!(data.is_dir());
    let dry = repo.mem(["erase", "--all", "--dry-run"]).assert_ok();
    assert!(dry.stderr.contains("a server's data in"), "{}", dry.stderr);
    let erased = repo.mem(["erase", "--all", "--yes", "--json"]).assert_ok();
    let proof = erased.json()["proof"].clone();
    assert_eq!(proof["is_clean"], false);
    let not_searched = proof["not_searched"].to_string();
    assert!(
        not_searched.contains("--data-dir") && data.is_dir(),
        "{not_searched}"
    );
    let told = repo.mem(["erase", "--all", "--yes"]).assert_ok().stdout;
    assert!(
        told.contains("not searched: a server's data") && !told.contains("nothing is left\n"),
        "{told}"
    );
}

#[test]
fn a_proof_does_not_speak_for_files_that_were_not_searched() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let env = TestEnv::new();
    let url = cluster.database();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"];
    let server = Server::of(env.invoke(serve).env("MEM_DATABASE_URL", &url));
    for repository in ["acme/app", "acme/other"] {
        let body = json!({ "entries": { "a.md": TEXT } }).to_string();
        server
            .store("PUT", repository, "")
            .json(body)
            .send()
            .assert(200);
    }
    server.end();
    let erase = |store: &str, more: &[&str]| {
        let run = env.invoke(["erase", "--store", store, "--yes"]);
        run.args(more)
            .env("MEM_DATABASE_URL", &url)
            .run()
            .assert_ok()
    };
    let proof = erase("team:acme/app", &["--json"]).json()["proof"].clone();
    assert_eq!(proof["is_clean"], false);
    assert!(proof["not_searched"].to_string().contains("PostgreSQL"));
    let told = erase("team:acme/other", &[]).stdout;
    assert!(
        told.contains("not searched") && !told.contains("nothing is left\n"),
        "{told}"
    );
}

#[test]
fn a_destroyed_key_ends_every_copy_of_what_it_wrapped() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let server = Server::open(&env);
    let body = json!({ "entries": { "a.md": TEXT } }).to_string();
    server
        .store("PUT", "acme/app", "")
        .json(body)
        .send()
        .assert(200);
    env.mem(["encrypt", "on", "--data-dir", data]).assert_ok();
    let backup = [
        "server",
        "backup",
        "--to",
        "copy.sqlite",
        "--data-dir",
        data,
    ];
    env.mem(backup).assert_ok();
    server.end();
    env.mem(["erase", "--project", "--destroy-key", "--yes"])
        .assert_code(2);
    let dry = env
        .mem(["erase", "--all", "--destroy-key", "--dry-run"])
        .assert_ok();
    assert!(
        dry.stderr.contains("can never be read again"),
        "{}",
        dry.stderr
    );
    env.mem(["erase", "--all", "--destroy-key", "--yes"])
        .assert_ok();
    assert!(!env.home().join(".config/mem/master.key").exists());
    let restore = [
        "server",
        "restore",
        "--from",
        "copy.sqlite",
        "--data-dir",
        "elsewhere",
    ];
    let told = env.mem(restore).assert_code(1).stderr;
    assert!(told.contains("there is no master key"), "{told}");
}
