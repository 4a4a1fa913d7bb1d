//! `/api/records`: structured memories of the token's user.

use mem_tests::http::Answer;
use mem_tests::{Server, TestEnv, postgres};
use serde_json::{Value, json};

/// A token by this name.
fn token(env: &TestEnv, name: &str, grant: &str) -> String {
    let data = env.root().join("data");
    let create = [
        "server", "token", "create", "--name", name, "--grant", grant,
    ];
    let create = env
        .invoke(create)
        .args(["--data-dir", data.to_str().unwrap()]);
    create.run().assert_ok().line()
}

/// Somebody at a server.
struct User<'s> {
    server: &'s Server,
    /// A token, or the name that somebody gives themselves.
    who: Result<String, &'static str>,
}

impl User<'_> {
    fn ask(&self, method: &str, rest: &str, body: Option<&Value>) -> Answer {
        let ask = self.server.ask(method, &format!("/api/records{rest}"));
        let ask = match &self.who {
            Ok(token) => ask.token(token),
            Err(name) => ask.header("x-mem-actor", *name),
        };
        match body {
            Some(body) => ask.json(body.to_string()).send(),
            None => ask.send(),
        }
    }

    fn store(&self, content: &str) -> Value {
        let record = json!({ "content": content, "category": "project_context", "importance": 4 });
        self.told("POST", "", Some(&record))
    }

    fn told(&self, method: &str, rest: &str, body: Option<&Value>) -> Value {
        let answer = self.ask(method, rest, body);
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    fn found(&self, query: &str) -> Vec<String> {
        let answer = self.told("POST", "/retrieve", Some(&json!({ "query": query })));
        let memories = answer["memories"].as_array().unwrap().iter();
        memories
            .map(|one| one["content"].as_str().unwrap().to_owned())
            .collect()
    }
}

