//! What every remote has to do, through the whole way: client, sockets, server, database.

use mem_sync::EntryKey;
use mem_sync::remote::{Remote, RemoteError, StateQuery, conformance};
use mem_sync::wire::RedactBody;
use mem_tests::{Server, TestEnv, postgres};

use super::remote;

/// Runs the suite with one end at each of two addresses.
fn conform(a: &Server, b: &Server, token: Option<&str>) {
    let mut a = remote(&a.url(), "acme/app", "a", token);
    let mut b = remote(&b.url(), "acme/app", "b", token);
    conformance::check_remote(&mut a, &mut b).unwrap();
}

#[test]
fn the_server_conforms_over_sqlite() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    conform(&server, &server, None);
}

#[test]
fn two_replicas_over_postgresql_conform() {
    let env = TestEnv::new();
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let url = cluster.database();
    let replica = |args: &[&str]| {
        let run = env.invoke(["serve", "--listen", "127.0.0.1:0"]).args(args);
        Server::of(run.env("MEM_DATABASE_URL", &url))
    };
    let open = ["--insecure-no-auth"];
    conform(&replica(&open), &replica(&open), None);
    // Tokens hold for all of them, and end for all of them.
    let create = env.invoke(["server", "token", "create", "--grant", "*:write", "--json"]);
    let made = create
        .env("MEM_DATABASE_URL", &url)
        .run()
        .assert_ok()
        .json();
    let token = made["token"].as_str().unwrap();
    let (one, other) = (replica(&[]), replica(&[]));
    let ask = |server: &Server| {
        server
            .store("GET", "acme/app", "")
            .token(token)
            .send()
            .status
    };
    assert_eq!((ask(&one), ask(&other)), (200, 200));
    let revoke = env.invoke(["server", "token", "revoke", made["id"].as_str().unwrap()]);
    revoke.env("MEM_DATABASE_URL", &url).run().assert_ok();
    assert_eq!((ask(&one), ask(&other)), (401, 401));
    let log = one.end();
    assert!(
        !log.contains(&url),
        "the address of a database holds a password"
    );
}

#[test]
fn errors_come_through_as_what_follows_from_them() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let made = env.invoke(["server", "token", "create", "--grant", "team:acme/app:read"]);
    let token = made
        .args(["--data-dir", data.to_str().unwrap()])
        .run()
        .assert_ok()
        .line();
    let server = Server::start(&env, &[]);
    let ask = |token: Option<&str>, repository: &str| {
        remote(&server.url(), repository, "a", token).get_state(&StateQuery::default(), None)
    };
    assert!(ask(Some(&token), "acme/app").is_ok());
    // Who brings none is not told that theirs is wrong.
    let none = RemoteError::NoToken(server.url());
    assert_eq!(ask(None, "acme/app"), Err(none));
    let wrong = ask(Some("no-token-of-this-server"), "acme/app");
    assert_eq!(wrong, Err(RemoteError::Unauthorized));
    assert_eq!(ask(Some(&token), "acme/other"), Err(RemoteError::Forbidden));
    let mut reader = remote(&server.url(), "acme/app", "a", Some(&token));
    let redacted = reader.redact_key(&RedactBody::for_contents(&EntryKey::parse("a.md").unwrap()));
    assert_eq!(redacted, Err(RemoteError::Forbidden));
}
