//! What a workspace and a user may have and ask for.

use std::fs;

use mem_tests::http::{Answer, Ask};
use mem_tests::postgres;
use mem_tests::{Server, TestEnv};
use serde_json::{Value, json};

/// A server over SQLite or PostgreSQL with a token.
struct Place {
    env: TestEnv,
    database: Vec<(&'static str, String)>,
    token: String,
}

impl Place {
    fn new(settings: &str, postgres: Option<String>) -> Self {
        let env = TestEnv::new();
        fs::write(env.root().join("server.toml"), settings).unwrap();
        let data = env.root().join("data");
        let database = match postgres {
            Some(url) => vec![("MEM_DATABASE_URL", url)],
            None => Vec::new(),
        };
        let mut place = Self {
            env,
            database,
            token: String::new(),
        };
        let mut create = place
            .env
            .invoke(["server", "token", "create", "--json", "--name", "t"])
            .args(["--grant", "team:acme/app:write"]);
        if place.database.is_empty() {
            create = create.args([std::ffi::OsStr::new("--data-dir"), data.as_os_str()]);
        }
        for (name, value) in &place.database {
            create = create.env(name, value);
        }
        place.token = create.run().json()["token"].as_str().unwrap().to_owned();
        place
    }

    fn serve(&self) -> Server {
        let settings = self.env.root().join("server.toml");
        let mut serve = self
            .env
            .invoke(["serve", "--listen", "127.0.0.1:0", "--rate-limit", "0"])
            .args([std::ffi::OsStr::new("--settings"), settings.as_os_str()]);
        if self.database.is_empty() {
            let data = self.env.root().join("data");
            serve = serve.args([std::ffi::OsStr::new("--data-dir"), data.as_os_str()]);
        }
        for (name, value) in &self.database {
            serve = serve.env(name, value);
        }
        Server::of(serve)
    }

    fn put(&self, server: &Server, body: &Value) -> Answer {
        let put = server.store("PUT", "acme/app", "").json(body.to_string());
        self.send(put)
    }

    fn send(&self, ask: Ask) -> Answer {
        ask.token(&self.token).send()
    }
}

#[test]
fn who_has_all_that_they_may_have_can_only_delete() {
    let cluster = postgres::cluster();
    let postgres = cluster.as_ref().map(|cluster| Some(cluster.database()));
    for database in [Some(None), postgres].into_iter().flatten() {
        let place = Place::new("[quota.workspace]\nbytes = 1000\nmemories = 3\n", database);
        let server = place.serve();
        let text = "x".repeat(600);
        place
            .put(&server, &json!({ "entries": { "a.md": text } }))
            .assert(200);
        let second = place.put(&server, &json!({ "entries": { "b.md": text } }));
        assert_eq!(second.status, 200);
        assert_eq!(
            place
                .send(server.store("GET", "acme/app", ""))
                .header("x-mem-quota"),
            Some("workspace-bytes=1200/1000, workspace-memories=2/3")
        );
        let third = place.put(&server, &json!({ "entries": { "c.md": "c" } }));
        assert_eq!(third.status, 507);
        let message = third.json()["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(
            message.contains("the workspace has 1200 bytes and may have 1000"),
            "{message}"
        );
        let said = place.send(server.ask("GET", "/api/quota")).json();
        assert_eq!(
            said["workspace"]["bytes"],
            json!({ "used": 1200, "limit": 1000 })
        );
        assert_eq!(
            said["user"]["bytes"],
            json!({ "used": 1200, "limit": null })
        );
        place
            .put(&server, &json!({ "delete": ["a.md"] }))
            .assert(200);
        // What was deleted is noticed when the total is read again.
        let wanted = json!({ "entries": { "c.md": "c" } });
        while place.put(&server, &wanted).status == 507 {}
        let said = place.send(server.ask("GET", "/api/quota")).json();
        assert_eq!(
            said["workspace"]["memories"],
            json!({ "used": 2, "limit": 3 })
        );
    }
}

#[test]
fn a_day_has_its_requests() {
    let place = Place::new("[quota.user]\nrequests_per_day = 20\n", None);
    let server = place.serve();
    let ask = || place.send(server.store("GET", "acme/app", "&view=hashes"));
    for number in 1..=20 {
        let answer = ask();
        assert_eq!(answer.status, 200);
        let said = format!("user-requests-today={number}/20");
        assert_eq!(answer.header("x-mem-quota"), Some(said.as_str()));
    }
    let refused = ask();
    assert_eq!(refused.assert(429), "rate_limit_error");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=24 * 60 * 60).contains(&wait), "{wait}");
}

#[test]
fn requests_of_a_day_are_counted_on_all_replicas_and_over_a_restart() {
    let cluster = postgres::cluster();
    let postgres = cluster.as_ref().map(|cluster| Some(cluster.database()));
    for database in [Some(None), postgres].into_iter().flatten() {
        let has_replicas = database.is_some();
        let place = Place::new("[quota.user]\nrequests_per_day = 1000000\n", database);
        let used = |server: &Server| -> u64 {
            let answer = place.send(server.store("GET", "acme/app", "&view=hashes"));
            let said = answer.header("x-mem-quota").unwrap();
            let number = said.strip_prefix("user-requests-today=").unwrap();
            number.split_once('/').unwrap().0.parse().unwrap()
        };
        let first = place.serve();
        for number in 1..=20 {
            assert_eq!(used(&first), number);
        }
        // Another replica over PostgreSQL, the next life of the server over SQLite.
        let (_first, second) = match has_replicas {
            false => {
                first.end();
                (None, place.serve())
            }
            true => (Some(first), place.serve()),
        };
        // As soon as it has heard of the first, those count.
        let mut asked = 1;
        while used(&second) != asked + 20 {
            asked += 1;
        }
    }
}

#[test]
fn a_limit_of_somebody_who_is_not_there_is_told_at_the_start() {
    let settings = "[quota.workspaces.wrkspc_gone]\nbytes = 9\n[quota.users.apikey_gone]\nmemories = 9\n\
                    [quota.workspaces.wrkspc_default]\nbytes = 9\n";
    let log = Place::new(settings, None).serve().end();
    for section in ["quota.workspaces.wrkspc_gone", "quota.users.apikey_gone"] {
        assert!(log.contains(section), "{log}");
    }
    assert!(!log.contains("quota.workspaces.wrkspc_default"), "{log}");
}
