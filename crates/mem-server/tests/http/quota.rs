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
        let database = match postgres {
            Some(url) => vec![("MEM_DATABASE_URL", url)],
            None => Vec::new(),
        };
        let mut place = Self {
            env,
            database,
            token: String::new(),
        };
        place.token = place.token_with("team:acme/app:write");
        place
    }

    /// Another token, which is another user.
    fn token_with(&self, grant: &str) -> String {
        let data = self.env.root().join("data");
        let mut create = self
            .env
            .invoke(["server", "token", "create", "--json", "--name", "t"])
            .args(["--grant", grant]);
        if self.database.is_empty() {
            create = create.args([std::ffi::OsStr::new("--data-dir"), data.as_os_str()]);
        }
        for (name, value) in &self.database {
            create = create.env(name, value);
        }
        create.run().json()["token"].as_str().unwrap().to_owned()
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
        place
            .put(&server, &json!({ "entries": { "c.md": "c" } }))
            .assert(200);
        let said = place.send(server.ask("GET", "/api/quota")).json();
        assert_eq!(
            said["workspace"]["memories"],
            json!({ "used": 2, "limit": 3 })
        );
    }
}

#[test]
fn an_edit_counts_its_difference_and_one_that_adds_nothing_passes_at_the_limit() {
    let cluster = postgres::cluster();
    for section in ["workspace", "user"] {
        let settings = format!("[quota.{section}]\nbytes = 1000\nmemories = 2\n");
        let postgres = cluster.as_ref().map(|cluster| Some(cluster.database()));
        for database in [Some(None), postgres].into_iter().flatten() {
            let place = Place::new(&settings, database);
            let server = place.serve();
            let write = |key: &str, text: String| {
                let body = json!({ "entries": { key: text } });
                place.put(&server, &body).status
            };
            // Twice as many bytes and six times as many memories, were each edit counted as new.
            for number in 0..12 {
                assert_eq!(write("a.md", format!("{number:0200}")), 200, "{number}");
            }
            assert_eq!(write("b.md", "b".repeat(800)), 200);
            assert_eq!(write("c.md", "c".to_owned()), 507);
            assert_eq!(write("a.md", "x".repeat(201)), 507);
            assert_eq!(write("a.md", "x".repeat(200)), 200);
            // A write below the limit may pass it; beyond it, too, what adds nothing is written.
            assert_eq!(write("a.md", "x".repeat(10)), 200);
            assert_eq!(write("a.md", "x".repeat(500)), 200);
            assert_eq!(write("a.md", "y".repeat(500)), 200);
            assert_eq!(write("a.md", "y".repeat(501)), 507);
            let exchange = json!({ "delete": ["a.md"], "entries": { "c.md": "c".repeat(500) } });
            place.put(&server, &exchange).assert(200);
        }
    }
}

#[test]
fn a_memory_that_an_update_takes_over_counts_for_the_new_owner() {
    for limit in ["memories = 2", "bytes = 2"] {
        let place = Place::new(&format!("[quota.user]\n{limit}\n"), None);
        let [alice, bob] = [(); 2].map(|()| place.token_with("store:*:write"));
        let server = place.serve();
        let post = |token: &str, rest: &str, body: &Value| {
            let ask = server.ask("POST", &format!("/v1/memory_stores{rest}"));
            ask.token(token).json(body.to_string()).send()
        };
        let id = |answer: Answer| answer.json()["id"].as_str().unwrap().to_owned();
        let store = id(post(&alice, "", &json!({ "name": "notes" })));
        let memories = format!("/{store}/memories");
        let create = |token: &str, path: &str| {
            let body = json!({ "path": path, "content": "x" });
            id(post(token, &memories, &body))
        };
        let hers = create(&alice, "/a.md");
        let [his, other] = ["/b.md", "/c.md"].map(|path| create(&bob, path));
        let update = |memory: &str, body: &Value| {
            let rest = format!("{memories}/{memory}");
            post(&bob, &rest, body).status
        };
        let (content, path) = (json!({ "content": "y" }), json!({ "path": "/d.md" }));
        assert_eq!(update(&his, &content), 200, "{limit}");
        assert_eq!(update(&hers, &content), 507, "{limit}");
        assert_eq!(update(&hers, &path), 507, "{limit}");
        let target = format!("/v1/memory_stores{memories}/{other}");
        let delete = server.ask("DELETE", &target).token(&bob);
        delete.send().assert(200);
        assert_eq!(update(&hers, &path), 200, "{limit}");
        // What is not there adds nothing.
        assert_eq!(update(&other, &content), 404, "{limit}");
    }
}

#[test]
fn a_restart_begins_no_new_day() {
    let place = Place::new("[quota.user]\nrequests_per_day = 5\n", None);
    let ask = |server: &Server| place.send(server.store("GET", "acme/app", "")).status;
    let first = place.serve();
    assert_eq!([0; 3].map(|_| ask(&first)), [200; 3]);
    first.end();
    let second = place.serve();
    assert_eq!([0; 3].map(|_| ask(&second)), [200, 200, 429]);
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
