//! The memory stores API of `mem serve`, over real sockets and with real clients.

mod access;
mod capacity;
mod clients;
mod dialects;
mod endpoints;
mod input;
mod lists;
mod openapi;
mod preview;
mod team;
mod tools;
mod tools_input;
mod worker;

use std::sync::Arc;

use mem_tests::http::{Answer, Ask};
use mem_tests::postgres::{self, Cluster};
use mem_tests::{Server, TestEnv};
use serde_json::{Value, json};

/// Where all of it is.
const STORES: &str = "/v1/memory_stores";

/// A place to keep things, and how a server over it is started.
struct Bed {
    env: TestEnv,
    /// Of a PostgreSQL database; SQLite where there is none.
    url: Option<String>,
    /// Runs for as long as somebody holds it.
    _cluster: Option<Arc<Cluster>>,
}

impl Bed {
    /// Over SQLite.
    fn new() -> Self {
        let env = TestEnv::new();
        Self {
            env,
            url: None,
            _cluster: None,
        }
    }

    /// Over SQLite, and over PostgreSQL where that is.
    fn both() -> Vec<Self> {
        let cluster = postgres::cluster();
        let postgres = cluster.map(|cluster| Self {
            url: Some(cluster.database()),
            _cluster: Some(cluster),
            ..Self::new()
        });
        [Some(Self::new()), postgres]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Runs `mem server …` and returns what it prints.
    #[track_caller]
    fn administer(&self, args: &[&str]) -> String {
        let data = self.env.root().join("data");
        let run = self.env.invoke(["server"]).args(args);
        let run = match &self.url {
            Some(url) => run.env("MEM_DATABASE_URL", url),
            None => run.args(["--data-dir", data.to_str().unwrap()]),
        };
        run.run().assert_ok().line()
    }

    /// A new token.
    #[track_caller]
    fn token(&self, args: &[&str]) -> String {
        let everything: &[&str] = match args.contains(&"--grant") {
            true => &[],
            false => &["--grant", "*:write"],
        };
        self.administer(&[&["token", "create"], args, everything].concat())
    }

    /// A server that asks for tokens.
    fn serve(&self) -> Server {
        self.serve_at("127.0.0.1:0", &[])
    }

    /// A server that asks for none.
    fn open(&self) -> Server {
        self.serve_at("127.0.0.1:0", &["--insecure-no-auth"])
    }

    /// The same, listening there.
    fn serve_at(&self, address: &str, args: &[&str]) -> Server {
        let data = self.env.root().join("data");
        let run = self.env.invoke(["serve", "--listen", address]).args(args);
        // Stores have an order by their age.
        let run = run.without_env("MEM_NOW");
        Server::of(match &self.url {
            Some(url) => run.env("MEM_DATABASE_URL", url),
            None => run.args(["--data-dir", data.to_str().unwrap()]),
        })
    }
}

/// A request below the stores.
fn ask(server: &Server, method: &str, rest: &str) -> Ask {
    server.ask(method, &format!("{STORES}{rest}"))
}

/// The same with a body.
fn send(server: &Server, method: &str, rest: &str, body: &Value) -> Answer {
    ask(server, method, rest).json(body.to_string()).send()
}

/// What an answer holds that is one.
#[track_caller]
fn ok(answer: &Answer) -> Value {
    answer.assert(200);
    assert!(answer.header("request-id").is_some());
    answer.json()
}

/// Makes a store in a server without tokens and returns its id.
#[track_caller]
fn store(server: &Server) -> String {
    id(&ok(&send(server, "POST", "", &json!({ "name": "n" }))))
}

/// Makes a memory in a server without tokens.
#[track_caller]
fn memory(server: &Server, store: &str, path: &str, content: &str) -> Value {
    let body = json!({ "path": path, "content": content });
    ok(&send(server, "POST", &format!("/{store}/memories"), &body))
}

/// The id of an object.
fn id(object: &Value) -> String {
    object["id"].as_str().unwrap().to_owned()
}

/// The paths of a list.
fn paths(page: &Value) -> Vec<&str> {
    let items = page["data"].as_array().unwrap().iter();
    items.map(|one| one["path"].as_str().unwrap()).collect()
}
