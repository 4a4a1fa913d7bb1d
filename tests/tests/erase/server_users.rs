//! All that one user of a server wrote, over both databases.

use mem_tests::{Invocation, Server, TestEnv, postgres};
use serde_json::{Value, json};

use super::TEXT;

/// A server of two users, over SQLite or PostgreSQL.
pub(super) struct Users {
    pub(super) env: TestEnv,
    url: Option<String>,
}

impl Users {
    /// Over the database at an address, or one of SQLite.
    pub(super) fn over(url: Option<String>) -> Self {
        let env = TestEnv::new();
        Self { env, url }
    }

    /// With the arguments or the environment that name the database.
    fn at<'e>(&'e self, run: Invocation<'e>) -> Invocation<'e> {
        let data = self.env.root().join("data");
        match &self.url {
            Some(url) => run.env("MEM_DATABASE_URL", url),
            None => run.args(["--data-dir", data.to_str().unwrap()]),
        }
    }

    pub(super) fn token(&self, name: &str) -> String {
        let create = [
            "server", "token", "create", "--name", name, "--grant", "*:write",
        ];
        self.at(self.env.invoke(create)).run().assert_ok().line()
    }

    pub(super) fn serve(&self) -> Server {
        Server::of(self.at(self.env.invoke(["serve", "--listen", "127.0.0.1:0"])))
    }

    pub(super) fn erase(&self, more: &[&str]) -> mem_tests::Output {
        self.at(self.env.invoke(["erase", "--user", "alice"]).args(more))
            .run()
    }
}

/// Puts texts into a repository's store.
pub(super) fn put(server: &Server, token: &str, entries: &Value) {
    let body = json!({ "entries": entries }).to_string();
    server
        .store("PUT", "acme/app", "")
        .token(token)
        .json(body)
        .send()
        .assert(200);
}

/// What the stores answer to a POST.
#[track_caller]
pub(super) fn post(server: &Server, token: &str, rest: &str, body: &Value) -> Value {
    let ask = server.ask("POST", &format!("/v1/memory_stores{rest}"));
    let answer = ask.token(token).json(body.to_string()).send();
    answer.assert(200);
    answer.json()
}

pub(super) fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// Makes a memory in a store, or in a new one, and returns the store's id.
pub(super) fn noted(
    server: &Server,
    token: &str,
    store: Option<&str>,
    path: &str,
    text: &str,
) -> String {
    let made = || id(&post(server, token, "", &json!({ "name": "notes" })));
    let store = store.map_or_else(made, str::to_owned);
    let memory = json!({ "path": path, "content": text });
    post(server, token, &format!("/{store}/memories"), &memory);
    store
}

