//! The protocol itself, as a client without our own types sees it.

use std::io::Write as _;
use std::process::{Command, Stdio};

use mem_tests::{Server, TestEnv, postgres};
use serde_json::json;

use super::{get, put};

/// Runs a test over SQLite, and over PostgreSQL where that is.
fn over_both(test: fn(&Server)) {
    let env = TestEnv::new();
    test(&Server::open(&env));
    if let Some(cluster) = postgres::cluster() {
        let run = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        test(&Server::of(run.env("MEM_DATABASE_URL", cluster.database())));
    }
}

#[test]
fn a_store_is_written_read_and_told_by_its_state() {
    over_both(state);
}

fn state(server: &Server) {
    let empty = get(server);
    assert_eq!(
        empty.json(),
        json!({ "version": 0, "entries": {}, "deleted": {} })
    );
    let body = json!({ "entries": { "a.md": "é\n", "d/b,c.md": "" }, "delete": ["never.md"] });
    let ask = server.store("PUT", "Acme/App", "").json(body.to_string());
    let written = ask.header("x-mem-actor", "dana").send();
    assert_eq!(written.json()["rejected"]["never.md"]["code"], "not_found");
    assert_eq!(written.json()["written"].as_object().unwrap().len(), 2);
    let found = get(server);
    assert_eq!(found.etag(), written.etag());
    assert_eq!(found.header("cache-control"), Some("private, no-cache"));
    assert_eq!(found.json()["entries"]["a.md"]["content"], "é\n");
    assert_eq!(found.json()["entries"]["a.md"]["actor"], "dana");
    assert_eq!(
        found.json()["entries"]["a.md"]["updated_at"],
        "2026-01-01T00:00:00Z"
    );
    let hashes = server.store("GET", "acme/app", "&view=hashes").send();
    assert_eq!(hashes.etag(), found.etag());
    assert!(hashes.json()["entries"]["a.md"]["content"].is_null());
    for more in [
        "&keys=a.md&keys=d/b%2Cc.md",
        "&keys=a.md,d%2Fb%2Cc.md",
        "&keys=a.md,&keys=d/b%2Cc.md",
    ] {
        let some = server.store("GET", "acme/app", more).send();
        assert_eq!(
            some.json()["entries"].as_object().unwrap().len(),
            2,
            "{more}"
        );
    }
    let one = server.store("GET", "acme/app", "&keys=a.md").send();
    assert_eq!(one.json()["entries"].as_object().unwrap().len(), 1);
    let other = server.store("GET", "acme/other", "").send();
    assert_eq!(other.json()["entries"], json!({}));
}

#[test]
fn conditions_are_lists_stars_and_weak_tags() {
    over_both(conditions);
}

fn conditions(server: &Server) {
    let old = put(server, "a.md", "1").etag();
    let new = put(server, "a.md", "2").etag();
    assert_ne!(old, new);
    let known = |tags: String| {
        server
            .store("GET", "acme/app", "")
            .header("if-none-match", tags)
            .send()
    };
    for tags in [
        new.clone(),
        format!("W/{new}"),
        format!("\"x,y\", {old}, W/{new}"),
        "*".to_owned(),
    ] {
        let answer = known(tags.clone());
        assert_eq!((answer.status, answer.etag()), (304, new.clone()), "{tags}");
        assert!(answer.body.is_empty());
    }
    for tags in [
        old.clone(),
        "nonsense".to_owned(),
        String::new(),
        new.replace('"', ""),
    ] {
        assert_eq!(known(tags.clone()).status, 200, "{tags}");
    }
    let write = |tags: &str, text: &str| {
        let body = json!({ "entries": { "a.md": text } }).to_string();
        server
            .store("PUT", "acme/app", "")
            .header("if-match", tags)
            .json(body)
            .send()
    };
    for tags in [
        old.as_str(),
        "\"nonsense\"",
        "nonsense",
        "",
        &format!("{old}, \"x\""),
    ] {
        let answer = write(tags, "lost");
        assert_eq!(answer.assert(412), "conflict_error", "{tags}");
        assert_eq!(answer.etag(), new, "{tags}");
    }
    assert_eq!(get(server).json()["entries"]["a.md"]["content"], "2");
    let third = write(&format!("{old}, {new}"), "3");
    third.assert(200);
    write(&format!("W/{}", third.etag()), "4").assert(200);
    write("*", "5").assert(200);
    assert_eq!(get(server).json()["entries"]["a.md"]["content"], "5");
}

