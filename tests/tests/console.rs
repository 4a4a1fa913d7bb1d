//! `mem console`, and the console of a server: over plain HTTP, and in a real browser.

mod access;
mod browser;
mod stores;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::Child;

use mem_tests::http::{Answer, Ask};
use mem_tests::{Invocation, Repo, TestEnv};
use serde_json::Value;

/// A console that runs. It is killed when it is dropped.
struct Console {
    child: Child,
    address: SocketAddr,
    /// The address that lets one browser in.
    url: String,
}

impl Console {
    /// Waits until a run of `mem console` listens; `invocation` has no arguments yet.
    #[track_caller]
    fn of(invocation: Invocation<'_>, more: &[&str]) -> Self {
        let run = invocation
            .args(["console", "--no-open", "--json"])
            .args(more);
        let mut child = run.spawn();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let first: Value = serde_json::from_str(&line).unwrap();
        let url = first["listening"].as_str().unwrap().to_owned();
        let address = url.strip_prefix("http://").unwrap();
        let address = address.split('/').next().unwrap().parse().unwrap();
        Self {
            child,
            address,
            url,
        }
    }

    fn start(repo: &Repo<'_>) -> Self {
        Self::of(repo.invoke(Vec::<&str>::new()), &[])
    }

    fn ask(&self, method: &str, target: &str) -> Ask {
        Ask::new(self.address, method, target)
    }

    /// Enters; the cookie.
    #[track_caller]
    fn enter(&self) -> String {
        let target = self.url.split_once(&self.address.to_string()).unwrap().1;
        let answer = self.ask("GET", target).send();
        expect(&answer, 200);
        let cookie = answer.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address of the project's pages, and the token of its forms.
#[track_caller]
fn project(console: &Console, cookie: &str) -> (String, String) {
    let first = console.ask("GET", "/").header("cookie", cookie).send();
    expect(&first, 303);
    let base = first.header("location").unwrap().to_owned();
    let page = console.ask("GET", &base).header("cookie", cookie).send();
    let page = expect(&page, 200);
    let csrf = page.split_once("data-csrf=\"").unwrap().1;
    (base, csrf.split('"').next().unwrap().to_owned())
}

/// A repository with memories of a person and of an agent, one that drifted, and two writes that wait.
fn shop(env: &TestEnv) -> Repo<'_> {
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
    std::fs::remove_file(repo.path().join("src/retry.rs")).unwrap();
    repo.git(["add", "-A"]);
    repo.git(["commit", "--quiet", "-m", "moved"]);
    repo.mem(["verify"]).assert_ok();
    repo
}

fn save(repo: &Repo<'_>, kind: &str, name: &str, description: &str, body: &str) {
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

/// The page of an answer with this status.
#[track_caller]
fn expect(answer: &Answer, status: u16) -> String {
    let page = text(answer);
    assert_eq!(answer.status, status, "{page}");
    page
}

/// The text of an answer.
fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}
