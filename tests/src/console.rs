//! One run of `mem console`, and a browser to look at it with.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use serde_json::Value;

use crate::clients;
use crate::env::TestEnv;
use crate::http::Ask;
use crate::invocation::Invocation;
use crate::repo::Repo;
use crate::session::Session;

/// A console that runs. It is killed when it is dropped.
#[derive(Debug)]
pub struct Console {
    /// The process.
    pub child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// The address that lets one browser in.
    pub url: String,
}

impl Console {
    /// The arguments of one that opens no browser and says where it listens.
    pub const ARGUMENTS: [&'static str; 3] = ["console", "--no-open", "--json"];

    /// Waits until a run of `mem console` listens; `invocation` has no arguments yet.
    #[track_caller]
    pub fn of(invocation: Invocation<'_>, more: &[&str]) -> Self {
        Self::listening(invocation.args(Self::ARGUMENTS).args(more).spawn())
    }

    /// One in a repository.
    #[track_caller]
    pub fn start(repo: &Repo<'_>) -> Self {
        Self::of(repo.invoke(Vec::<&str>::new()), &[])
    }

    /// Waits until a process with [these arguments](Self::ARGUMENTS) listens; its output is a pipe.
    #[track_caller]
    pub fn listening(mut child: Child) -> Self {
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        let mut stdout = BufReader::new(stdout);
        stdout.read_line(&mut line).expect("a line");
        let first: Value = serde_json::from_str(&line).expect("JSON");
        let url = first["listening"].as_str().expect("an address").to_owned();
        let address = url.strip_prefix("http://").expect("an address");
        let address = address.split('/').next().unwrap_or_default();
        Self {
            child,
            address: address.parse().expect("host and port"),
            url,
        }
    }

    /// A request to it.
    pub fn ask(&self, method: &str, target: &str) -> Ask {
        Ask::new(self.address, method, target)
    }

    /// Enters; the cookie.
    #[track_caller]
    pub fn enter(&self) -> String {
        let authority = self.address.to_string();
        let (_, target) = self.url.split_once(&authority).expect("its own address");
        let answer = self.ask("GET", target).send();
        answer.assert(200);
        let cookie = answer.header("set-cookie").expect("a cookie");
        cookie.split(';').next().unwrap_or_default().to_owned()
    }

    /// The address of the pages of the project that it was started in.
    #[track_caller]
    pub fn project(&self, cookie: &str) -> String {
        let first = self.ask("GET", "/").header("cookie", cookie).send();
        first.assert(303);
        first.header("location").expect("a place").to_owned()
    }

    /// Runs a scenario of `tests/clients/browser/console.mjs`, with a folder for its pictures; `None` where there is no
    /// browser.
    pub fn drive(&self, scenario: &str, pictures: Option<&Path>) -> Option<Output> {
        let browser = clients::browser()?;
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("clients/browser/console.mjs");
        let mut node = Command::new("node");
        node.arg(script).args([scenario, self.url.as_str()]);
        node.arg(browser).arg(clients::node_modules_with("browser"));
        node.args(pictures);
        Some(node.output().expect("node"))
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A repository with memories of a person and of an agent, one that drifted, two writes that wait, and a session in which
/// two prompts were given.
#[track_caller]
pub fn shop(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("shop");
    repo.write("src/retry.rs", "pub const RETRIES: u8 = 3;\n");
    repo.commit(
        "src/billing.rs",
        "pub fn round_total(cents: i64) -> i64 {\n    cents\n}\n",
        "first",
    );
    save(
        &repo,
        "feedback",
        "No mock database",
        "Tests run against a real database",
        "See `src/billing.rs`.",
    );
    save(
        &repo,
        "project",
        "Retries",
        "Three retries, then give up",
        "It is in `src/retry.rs`. See feedback_no_mock_database.md.",
    );
    env.advance(86_400);
    save(
        &repo,
        "project",
        "Retries",
        "Five retries, then give up",
        "`RETRIES` in `src/retry.rs` is 5.\n\n`src/gone.rs` has the old loop.",
    );
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    for (kind, name) in [("feedback", "Ask before a release"), ("project", "Retries")] {
        let args = [
            "save",
            "--update",
            "--type",
            kind,
            "--name",
            name,
            "--description",
            "of an agent",
            "--body",
            "<b>x</b>",
        ];
        repo.invoke(args).env("CLAUDECODE", "1").run();
    }
    repo.write("src/net/retry.rs", "pub const RETRIES: u8 = 3;\n");
    std::fs::remove_file(repo.path().join("src/retry.rs")).expect("a file");
    repo.git(["add", "-A"]);
    repo.git(["commit", "--quiet", "-m", "moved"]);
    repo.mem(["verify"]).assert_ok();
    let session = Session::in_repo(env, repo);
    session.say("user", "how often do we retry the bank?");
    session.say("user", "write a poem about the sea");
    session.repo
}

/// Saves a memory, or changes it.
#[track_caller]
pub fn save(repo: &Repo<'_>, kind: &str, name: &str, description: &str, body: &str) {
    let args = [
        "save",
        "--update",
        "--type",
        kind,
        "--name",
        name,
        "--description",
        description,
        "--body",
        body,
    ];
    repo.mem(args).assert_ok();
}
