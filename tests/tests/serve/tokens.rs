//! `/api/tokens`: who may list, make and revoke tokens, and that nobody hands on more than they have.

use mem_tests::{Server, TestEnv};
use serde_json::{Value, json};

use super::token;

fn make(server: &Server, by: &str, body: &Value) -> mem_tests::http::Answer {
    let ask = server.ask("POST", "/api/tokens").token(by);
    ask.json(body.to_string()).send()
}

#[test]
fn a_token_is_made_used_and_revoked_over_http() {
    let env = TestEnv::new();
    let admin = token(
        &env,
        &[
            "--name",
            "dana",
            "--grant",
            "tokens:write",
            "--grant",
            "store:*:write",
        ],
    );
    let server = Server::start(&env, &[]);
    let body = json!({ "name": " app ", "grants": ["store:*:read"], "expires_at": "2999-01-01T00:00:00Z" });
    let made = make(&server, &admin, &body);
    made.assert(200);
    let made = made.json();
    assert_eq!(
        (&made["name"], &made["grants"]),
        (&json!("app"), &json!(["store:*:read"]))
    );
    let (secret, id) = (
        made["token"].as_str().unwrap(),
        made["id"].as_str().unwrap(),
    );
    let stores = || server.ask("GET", "/v1/memory_stores").token(secret).send();
    stores().assert(200);
    let listed = server.ask("GET", "/api/tokens").token(&admin).send();
    listed.assert(200);
    assert!(!String::from_utf8_lossy(&listed.body).contains(secret));
    let listed = listed.json();
    let tokens = listed["tokens"].as_array().unwrap();
    let mut named: Vec<&str> = tokens
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    named.sort_unstable();
    assert_eq!(named, ["app", "dana"]);
    // It may list no tokens itself.
    server
        .ask("GET", "/api/tokens")
        .token(secret)
        .send()
        .assert(403);
    let revoke = || {
        server
            .ask("DELETE", &format!("/api/tokens/{id}"))
            .token(&admin)
            .send()
    };
    revoke().assert(200);
    stores().assert(401);
    revoke().assert(404);
    let log = server.end();
    assert!(!log.contains(secret), "{log}");
}

#[test]
fn nobody_hands_on_more_than_their_own_token_may_do() {
    let env = TestEnv::new();
    let everything = token(&env, &[]);
    let reader = token(&env, &["--grant", "tokens:read", "--grant", "*:write"]);
    let admin = token(
        &env,
        &["--grant", "tokens:write", "--grant", "team:acme/*:read"],
    );
    let server = Server::start(&env, &[]);
    let read = |by: &str| server.ask("GET", "/api/tokens").token(by).send().status;
    assert_eq!(
        [read(&everything), read(&reader), read(&admin)],
        [403, 200, 200]
    );
    let status = |by: &str, grants: &[&str]| make(&server, by, &json!({ "grants": grants })).status;
    // `*` is no word about tokens.
    assert_eq!(status(&everything, &["store:*:read"]), 403);
    assert_eq!(status(&reader, &["store:*:read"]), 403);
    assert_eq!(status(&admin, &["team:acme/app:read", "tokens:read"]), 200);
    for more in [
        "team:acme/app:write",
        "team:other/app:read",
        "store:*:read",
        "*:read",
        "records:read",
    ] {
        assert_eq!(status(&admin, &["team:acme/app:read", more]), 403, "{more}");
    }
    for body in [
        json!({}),
        json!([]),
        json!({ "grants": ["store:x:read"] }),
        json!({ "grants": [], "name": "a\nb" }),
        json!({ "grants": [], "expires_at": "2001-01-01T00:00:00Z" }),
        json!({ "grants": [], "expires_at": "soon" }),
        json!({ "grants": [], "workspace": "other" }),
    ] {
        assert_eq!(make(&server, &admin, &body).status, 400, "{body}");
    }
}

