//! The end of a server, by word and by force; replicas; backups.

use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use mem_tests::http::{Answer, connect};
use mem_tests::{Server, TestEnv, postgres};
use serde_json::json;

use super::{get, put};
use crate::team::Person;

#[test]
fn what_was_begun_is_finished_and_nothing_new_is_taken() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let body = json!({ "entries": { "late.md": "x" } }).to_string();
    let ask = server.store("PUT", "acme/app", "").json(body);
    let bytes = ask.header("expect", "100-continue").bytes();
    let (head, rest) = bytes.split_at(bytes.len() - 10);
    let mut slow = connect(server.address);
    slow.write_all(head).unwrap();
    // From here on the request is being answered.
    let mut go_on = [0; 25];
    slow.read_exact(&mut go_on).unwrap();
    assert!(go_on.starts_with(b"HTTP/1.1 100"));
    let idle = connect(server.address);
    server.signal("TERM");
    // The idle connection is closed once the server has heard of it.
    assert_eq!(Answer::read(idle).status, 0);
    slow.write_all(rest).unwrap();
    Answer::read(slow).assert(200);
    let (code, log) = server.wait();
    assert_eq!(code, 0, "{log}");
    let server = Server::open(&env);
    assert_eq!(get(&server).json()["entries"]["late.md"]["content"], "x");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let ask = server
        .store("PUT", "acme/app", "")
        .header("content-length", "10");
    let ask = ask
        .header("content-type", "application/json")
        .header("expect", "100-continue");
    let mut stuck = ask.begin();
    let mut go_on = [0; 25];
    stuck.read_exact(&mut go_on).unwrap();
    let idle = connect(server.address);
    server.signal("INT");
    assert_eq!(Answer::read(idle).status, 0);
    server.signal("INT");
    let (code, log) = server.wait();
    assert_eq!(code, 0, "{log}");
    assert!(log.contains("ending at once"), "{log}");
}

#[test]
fn a_database_that_hangs_does_not_keep_the_server() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let env = TestEnv::new();
    let url = cluster.database();
    let run = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
    let server = Server::of(run.env("MEM_DATABASE_URL", &url));
    put(&server, "a.md", "1");
    let name = url.rsplit_once("localhost/").unwrap().1;
    let name = name.split('?').next().unwrap();
    let lock = "BEGIN; LOCK TABLE memory_store; SELECT 'locked'; SELECT pg_sleep(600)";
    let mut holder = cluster.query(name, lock);
    holder.stdout(Stdio::null()).stderr(Stdio::null());
    let mut holder = holder.spawn().unwrap();
    let locked = "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted";
    let said = |sql: &str| cluster.query(name, sql).output().unwrap().stdout;
    while said(locked).is_empty() {}
    let body = json!({ "entries": { "a.md": "2" } }).to_string();
    let stuck = server.store("PUT", "acme/app", "").json(body).begin();
    let waits = "SELECT 1 FROM pg_locks WHERE NOT granted";
    while said(waits).is_empty() {}
    let idle = connect(server.address);
    server.signal("TERM");
    assert_eq!(Answer::read(idle).status, 0);
    server.signal("TERM");
    let (code, log) = server.wait();
    let _ = said(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted",
    );
    let _ = holder.wait();
    assert_eq!(code, 0, "{log}");
    assert!(log.contains("the database did not close in time"), "{log}");
    assert_eq!(Answer::read(stuck).status, 0);
}

#[test]
fn whoever_waits_for_anothers_migration_says_so() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let env = TestEnv::new();
    let url = cluster.database();
    let name = url.rsplit_once("localhost/").unwrap().1;
    let name = name.split('?').next().unwrap();
    // As a replica leaves it that was killed while it migrated.
    let leased = "CREATE TABLE schema_migrations (
            version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL);
        CREATE TABLE schema_lease (
            id BIGINT NOT NULL PRIMARY KEY, owner TEXT NOT NULL, ends_at BIGINT NOT NULL);
        INSERT INTO schema_lease
            VALUES (1, 'gone', extract(epoch FROM clock_timestamp())::bigint * 1000000 + 2000000)";
    assert!(cluster.query(name, leased).status().unwrap().success());
    let run = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
    let server = Server::of(run.env("MEM_DATABASE_URL", &url));
    put(&server, "a.md", "1");
    let log = server.end();
    assert_eq!(log.matches("another replica migrates").count(), 1, "{log}");
}