#[test]
fn answers_are_packed_when_asked() {
    over_both(packing);
}

fn packing(server: &Server) {
    put(server, "a.md", &"the same again ".repeat(2000));
    let plain = get(server);
    let packed = server
        .store("GET", "acme/app", "")
        .header("accept-encoding", "gzip")
        .send();
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert_eq!(packed.etag(), plain.etag());
    assert!(packed.body.len() * 10 < plain.body.len());
    let mut gunzip = Command::new("gzip");
    gunzip
        .arg("-dc")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = gunzip.spawn().unwrap();
    child.stdin.take().unwrap().write_all(&packed.body).unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, plain.body);
}

#[test]
fn the_log_is_paged_and_redaction_leaves_the_head() {
    over_both(log);
}

fn log(server: &Server) {
    for n in 0..3 {
        put(server, "a.md", &format!("text {n}"));
    }
    put(server, "b.md", "b");
    let log = |more: &str| {
        let target = format!("/api/claude_code/team_memory/log?repo=acme/app{more}");
        server.ask("GET", &target).send()
    };
    let first = log("&limit=3").json();
    assert_eq!(first["changes"].as_array().unwrap().len(), 3);
    assert_eq!(first["changes"][0]["key"], "b.md");
    assert_eq!(first["changes"][0]["operation"], "created");
    let rest = log(&format!(
        "&limit=3&page={}",
        first["next_page"].as_str().unwrap()
    ))
    .json();
    assert_eq!(rest["changes"].as_array().unwrap().len(), 1);
    assert!(rest["next_page"].is_null());
    assert_eq!(
        log("&key=b.md").json()["changes"].as_array().unwrap().len(),
        1
    );
    let redact = |key: &str| {
        let target = "/api/claude_code/team_memory/redact?repo=acme/app";
        server
            .ask("POST", target)
            .json(json!({ "key": key }).to_string())
            .send()
    };
    assert_eq!(redact("b.md").assert(409), "conflict_error");
    assert_eq!(redact("never.md").assert(404), "not_found_error");
    let done = redact("a.md");
    assert_eq!(done.json()["redacted"], 2);
    let left = log("&key=a.md").json();
    assert!(left["changes"][0]["sha256"].is_string());
    assert!(
        left["changes"][1]["sha256"].is_null() && left["changes"][1]["redacted_at"].is_string()
    );
    assert_eq!(get(server).json()["entries"]["a.md"]["content"], "text 2");
    for more in [
        "&limit=0",
        "&limit=101",
        "&limit=x",
        "&page=nonsense",
        "&key=../x",
    ] {
        assert_eq!(log(more).assert(400), "invalid_request_error", "{more}");
    }
}

#[test]
fn operators_are_answered_without_a_token() {
    let env = TestEnv::new();
    let server = Server::start(&env, &[]);
    assert_eq!(server.ask("GET", "/healthz").send().body, b"ok\n");
    assert_eq!(server.ask("GET", "/readyz").send().body, b"ready\n");
    server
        .store("GET", "secret-owner/secret-repo", "")
        .send()
        .assert(401);
    let figures = server.ask("GET", "/metrics").send();
    let text = String::from_utf8(figures.body).unwrap();
    assert!(text.contains("mem_unauthenticated_total 1\n"), "{text}");
    assert!(text.contains("status=\"401\"} 1\n"), "{text}");
    assert!(!text.contains("secret-"), "{text}");
    assert!(text.ends_with("# EOF\n"));
    let log = server.end();
    assert!(
        log.contains("no token yet") && !log.contains("secret-"),
        "{log}"
    );
}
