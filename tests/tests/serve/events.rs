//! Webhooks of a real server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use mem_tests::{Server, TestEnv, clients};
use serde_json::{Value, json};

use super::token;

/// A receiver that verifies with the released SDK, ended with this.
struct Receiver {
    child: Child,
    lines: BufReader<ChildStdout>,
    url: String,
}

impl Receiver {
    fn start(env: &TestEnv) -> Self {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/node/webhook_receiver.mjs");
        let mut command = env.command("node");
        command.arg(script).arg(clients::node_modules());
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let url = String::new();
        let mut receiver = Self { child, lines, url };
        receiver.url = receiver.line();
        receiver
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn trust(&mut self, secret: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{secret}").unwrap();
        stdin.flush().unwrap();
    }

    fn next(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file of settings.
fn settings(env: &TestEnv) -> String {
    let file = env.root().join("server.toml");
    fs::write(&file, "[events]\nallow_private = [\"127.0.0.0/8\"]\n").unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_webhook_is_made_on_the_command_line_and_told_by_a_server_what_the_sdk_verifies() {
    let env = TestEnv::new();
    let admin = token(
        &env,
        &["--grant", "webhooks:write", "--grant", "team:acme/*:write"],
    );
    let weak = token(&env, &["--grant", "*:write"]);
    let settings = settings(&env);
    let data = env.root().join("data");
    let serve = env.invoke([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--settings",
        &settings,
        "--data-dir",
    ]);
    // The SDK compares the time of a delivery with its own.
    let server = Server::of(serve.args([&data]).without_env("MEM_NOW"));
    let mut receiver = Receiver::start(&env);
    let of_server = |words: &[&str]| {
        let run = env.invoke(["server", "webhook"]).args(words);
        run.args(["--data-dir", data.to_str().unwrap(), "--json"])
            .run()
            .assert_ok()
            .json()
    };
    let made = of_server(&[
        "create",
        &receiver.url,
        "--event",
        "memory.created",
        "--event",
        "secret.refused",
    ]);
    let id = made["id"].as_str().unwrap();
    receiver.trust(made["secret"].as_str().unwrap());
    let ask = |method: &str, target: &str, token: &str| server.ask(method, target).token(token);
    let body = json!({ "entries": { "a.md": "the words of a memory" } }).to_string();
    let store = "/api/claude_code/team_memory?repo=acme/app";
    ask("PUT", store, &admin).json(body).send().assert(200);
    let event = receiver.next();
    assert_eq!(event["type"], "event", "{event}");
    assert_eq!(
        (&event["data"]["type"], &event["data"]["path"]),
        (&json!("memory.created"), &json!("/a.md"))
    );
    assert!(!event.to_string().contains("words"));
    let report = "/api/claude_code/team_memory/refused?repo=acme/app";
    let refused = json!({ "key": "b.md", "rule": "aws-access-key" }).to_string();
    ask("POST", report, &admin).json(refused).send().assert(200);
    let event = receiver.next();
    assert_eq!(
        (&event["data"]["type"], &event["data"]["rule"]),
        (&json!("secret.refused"), &json!("aws-access-key"))
    );
    let more = json!({ "key": "b.md", "rule": "it says: hunter2" }).to_string();
    ask("POST", report, &admin).json(more).send().assert(400);

    // `*` covers no webhooks; a grant for them does, over HTTP too.
    let listed = ask("GET", "/api/webhooks", &weak).send();
    listed.assert(403);
    let tested = ask("POST", &format!("/api/webhooks/{id}/test"), &admin)
        .json("{}")
        .send();
    tested.assert(200);
    let event = receiver.next();
    assert_eq!(
        (&event["id"], &event["data"]["type"]),
        (&tested.json()["event_id"], &json!("webhook.test"))
    );
    let listed = of_server(&["list"]);
    assert_eq!(
        (&listed[0]["id"], &listed[0]["url"]),
        (&json!(id), &json!(receiver.url))
    );
    assert_eq!(of_server(&["dead", id]), json!([]));
    of_server(&["delete", id]);
    assert_eq!(
        ask("GET", "/api/webhooks", &admin).send().json(),
        json!({ "webhooks": [] })
    );
}