#[test]
fn kill_keeps_what_was_acknowledged() {
    let env = TestEnv::new();
    let mut acknowledged: Vec<(String, String)> = Vec::new();
    for round in 0..4 {
        let server = Server::open(&env);
        let version = || get(&server).json()["version"].as_u64().unwrap();
        let (stop, begun) = (AtomicBool::new(false), version());
        let written: Vec<(String, String)> = thread::scope(|scope| {
            let writers: Vec<_> = (0..4)
                .map(|writer| {
                    let (server, stop) = (&server, &stop);
                    scope.spawn(move || write_until(server, stop, round, writer))
                })
                .collect();
            while version() < begun + 20 {}
            server.signal("KILL");
            stop.store(true, Ordering::SeqCst);
            writers
                .into_iter()
                .flat_map(|writer| writer.join().unwrap())
                .collect()
        });
        assert!(!written.is_empty());
        acknowledged.extend(written);
        drop(server);
    }
    let server = Server::open(&env);
    let found = get(&server).json();
    for (key, text) in acknowledged {
        assert_eq!(found["entries"][&key]["content"], text, "{key}");
    }
}

/// Writes one entry after the other until the server is gone; returns what it said it has.
fn write_until(
    server: &Server,
    stop: &AtomicBool,
    round: u64,
    writer: u64,
) -> Vec<(String, String)> {
    let mut written = Vec::new();
    for n in 0.. {
        let (key, text) = (format!("{round}/{writer}/{n}.md"), format!("text {n}"));
        let body = json!({ "entries": { &key: &text } }).to_string();
        let ask = server.store("PUT", "acme/app", "").json(body);
        if ask.try_send().is_some_and(|answer| answer.status == 200) {
            written.push((key, text));
        }
        if stop.load(Ordering::SeqCst) {
            break;
        }
    }
    written
}

#[test]
fn a_data_directory_has_one_server() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let data = env.root().join("data");
    let run = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        data.to_str().unwrap(),
    ];
    let second = env.mem(run).assert_code(4);
    assert!(
        second.stderr.contains("another server"),
        "{}",
        second.stderr
    );
    let taken = server.address.to_string();
    let run = env.mem(["serve", "--listen", &taken, "--data-dir", "elsewhere"]);
    assert!(run.assert_code(1).stderr.contains("--listen"));
}

#[test]
fn a_file_in_the_place_of_the_data_directory_is_told_with_a_hint() {
    let env = TestEnv::new();
    std::fs::write(env.work().join("notes.txt"), "mine").unwrap();
    for folder in ["notes.txt", "notes.txt/below"] {
        let run = ["serve", "--listen", "127.0.0.1:0", "--data-dir", folder];
        let told = env.mem(run).assert_code(1).stderr;
        assert!(
            told.contains("a file is in the way") && told.contains("hint: name the directory"),
            "{told}"
        );
    }
    let left = std::fs::read_to_string(env.work().join("notes.txt"));
    assert_eq!(left.unwrap(), "mine");
}

#[test]
fn a_restore_names_the_tokens_that_are_valid_again() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let place = ["--data-dir", data.to_str().unwrap()];
    let run = |words: &[&str]| env.invoke(words).args(place).run().assert_ok();
    let ids = ["revoked", "rotated", "erased", "kept"].map(|name| {
        let made = run(&["server", "token", "create", "--json", "--name", name]).json();
        made["id"].as_str().unwrap().to_owned()
    });
    let made = run(&["server", "backup", "--to", "copy.sqlite"]);
    assert!(
        made.stderr.contains("0 memories of 0 stores"),
        "{}",
        made.stderr
    );
    run(&["server", "token", "revoke", &ids[0]]);
    run(&["server", "token", "rotate", &ids[1], "--overlap", "24h"]);
    run(&["erase", "--user", "erased", "--yes"]);
    let restore = |more: &[&str]| {
        let words = ["server", "restore", "--from", "copy.sqlite", "--replace"];
        run(&[&words[..], more].concat())
    };
    let told = restore(&[]).stderr;
    for (name, id) in ["revoked", "rotated", "erased", "kept"].iter().zip(&ids) {
        let line = format!("token `{id}` (`{name}`) is valid again");
        assert_eq!(told.contains(&line), *name != "kept", "{name}: {told}");
    }
    assert!(told.contains("mem server token revoke"), "{told}");
    assert_eq!(restore(&["--json"]).json()["valid_again"], json!([]));
    // Nothing is claimed of tokens that cannot be compared.
    std::fs::write(data.join("mem.sqlite"), "no database").unwrap();
    let unread = restore(&["--json"]);
    assert_eq!(unread.json()["valid_again"], json!(null));
    assert!(
        unread
            .stderr
            .contains("which tokens are valid again is not known"),
        "{}",
        unread.stderr
    );
}