fn come_and_go(alice: &User<'_>, bob: &User<'_>) {
    let stored = alice.store("Deploys are on Tuesdays.");
    let id = stored["memory_id"].as_str().unwrap();
    assert_eq!(stored, json!({ "success": true, "memory_id": id }));
    let query =
        json!({ "query": "when are deploys?", "categories": ["project_context"], "limit": 3 });
    let found = alice.told("POST", "/retrieve", Some(&query));
    let one = found["memories"][0].as_object().unwrap();
    let keys: Vec<&String> = one.keys().collect();
    assert_eq!(
        keys,
        [
            "id",
            "content",
            "category",
            "importance",
            "score",
            "created_at"
        ]
    );
    assert_eq!(one["id"], *id);
    assert_eq!(bob.found("deploys"), Vec::<String>::new());
    assert_eq!(bob.told("GET", "", None), json!({ "memories": [] }));
    let reason = json!({ "reason": "curious" });
    let other = bob.ask("DELETE", &format!("/{id}"), Some(&reason));
    let never = bob.ask("DELETE", "/mem_000000000000000000000000", Some(&reason));
    assert_eq!((other.status, never.status), (404, 404));
    let said = |answer: &Answer, id: &str| {
        answer.json()["error"]["message"]
            .to_string()
            .replace(id, "ID")
    };
    assert_eq!(
        said(&other, id),
        said(&never, "mem_000000000000000000000000")
    );
    let newer = alice.store("Deploys are on Thursdays.");
    assert_eq!(newer["superseded"]["id"], *id);
    let new = newer["memory_id"].as_str().unwrap();
    let gone = alice.ask("DELETE", &format!("/{id}"), Some(&reason));
    assert!(gone.status == 404 && gone.json().to_string().contains(new));
    let over = json!({ "reason": "it is over" });
    alice.told("DELETE", &format!("/{new}"), Some(&over));
    let trail = alice.told("GET", "/audit", None);
    let reasons: Vec<&str> = trail["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["reason"].as_str().unwrap())
        .collect();
    assert!(
        reasons.contains(&"it is over") && reasons.len() == 2,
        "{trail}"
    );
    assert_eq!(bob.told("GET", "/audit", None), json!({ "entries": [] }));
}

#[test]
fn records_of_sqlite_are_a_users_own() {
    let env = TestEnv::new();
    let tokens = ["alice", "bob"].map(|name| token(&env, name, "records:write"));
    let reader = token(&env, "alice", "records:read");
    let stores = token(&env, "carol", "store:*:write");
    let server = Server::start(&env, &[]);
    let [alice, bob] = tokens.map(|token| User {
        server: &server,
        who: Ok(token),
    });
    come_and_go(&alice, &bob);
    alice.store("Lunch is at noon.");
    let reader = User {
        server: &server,
        who: Ok(reader),
    };
    // Tokens of one name are one user's.
    assert_eq!(reader.found("lunch"), ["Lunch is at noon."]);
    let record = json!({ "content": "x", "category": "project_context", "importance": 3 });
    let refused = reader.ask("POST", "", Some(&record));
    assert_eq!(refused.status, 403);
    let error = &refused.json()["error"];
    assert_eq!(error["type"], "permission_error");
    let said = error["message"].as_str().unwrap();
    assert!(
        said.ends_with("it needs the grant `records:write`"),
        "{said}"
    );
    let carol = User {
        server: &server,
        who: Ok(stores.clone()),
    };
    assert_eq!(carol.ask("GET", "", None).status, 403);
    let listed = server
        .ask("GET", "/v1/memory_stores")
        .token(&stores)
        .send()
        .json();
    assert_eq!(listed["data"], json!([]), "no store of records is listed");
    assert_eq!(server.ask("GET", "/api/records").send().status, 401);
}

#[test]
fn records_of_postgresql_are_a_users_own_on_every_replica() {
    let env = TestEnv::new();
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let url = cluster.database();
    let replica = || {
        let run = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        Server::of(run.env("MEM_DATABASE_URL", &url))
    };
    let (one, other) = (replica(), replica());
    let alice = User {
        server: &one,
        who: Err("alice"),
    };
    let bob = User {
        server: &other,
        who: Err("bob"),
    };
    come_and_go(&alice, &bob);
    alice.store("Lunch is at noon.");
    let elsewhere = User {
        server: &other,
        who: Err("alice"),
    };
    assert_eq!(elsewhere.found("lunch"), ["Lunch is at noon."]);
}

#[test]
fn tokens_without_a_name_are_users_of_their_own() {
    let env = TestEnv::new();
    let [one, other] = [(), ()].map(|()| token(&env, "", "records:write"));
    let server = Server::start(&env, &[]);
    let [one, other] = [one, other].map(|token| User {
        server: &server,
        who: Ok(token),
    });
    let id = one.store("Lunch is at noon.")["memory_id"].clone();
    assert_eq!(one.found("lunch"), ["Lunch is at noon."]);
    assert_eq!(other.told("GET", "", None), json!({ "memories": [] }));
    let at = format!("/{}", id.as_str().unwrap());
    let reason = json!({ "reason": "curious" });
    assert_eq!(other.ask("DELETE", &at, Some(&reason)).status, 404);
    let another = json!({ "reason": "it is over", "memory_id": "mem_1" });
    assert_eq!(one.ask("DELETE", &at, Some(&another)).status, 400);
    let listed = env.invoke(["server", "token", "list", "--json", "--data-dir"]);
    let data = env.root().join("data");
    let listed = listed
        .args([data.to_str().unwrap()])
        .run()
        .assert_ok()
        .json();
    let ids: Vec<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|token| token["id"].as_str().unwrap())
        .collect();
    server.end();
    // They are erased by the id of their token.
    let counts = ids.iter().map(|id| {
        let erase = ["erase", "--dry-run", "--json", "--user", id, "--data-dir"];
        let erase = env.invoke(erase).args([data.to_str().unwrap()]).run();
        erase.assert_ok().json()["records"][0]["memories"].as_u64()
    });
    let counts: Vec<Option<u64>> = counts.collect();
    assert!(counts.contains(&Some(1)) && counts.len() == 2, "{counts:?}");
}

#[test]
fn bad_records_are_refused_by_their_field_and_leave_nothing() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let user = User {
        server: &server,
        who: Err("alice"),
    };
    let good = json!({ "content": "x", "category": "project_context", "importance": 3 });
    for (field, value) in [
        ("content", json!("")),
        ("content", json!("x".repeat(70_000))),
        ("category", json!("mood")),
        ("importance", json!(0)),
        ("tags", json!([1])),
        ("expires_at", json!("soon")),
        ("expires_at", json!("2027-01-01T00:00:00+25:00")),
        ("importance", json!(null)),
        ("user", json!("bob")),
    ] {
        let mut given = good.clone();
        given[field] = value;
        let refused = user.ask("POST", "", Some(&given));
        assert_eq!(refused.status, 400, "{field}");
        let told = refused.json()["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned();
        assert!(told.contains(field) || told.contains("category"), "{told}");
        assert!(!told.contains("tool"), "{told}");
    }
    assert_eq!(user.ask("POST", "", Some(&json!([]))).status, 400);
    assert_eq!(user.ask("DELETE", "/mem_1", Some(&json!({}))).status, 400);
    let silent = server.ask("DELETE", "/api/records/mem_1");
    let silent = silent.header("x-mem-actor", "alice").json("").send();
    let told = silent.json()["error"]["message"].to_string();
    assert!(told.contains("`reason` is missing"), "{told}");
    assert_eq!(user.ask("GET", "?mood=x", None).status, 400);
    assert_eq!(user.ask("GET", "?expired=maybe", None).status, 400);
    assert_eq!(user.told("GET", "", None), json!({ "memories": [] }));
}