#[test]
fn nobody_revokes_a_token_that_may_do_more() {
    let env = TestEnv::new();
    let admin = token(&env, &["--grant", "tokens:write", "--grant", "*:write"]);
    let weak = token(&env, &["--grant", "tokens:write"]);
    let server = Server::start(&env, &[]);
    let listed = server.ask("GET", "/api/tokens").token(&admin).send().json();
    let id_of = |grants: usize| {
        let tokens = listed["tokens"].as_array().unwrap().iter();
        let mut fitting = tokens.filter(|one| one["grants"].as_array().unwrap().len() == grants);
        fitting.next().unwrap()["id"].as_str().unwrap().to_owned()
    };
    let revoke = |by: &str, id: &str| {
        let ask = server.ask("DELETE", &format!("/api/tokens/{id}"));
        ask.token(by).send()
    };
    revoke(&weak, &id_of(2)).assert(403);
    revoke(&admin, &id_of(1)).assert(200);
}

#[test]
fn a_token_that_ends_makes_none_that_outlives_it() {
    let env = TestEnv::new();
    let grants = ["--grant", "tokens:write", "--grant", "store:*:read"];
    let brief = token(&env, &[&grants[..], &["--expires", "1h"][..]].concat());
    let lasting = token(&env, &grants);
    env.advance(60);
    let server = Server::start(&env, &[]);
    let listed = server.ask("GET", "/api/tokens").token(&brief).send().json();
    let listed = listed["tokens"].as_array().unwrap();
    let own = listed.iter().find(|one| one["expires_at"].is_string());
    let own = own.unwrap();
    for body in [
        json!({ "grants": [] }),
        json!({ "grants": [], "expires_at": null }),
    ] {
        let made = make(&server, &brief, &body);
        made.assert(200);
        assert_eq!(made.json()["expires_at"], own["expires_at"]);
    }
    let later = json!({ "grants": [], "expires_at": "2999-01-01T00:00:00Z" });
    make(&server, &brief, &later).assert(403);
    make(&server, &lasting, &later).assert(200);
    // A rotation makes a token, too.
    let rotate = |by: &str, id: &Value| {
        let target = format!("/api/tokens/{}/rotate", id.as_str().unwrap());
        let ask = server.ask("POST", &target).token(by);
        ask.json("{}".to_owned()).send()
    };
    for token in listed.iter().filter(|one| one["id"] != own["id"]) {
        rotate(&brief, &token["id"]).assert(403);
    }
    // A program renews its own, again and again.
    let mut renewed = json!({ "token": &brief, "id": &own["id"] });
    for _ in 0..2 {
        let answer = rotate(renewed["token"].as_str().unwrap(), &renewed["id"]);
        answer.assert(200);
        renewed = answer.json();
        assert_eq!(renewed["grants"], own["grants"]);
        assert_ne!(renewed["expires_at"], own["expires_at"]);
    }
}

#[test]
fn a_workspace_knows_nothing_of_the_tokens_of_another() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    env.mem(["server", "workspace", "create", "--data-dir", data, "other"])
        .assert_ok();
    let here = token(&env, &["--name", "here", "--grant", "tokens:write"]);
    let there = token(
        &env,
        &[
            "--name",
            "there",
            "--grant",
            "tokens:write",
            "--workspace",
            "other",
        ],
    );
    let server = Server::start(&env, &[]);
    let list = |by: &str| server.ask("GET", "/api/tokens").token(by).send().json();
    let (ours, theirs) = (list(&here), list(&there));
    assert_eq!(ours["tokens"].as_array().unwrap().len(), 1);
    assert_eq!(theirs["tokens"][0]["name"], "there");
    let target = format!(
        "/api/tokens/{}",
        theirs["tokens"][0]["id"].as_str().unwrap()
    );
    server
        .ask("DELETE", &target)
        .token(&here)
        .send()
        .assert(404);
    assert_eq!(list(&there)["tokens"][0]["valid"], true);
    // What is made here is for here.
    let made = make(&server, &there, &json!({ "grants": ["tokens:read"] })).json();
    assert_eq!(made["workspace"], theirs["tokens"][0]["workspace"]);
}