#[test]
fn a_backup_without_its_master_key_replaces_nothing() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let server = Server::open(&env);
    put(&server, "a.md", "readable");
    server.end();
    let run = |words: &[&str]| env.invoke(words).args(["--data-dir", data]).run();
    run(&["encrypt", "on"]).assert_ok();
    run(&["server", "backup", "--to", "copy.sqlite"]).assert_ok();
    run(&["encrypt", "rotate", "--master"]).assert_ok();
    run(&["encrypt", "drop", "--yes"]).assert_ok();
    let restore = ["server", "restore", "--from", "copy.sqlite", "--replace"];
    let told = run(&restore).assert_code(1).stderr;
    assert!(
        told.contains("nothing was replaced: the master key is another one"),
        "{told}"
    );
    let server = Server::open(&env);
    assert_eq!(
        get(&server).json()["entries"]["a.md"]["content"],
        "readable"
    );
}

#[test]
fn a_backup_brings_everything_back_under_other_names() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    // A copy of nothing is no backup, and makes no data.
    for verb in ["backup", "prune"] {
        let nothing = env.mem(["server", verb, "--data-dir", data]).assert_code(2);
        assert!(
            nothing.stderr.contains("no server has its data in"),
            "{}",
            nothing.stderr
        );
        assert!(!std::path::Path::new(data).exists());
    }
    let server = Server::open(&env);
    let before = put(&server, "a.md", "kept").etag();
    let made = env.mem([
        "server",
        "backup",
        "--data-dir",
        data,
        "--to",
        "copy.sqlite",
        "--json",
    ]);
    assert_eq!(made.assert_ok().json()["memories"], 1);
    put(&server, "a.md", "lost");
    let restore = |more: &[&str]| {
        let run = env.invoke(["server", "restore", "--data-dir", data]);
        run.args(more).run()
    };
    // Not while it runs, not over what is there, not from what is no backup.
    restore(&["--from", "copy.sqlite", "--replace"]).assert_code(4);
    assert_eq!(server.end().matches("ERROR").count(), 0);
    let refused = restore(&["--from", "copy.sqlite"]).assert_code(1);
    assert!(refused.stderr.contains("--replace"), "{}", refused.stderr);
    std::fs::write(env.work().join("junk"), "no database").unwrap();
    restore(&["--from", "junk", "--replace"]).assert_code(1);
    let mut damaged = std::fs::read(env.work().join("copy.sqlite")).unwrap();
    damaged.truncate(damaged.len() / 2);
    std::fs::write(env.work().join("half"), damaged).unwrap();
    restore(&["--from", "half", "--replace"]).assert_code(1);
    restore(&[]).assert_code(2);
    let server = Server::open(&env);
    assert_eq!(get(&server).json()["entries"]["a.md"]["content"], "lost");
    drop(server);
    restore(&["--from", "copy.sqlite", "--replace"]).assert_ok();
    let server = Server::open(&env);
    let after = get(&server);
    assert_eq!(after.json()["entries"]["a.md"]["content"], "kept");
    assert_ne!(
        after.etag(),
        before,
        "a client that knew it would not notice"
    );
}

#[test]
fn an_edit_that_a_restore_lost_is_sent_again_whatever_others_wrote_since() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let server = Server::open(&env);
    let listen = server.address.to_string();
    let setup = format!("team setup --remote {} --repo acme/app", server.url());
    let [ann, ben] = ["ann", "ben"].map(|name| {
        let person = Person::new(&env, name);
        person.mem("config set team.push auto").assert_ok();
        person.mem(&setup).assert_ok();
        person
    });
    ann.write("x.md", "old\n");
    ann.sync();
    ben.sync();
    let run = |words: &[&str]| env.invoke(words.iter().copied()).run().assert_ok();
    run(&[
        "server",
        "backup",
        "--data-dir",
        data,
        "--to",
        "copy.sqlite",
    ]);
    ann.write("x.md", "acknowledged\n");
    ann.sync();
    drop(server);
    let from = ["--from", "copy.sqlite", "--replace"];
    run(&[&["server", "restore", "--data-dir", data][..], &from].concat());
    let serve = ["serve", "--listen", &listen, "--data-dir", data];
    let _server = Server::of(env.invoke(serve).args(["--insecure-no-auth"]));
    // As many writes as were lost, and more.
    for text in ["1\n", "2\n"] {
        ben.write("y.md", text);
        ben.sync();
    }
    let synced = ann.sync();
    assert!(synced.stdout.contains("sent  x.md"), "{}", synced.shown());
    assert!(synced.stderr.contains("lost 1 file"), "{}", synced.shown());
    ben.sync();
    for person in [&ann, &ben] {
        assert_eq!(person.read("x.md").as_deref(), Some("acknowledged\n"));
    }
}