/// Stores them all at once, each at one of the replicas, and tells the contents that are live afterwards.
fn at_once(replicas: &[&Server], name: &'static str, contents: &[String]) -> Vec<String> {
    std::thread::scope(|scope| {
        for (at, content) in contents.iter().enumerate() {
            let user = User {
                server: replicas[at % replicas.len()],
                who: Err(name),
            };
            scope.spawn(move || user.store(content));
        }
    });
    let user = User {
        server: replicas[0],
        who: Err(name),
    };
    let listed = user.told("GET", "", None);
    let live = listed["memories"].as_array().unwrap().iter();
    live.map(|one| one["content"].as_str().unwrap().to_owned())
        .collect()
}

fn compared_at_once(replicas: &[&Server]) {
    let same = vec!["Deploys are on Tuesdays.".to_owned(); 30];
    assert_eq!(at_once(replicas, "carol", &same), same[..1]);
    let limit = |number: usize| {
        format!("The API gateway accepts at most {number} requests a minute for each client.")
    };
    let updates: Vec<String> = (100..112).map(limit).collect();
    let live = at_once(replicas, "dana", &updates);
    assert!(live.len() == 1 && updates.contains(&live[0]), "{live:?}");
    let user = User {
        server: replicas[0],
        who: Err("dana"),
    };
    let trail = user.told("GET", "/audit", None);
    let entries = trail["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 11, "each but the last was superseded");
}

#[test]
fn records_that_are_stored_at_once_are_compared_with_each_other() {
    let env = TestEnv::new();
    compared_at_once(&[&Server::open(&env)]);
}

#[test]
fn records_that_are_stored_at_once_on_two_replicas_are_compared_with_each_other() {
    let env = TestEnv::new();
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let url = cluster.database();
    let replica = || {
        let run = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        Server::of(run.env("MEM_DATABASE_URL", &url))
    };
    compared_at_once(&[&replica(), &replica()]);
}

#[test]
fn a_field_that_is_said_twice_is_refused() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let body = r#"{"content":"one","content":"two","category":"project_context","importance":3}"#;
    let ask = server.ask("POST", "/api/records");
    let refused = ask
        .header("x-mem-actor", "alice")
        .json(body.to_owned())
        .send();
    assert_eq!(refused.status, 400, "{refused:?}");
    let alice = User {
        server: &server,
        who: Err("alice"),
    };
    assert_eq!(alice.told("GET", "", None), json!({ "memories": [] }));
}

#[test]
fn no_token_is_made_for_the_workspace_of_records() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let alice = User {
        server: &server,
        who: Err("alice"),
    };
    alice.store("Lunch is at noon.");
    drop(server);
    let data = env.root().join("data");
    let run = |words: &[&str]| {
        let invoke = env.invoke(["server"].iter().chain(words));
        invoke.args(["--data-dir", data.to_str().unwrap()]).run()
    };
    let all = run(&["workspace", "list", "--json"]).assert_ok().json();
    let mut all = all.as_array().unwrap().iter();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let records = |one: &&Value| text(one, "name").starts_with("records of ");
    let records = all.find(records).unwrap();
    for name in [text(records, "name"), text(records, "id")] {
        let refused = run(&["token", "create", "--workspace", &name]).assert_code(1);
        assert!(refused.stderr.contains("records:write"), "{refused:?}");
    }
    let taken = run(&["workspace", "create", "records of wrkspc_x"]).assert_code(1);
    assert!(taken.stderr.contains("is for records"), "{taken:?}");
    let tokens = run(&["token", "list", "--json"]).assert_ok().json();
    assert_eq!(tokens, json!([]));
}

#[test]
fn a_record_with_a_secret_is_stored_with_a_warning_and_logged_by_its_token() {
    let env = TestEnv::new();
    let alice = token(&env, "alice", "records:write");
    let server = Server::start(&env, &[]);
    let user = User {
        server: &server,
        who: Ok(alice),
    };
    let secret = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b");
    let stored = user.store(&format!("The deploy token is {secret}."));
    let warning = stored["warnings"][0].as_str().unwrap();
    assert!(warning.contains("github-pat") && !warning.contains(&secret));
    let plain = user.store("Lunch is at noon.");
    assert!(plain["warnings"].is_null(), "{plain}");
    let log = server.end();
    let of_records = |line: &&str| line.contains("/api/records");
    let lines: Vec<&str> = log.lines().filter(of_records).collect();
    assert!(
        lines.len() >= 2 && lines.iter().all(|line| line.contains("apikey_")),
        "{log}"
    );
}