fn a_user_goes(users: &Users) {
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    for (token, content) in [
        (&alice, TEXT),
        (&bob, "Bob restores it on fridays, in the afternoon"),
    ] {
        let record =
            json!({ "content": content, "category": "factual_knowledge", "importance": 3 });
        let ask = server.ask("POST", "/api/records").token(token);
        ask.json(record.to_string()).send().assert(200);
    }
    // What was used, and what the trail says, are no memories.
    let found = server.ask("POST", "/api/records/retrieve").token(&alice);
    let query = json!({ "query": TEXT }).to_string();
    found.json(query).send().assert(200);
    let over = json!({ "content": "Over soon", "category": "task_progress", "importance": 1 });
    let over = server
        .ask("POST", "/api/records")
        .token(&alice)
        .json(over.to_string())
        .send();
    let over = format!(
        "/api/records/{}",
        over.json()["memory_id"].as_str().unwrap()
    );
    let reason = json!({ "reason": "it is over" }).to_string();
    server
        .ask("DELETE", &over)
        .token(&alice)
        .json(reason)
        .send()
        .assert(200);
    // In a repository: what both wrote, and what is hers.
    put(
        &server,
        &bob,
        &json!({ "both.md": "The harbour opens at eight in the morning" }),
    );
    put(
        &server,
        &alice,
        &json!({
            "both.md": "Alice moved the opening of the harbour to nine",
            "hers.md": "Alice alone keeps the list of the berths",
        }),
    );
    put(
        &server,
        &bob,
        &json!({ "his.md": "Bob alone keeps the list of the cranes" }),
    );
    let alone = noted(
        &server,
        &alice,
        None,
        "/diary.md",
        "Alice keeps a diary of the tides here",
    );
    let shared = noted(
        &server,
        &bob,
        None,
        "/b.md",
        "Bob began the store that both of them use",
    );
    noted(
        &server,
        &alice,
        Some(&shared),
        "/a.md",
        "Alice added a page about the pilots",
    );
    server.end();
    let dry = users.erase(&["--dry-run", "--json"]).assert_ok().json();
    assert_eq!(
        (&dry["records"][0]["memories"], &dry["tokens"]),
        (&json!(1), &json!(1)),
        "{dry}"
    );
    assert_eq!(
        (&dry["records"][0]["versions"], &dry["trail"]),
        (&json!(3), &json!(1)),
        "{dry}"
    );
    assert_eq!(dry["stores"][0]["store"], alone.as_str());
    assert_eq!(
        (&dry["memories"], &dry["memories_back"]),
        (&json!(2), &json!(1)),
        "{dry}"
    );
    users.erase(&[]).assert_code(2);
    users
        .erase(&["--workspace", "none", "--yes"])
        .assert_code(1);
    let told = users.erase(&["--yes"]).assert_ok().stdout;
    assert!(told.contains("records: 1 memories, 3 versions"), "{told}");
    assert!(told.contains("1 entries of the audit trail"), "{told}");
    users.erase(&["--yes"]).assert_code(2);
    let server = users.serve();
    assert_eq!(
        server
            .ask("GET", "/api/records")
            .token(&alice)
            .send()
            .status,
        401
    );
    let his = server.ask("GET", "/api/records").token(&bob).send().json();
    assert_eq!(his["memories"].as_array().unwrap().len(), 1);
    let team = server
        .store("GET", "acme/app", "")
        .token(&bob)
        .send()
        .json();
    assert_eq!(
        team["entries"]["both.md"]["content"],
        "The harbour opens at eight in the morning"
    );
    assert_eq!(
        team["entries"]["his.md"]["content"],
        "Bob alone keeps the list of the cranes"
    );
    assert!(team["entries"]["hers.md"].is_null(), "{team}");
    let log = server.store("GET", "acme/app", "/log").token(&bob).send();
    log.assert(200);
    assert!(
        !String::from_utf8_lossy(&log.body).contains("alice"),
        "{log:?}"
    );
    let stores = server
        .ask("GET", "/v1/memory_stores")
        .token(&bob)
        .send()
        .json();
    let ids: Vec<&str> = stores["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert!(
        ids.contains(&shared.as_str()) && !ids.contains(&alone.as_str()),
        "{stores}"
    );
    let versions = format!("/v1/memory_stores/{shared}/memory_versions");
    let versions = server.ask("GET", &versions).token(&bob).send();
    assert_eq!(
        versions.json()["data"].as_array().unwrap().len(),
        1,
        "{versions:?}"
    );
    // She begins anew, as anybody does.
    server.end();
    let again = users.token("alice");
    let server = users.serve();
    let none = server
        .ask("GET", "/api/records")
        .token(&again)
        .send()
        .json();
    assert_eq!(none, json!({ "memories": [] }));
}

#[test]
fn a_user_of_a_server_goes_with_all_that_they_wrote() {
    for is_encrypted in [false, true] {
        let users = Users {
            env: TestEnv::new(),
            url: None,
        };
        if is_encrypted {
            users.token("carol");
            users
                .at(users.env.invoke(["encrypt", "on"]))
                .run()
                .assert_ok();
        }
        a_user_goes(&users);
        let files = users.env.files_under(&users.env.root().join("data"));
        for text in [
            TEXT,
            "Alice moved",
            "Alice alone",
            "diary",
            "about the pilots",
            "alice",
        ] {
            let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
            let left: Vec<_> = files
                .iter()
                .filter(|(_, bytes)| holds(bytes))
                .map(|(name, _)| name)
                .collect();
            // She was given a token again at the end.
            assert!(left.is_empty() || text == "alice", "{text}: {left:?}");
        }
    }
}

#[test]
fn a_user_of_a_server_on_postgresql_goes_too() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let users = Users::over(Some(cluster.database()));
    a_user_goes(&users);
}

#[test]
fn an_erasure_of_a_user_that_did_not_end_is_ended_and_proven_by_the_next_one() {
    let users = Users::over(None);
    let alice = users.token("alice");
    let server = users.serve();
    let record = json!({ "content": TEXT, "category": "factual_knowledge", "importance": 3 });
    let ask = server.ask("POST", "/api/records").token(&alice);
    ask.json(record.to_string()).send().assert(200);
    server.end();
    // Something is left the first time; what is theirs is gone by then.
    let copy = users.env.root().join("data/copy.txt");
    std::fs::write(&copy, TEXT).unwrap();
    users.erase(&["--yes"]).assert_code(1);
    std::fs::remove_file(copy).unwrap();
    let told = users.erase(&["--dry-run"]).assert_ok().stdout;
    assert!(told.contains("an erasure that did not end"), "{told}");
    let proof = users.erase(&["--yes", "--json"]).assert_ok().json()["proof"].clone();
    assert_eq!(proof["found"], json!([]));
    assert!(
        proof["searched_for"]["digest"].as_u64() >= Some(1),
        "{proof}"
    );
    users.erase(&["--yes"]).assert_code(2);
}
