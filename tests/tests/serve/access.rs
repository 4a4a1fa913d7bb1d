//! Tokens, grants, names of this machine, and how often one may ask.

use mem_tests::{Server, TestEnv};
use serde_json::json;

use super::token;

const DAY_SECONDS: u64 = 86_400;

/// The status of a read and of a write.
fn may(server: &Server, token: &str, repository: &str) -> (u16, u16) {
    let read = server.store("GET", repository, "").token(token).send();
    let body = json!({ "entries": { "a.md": "x" } }).to_string();
    let write = server
        .store("PUT", repository, "")
        .token(token)
        .json(body)
        .send();
    (read.status, write.status)
}

#[test]
fn grants_say_who_may_do_what() {
    let env = TestEnv::new();
    let all = token(&env, &["--name", "dana"]);
    let one = token(
        &env,
        &[
            "--grant",
            "team:Acme/App:write",
            "--grant",
            "team:acme/*:read",
        ],
    );
    let none = token(&env, &["--grant", "team:other/*:write"]);
    let server = Server::start(&env, &[]);
    assert_eq!(may(&server, &all, "acme/app"), (200, 200));
    assert_eq!(may(&server, &one, "acme/app"), (200, 200));
    assert_eq!(may(&server, &one, "ACME/other"), (200, 403));
    // The same of what is there and of what is not.
    assert_eq!(may(&server, &none, "acme/app"), (403, 403));
    assert_eq!(may(&server, &none, "acme/nothing"), (403, 403));
    assert_eq!(may(&server, &none, "other/x"), (200, 200));
    let there = server.store("GET", "acme/app", "").token(&none).send();
    let not = server.store("GET", "acme/nothing", "").token(&none).send();
    assert_eq!(there.json()["error"], not.json()["error"]);
    let entry = server
        .store("GET", "acme/app", "")
        .header("x-api-key", all.as_str())
        .send();
    entry.assert(200);
    let actor = entry.json()["entries"]["a.md"]["actor"]
        .as_str()
        .unwrap()
        .to_owned();
    // A server with tokens does not believe what a client calls itself.
    let body = json!({ "entries": { "b.md": "x" } }).to_string();
    let named = server
        .store("PUT", "acme/app", "")
        .token(&all)
        .header("x-mem-actor", "eve");
    named.json(body).send().assert(200);
    let found = server
        .store("GET", "acme/app", "")
        .token(&all)
        .send()
        .json();
    assert_eq!(found["entries"]["b.md"]["actor"], "dana");
    assert!(actor.starts_with("apikey_") || actor == "dana");
    let path = |verb| format!("/api/claude_code/team_memory/{verb}?repo=acme/app");
    let log = server.ask("GET", &path("log")).token(&none);
    log.send().assert(403);
    let redact = server.ask("POST", &path("redact")).token(&none);
    redact.json(r#"{"key":"a.md"}"#).send().assert(403);
    let log = server.end();
    for secret in [&all, &one, &none] {
        assert!(!log.contains(secret.as_str()), "{log}");
    }
    assert!(log.contains("apikey_"), "{log}");
}

#[test]
fn without_a_token_that_counts_nothing_is_answered() {
    let env = TestEnv::new();
    let good = token(&env, &[]);
    let server = Server::start(&env, &[]);
    let mut wrong = good.clone();
    let last = if wrong.pop() == Some('0') { '1' } else { '0' };
    wrong.push(last);
    let ask = || server.store("GET", "acme/app", "");
    let asks = [
        ask(),
        ask().token(&wrong),
        ask().token(""),
        ask().token(&good.to_uppercase()),
        ask().header("authorization", format!("Basic {good}")),
        ask().token(&good).header("x-api-key", wrong.as_str()),
        ask().header("cookie", good.as_str()),
    ];
    for ask in asks {
        let answer = ask.send();
        assert_eq!(answer.assert(401), "authentication_error", "{ask:?}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        assert!(!String::from_utf8_lossy(&answer.body).contains(&wrong));
    }
    // The body of a request that is refused does not get in the way of the answer.
    let body = json!({ "entries": { "a.md": "x".repeat(150_000) } }).to_string();
    server
        .store("PUT", "acme/app", "")
        .token(&wrong)
        .json(body)
        .send()
        .assert(401);
    ask().token(&good).send().assert(200);
    let log = server.end();
    assert!(!log.contains(&good) && !log.contains(&wrong), "{log}");
}

#[test]
fn tokens_end_by_time_and_by_word_at_once() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let short = token(&env, &["--expires", "1d"]);
    env.advance(1);
    let long = token(
        &env,
        &["--name", "ci", "--expires", "90d", "--grant", "*:read"],
    );
    let server = Server::start(&env, &[]);
    assert_eq!(may(&server, &short, "a/b").0, 200);
    drop(server);
    env.advance(DAY_SECONDS + 1);
    let server = Server::start(&env, &[]);
    assert_eq!(may(&server, &short, "a/b").0, 401);
    assert_eq!(may(&server, &long, "a/b"), (200, 403));
    let list = |json| {
        env.mem(
            ["server", "token", "list", "--data-dir", data]
                .into_iter()
                .chain(json),
        )
    };
    let tokens = list(Some("--json")).assert_ok().json();
    assert_eq!(tokens.as_array().unwrap().len(), 2);
    assert_eq!(
        (&tokens[0]["valid"], &tokens[1]["valid"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(tokens[1]["grants"], json!(["*:read"]));
    assert_eq!(tokens[1]["expires_at"], "2026-04-01T00:00:01Z");
    let id = tokens[1]["id"].as_str().unwrap();
    let revoke = |id: &str| env.mem(["server", "token", "revoke", id, "--data-dir", data]);
    revoke(id).assert_ok();
    assert_eq!(may(&server, &long, "a/b").0, 401);
    let again = revoke(id).assert_code(1);
    assert!(
        again.stderr.contains("mem server token list"),
        "{}",
        again.stderr
    );
    // A secret in the place of an id is not repeated.
    let said = revoke(&long).assert_code(1);
    assert!(!said.shown().contains(&long));
    let shown = list(None).assert_ok();
    assert!(
        shown.stdout.contains("expired 2026-01-02") && shown.stdout.contains("revoked 2026-01-02")
    );
    assert!(!shown.stdout.contains(&long) && !shown.stdout.contains(&short));
}

#[test]
fn a_token_without_a_grant_may_do_nothing_until_it_is_given_one() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let mem = |line: &str| env.mem(line.split(' ').chain(["--data-dir", data]));
    let made = mem("server token create --name x").assert_ok();
    let id = made.stderr.split(':').next().unwrap().to_owned();
    let told = &made.stderr;
    assert!(
        told.contains("may do nothing")
            && told.contains("mem server token grant --data-dir")
            && told.contains(&format!("{id} team:OWNER/REPO:write")),
        "{told}"
    );
    let token = made.line();
    let server = Server::start(&env, &[]);
    assert_eq!(may(&server, &token, "acme/app"), (403, 403));
    let stores = server.ask("GET", "/v1/memory_stores").token(&token).send();
    assert_eq!(stores.json()["data"], json!([]));
    server
        .ask("GET", "/api/records")
        .token(&token)
        .send()
        .assert(403);
    mem(&format!("server token grant {id} team:acme/app:read")).assert_ok();
    assert_eq!(may(&server, &token, "acme/app"), (200, 403));
    mem(&format!(
        "server token grant {id} team:acme/app:write store:*:read"
    ))
    .assert_ok();
    assert_eq!(may(&server, &token, "acme/app"), (200, 200));
    mem(&format!("server token revoke {id}")).assert_ok();
    mem(&format!("server token grant {id} *:write")).assert_code(1);
    assert_eq!(may(&server, &token, "acme/app"), (401, 401));
    // A secret in the place of an id is not repeated.
    let run = mem(&format!("server token grant {token} *:write")).assert_code(1);
    assert!(!run.shown().contains(&token));
}

#[test]
fn tokens_are_made_as_asked_or_not_at_all() {
    let env = TestEnv::new();
    let made = env
        .mem(["server", "token", "create", "--name", "x", "--json"])
        .assert_ok()
        .json();
    assert!(made["token"].as_str().unwrap().starts_with("memtok_"));
    assert_eq!(made["grants"], json!([]));
    // The default place is in the data directory, and private.
    assert!(
        env.home()
            .join(".local/share/mem/server/mem.sqlite")
            .is_file()
    );
    for args in [
        ["--grant", "team:a:write"],
        ["--grant", "everything"],
        ["--expires", "soon"],
    ] {
        let run = env.invoke(["server", "token", "create"]).args(args).run();
        run.assert_code(2);
    }
    let run = env
        .invoke(["server", "token", "create", "--expires", "2020-01-01"])
        .run();
    assert!(run.assert_code(2).stderr.contains("ended already"));
}

#[test]
fn a_server_without_tokens_stays_on_this_machine() {
    let env = TestEnv::new();
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let run = env.mem(["serve", "--listen", listen, "--insecure-no-auth"]);
        let said = run.assert_code(1).stderr;
        assert!(
            said.contains("loopback") && said.contains("mem server token create"),
            "{said}"
        );
    }
    let run = env.mem(["serve", "--listen", "nowhere"]);
    assert!(run.assert_code(2).stderr.contains("127.0.0.1:8787"));
}

#[test]
fn the_address_of_a_database_is_not_shown() {
    let env = TestEnv::new();
    let password = ["hunter", "2"].concat();
    let url = format!("postgres://me:{password}@127.0.0.1:1/none");
    let serve = || env.invoke(["serve", "--listen", "127.0.0.1:0"]);
    let runs = [
        serve().env("MEM_DATABASE_URL", &url),
        serve().args(["--database-url", &url, "--data-dir", "x"]),
        serve().env("MEM_DATABASE_URL", format!("mysql:{password}")),
    ];
    for run in runs {
        let run = run.run();
        assert!([1, 2, 5].contains(&run.code), "{}", run.shown());
        assert!(!run.shown().contains(&password), "{}", run.shown());
    }
}

#[test]
fn who_asks_too_often_is_told_when_to_come_back() {
    let env = TestEnv::new();
    let (busy, calm) = (token(&env, &[]), token(&env, &[]));
    let server = Server::start(&env, &["--rate-limit", "1"]);
    let ask = |token: &str| server.store("GET", "acme/app", "").token(token).send();
    let refused = (0..30)
        .map(|_| ask(&busy))
        .find(|answer| answer.status != 200);
    let refused = refused.unwrap();
    assert_eq!(refused.assert(429), "rate_limit_error");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=2).contains(&wait), "{wait}");
    ask(&calm).assert(200);
}
