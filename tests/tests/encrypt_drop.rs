//! `mem encrypt drop`: master keys that wrap nothing any more end, and no other.

use std::fs;

use mem_tests::{Output, Repo, Server, TestEnv};
use serde_json::json;

use crate::encrypt_local::{encrypt, key_file, save};

fn at_server(env: &TestEnv, args: &[&str]) -> Output {
    let data = env.root().join("data");
    let run = env.invoke(["encrypt"]).args(args);
    run.args(["--data-dir", data.to_str().unwrap()]).run()
}

/// A repository and a server with a memory each, both encrypted.
fn both_sealed(env: &TestEnv) -> (Repo<'_>, Server) {
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests above the ledge");
    let server = Server::open(env);
    let body = json!({ "entries": { "a.md": "the freeze is on friday" } });
    let put = server.store("PUT", "acme/app", "");
    put.json(body.to_string()).send().assert(200);
    at_server(env, &["on"]).assert_ok();
    encrypt(env, &["on"]).assert_ok();
    (repo, server)
}

#[test]
fn a_key_that_nothing_is_wrapped_by_ends_and_one_that_is_needed_anywhere_stays() {
    let env = TestEnv::new();
    let (repo, server) = both_sealed(&env);
    let first = fs::read_to_string(key_file(&env)).unwrap();
    let renewed = at_server(&env, &["rotate", "--master"]).assert_ok();
    assert!(
        renewed.stderr.contains("`mem encrypt drop`"),
        "{}",
        renewed.stderr
    );
    let both = fs::read_to_string(key_file(&env)).unwrap();
    // This machine still needs the first.
    let dropped = |args: &[&str]| {
        let run = at_server(&env, &[&["drop", "--json"], args].concat());
        let json = run.assert_ok().json();
        (
            json["dropped"].as_array().unwrap().len(),
            json["kept"].as_array().unwrap().len(),
        )
    };
    assert_eq!(dropped(&["--yes"]), (0, 2));
    encrypt(&env, &["rotate"]).assert_ok();
    assert_eq!(dropped(&["--dry-run"]), (1, 1));
    at_server(&env, &["drop"]).assert_code(2);
    let agent = env
        .invoke(["encrypt", "drop", "--yes"])
        .env("MEM_ACTOR", "agent");
    agent.run().assert_code(1);
    assert_eq!(
        fs::read_to_string(key_file(&env)).unwrap(),
        both,
        "nobody agreed"
    );
    let told = at_server(&env, &["drop", "--yes"]).assert_ok();
    assert!(
        told.stdout.contains("what this machine keeps"),
        "{}",
        told.stdout
    );
    let left = fs::read_to_string(key_file(&env)).unwrap();
    assert_eq!((left.len(), both.starts_with(&left)), (first.len(), true));
    assert!(!env.files_under(env.root()).iter().any(|(_, bytes)| {
        bytes
            .windows(first.len() - 1)
            .any(|part| part == first.trim_end().as_bytes())
    }));
    assert_eq!(dropped(&["--yes"]), (0, 1), "the last one stays");
    server.end();
    let server = Server::open(&env);
    let read = server.store("GET", "acme/app", "").send();
    assert_eq!(
        read.json()["entries"]["a.md"]["content"],
        "the freeze is on friday"
    );
    assert!(repo.mem(["history"]).assert_ok().stdout.contains("ledge"));
}

#[test]
fn a_database_that_nobody_names_keeps_the_key_that_it_needs() {
    let env = TestEnv::new();
    let (_repo, server) = both_sealed(&env);
    encrypt(&env, &["rotate", "--master"]).assert_ok();
    // The server's data is in no usual place, and still hangs on the first key.
    let drop = |args: &[&str]| env.invoke(["encrypt", "drop"]).args(args).run();
    let told = drop(&["--yes"]).assert_ok();
    assert!(told.stdout.contains("data`"), "{}", told.stdout);
    let keys = || fs::read_to_string(key_file(&env)).unwrap().lines().count();
    assert_eq!(keys(), 2);
    server.end();
    // As long as it cannot be looked at, nothing is destroyed.
    let (data, away) = (env.root().join("data"), env.root().join("away"));
    fs::rename(&data, &away).unwrap();
    let refused = drop(&["--yes"]).assert_code(1).stderr;
    assert!(
        refused.contains("data") && refused.contains("--forget"),
        "{refused}"
    );
    assert_eq!(keys(), 2);
    fs::rename(&away, &data).unwrap();
    let server = Server::open(&env);
    let read = server.store("GET", "acme/app", "").send();
    let read = read.json();
    assert_eq!(
        read["entries"]["a.md"]["content"],
        "the freeze is on friday"
    );
    server.end();
    fs::remove_dir_all(&data).unwrap();
    drop(&["--yes", "--forget"]).assert_ok();
    assert_eq!(keys(), 1);
    drop(&["--yes"]).assert_ok();
}
