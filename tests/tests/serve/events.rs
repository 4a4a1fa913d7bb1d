//! Webhooks, the audit log and the dashboard of a real server.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use mem_tests::{Server, TestEnv, clients};
use serde_json::{Value, json};

use super::{put, token};
use crate::team::Person;

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

/// A file of settings with an audit log beside it.
fn settings(env: &TestEnv, audit: &Path) -> String {
    let file = env.root().join("server.toml");
    let text = format!(
        "[events]\nallow_private = [\"127.0.0.0/8\"]\n\n[audit]\nfile = '{}'\nrequired = true\n",
        audit.display()
    );
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn lines(audit: &Path) -> Vec<Value> {
    let text = fs::read_to_string(audit).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_webhook_is_made_on_the_command_line_and_told_by_a_server_what_the_sdk_verifies() {
    let env = TestEnv::new();
    let audit = env.root().join("audit.log");
    let admin = token(
        &env,
        &["--grant", "webhooks:write", "--grant", "team:acme/*:write"],
    );
    let weak = token(&env, &["--grant", "*:write"]);
    let settings = settings(&env, &audit);
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
        "--settings",
        &settings,
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

    // Who did what, and who was not allowed to; what the command line did follows within seconds.
    let noted = || {
        let lines = lines(&audit);
        let is_there = |action: &str| lines.iter().any(|line| line["action"] == action);
        is_there("webhook.create") && is_there("webhook.delete")
    };
    while !noted() {
        std::thread::yield_now();
    }
    let lines = lines(&audit);
    let find = |action: &str, outcome: &str| {
        let is_it = |line: &&Value| line["action"] == action && line["outcome"] == outcome;
        lines
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{action} {outcome} in {lines:?}"))
    };
    let written = find("PUT /api/claude_code/team_memory", "allowed");
    assert_eq!(
        (&written["resource"], &written["status"]),
        (&json!("team:acme/app"), &json!(200))
    );
    assert!(written["actor_id"].as_str().unwrap().starts_with("apikey_"));
    assert!(written["request_id"].as_str().unwrap().starts_with("req_"));
    assert_eq!(find("GET /api/webhooks", "refused")["status"], 403);
    assert_eq!(find("webhook.create", "allowed")["resource"], id);
    find("token.create", "allowed");
    let text = fs::read_to_string(&audit).unwrap();
    assert!(
        !text.contains("words") && !text.contains("hunter2") && !text.contains(&admin),
        "{text}"
    );
}

#[test]
fn a_withheld_memory_is_reported_once_and_only_where_a_person_wants_it() {
    let env = TestEnv::new();
    let settings = settings(&env, &env.root().join("audit.log"));
    let options = ["--insecure-no-auth", "--settings", settings.as_str()];
    // The SDK compares the time of a delivery with its own.
    let data = env.root().join("data");
    let serve = env.invoke(["serve", "--listen", "127.0.0.1:0", "--data-dir"]);
    let serve = serve.args([&data]).args(options).without_env("MEM_NOW");
    let server = Server::of(serve);
    let mut receiver = Receiver::start(&env);
    let create = env.invoke(["server", "webhook", "create", "--json"]);
    let create = create.args(["--event", "secret.refused", "--settings", &settings]);
    let create = create.args([&receiver.url, "--data-dir"]).args([&data]);
    let made = create.run().assert_ok().json();
    receiver.trust(made["secret"].as_str().unwrap());
    put(&server, "a.md", "1");

    let ann = Person::new(&env, "ann");
    let setup = format!("team setup --remote {} --repo acme/app", server.url());
    ann.mem(&setup).assert_ok();
    let token = mem_tests::github_token(7);
    ann.write("one.md", &format!("The token is {token}.\n"));
    ann.mem("team sync").assert_code(3);
    ann.mem("config set team.report_refused true").assert_ok();
    ann.mem("team sync").assert_code(3);
    ann.mem("team pull").assert_ok();
    ann.write("one.md", &format!("A line more.\nThe token is {token}.\n"));
    ann.mem("team sync").assert_code(3);
    ann.write(&format!("{token}.md"), "Its name.\n");
    ann.mem("team sync").assert_code(3);
    ann.write(&format!("{token}-2.md"), "Another.\n");
    ann.mem("team sync").assert_code(3);
    // Each of them once, two without the name that holds it.
    let told = [receiver.next(), receiver.next(), receiver.next()].map(|event| {
        assert!(!event.to_string().contains(&token), "{event}");
        let data = &event["data"];
        assert_eq!(data["type"], "secret.refused", "{event}");
        assert_eq!(data["rule"], "github-pat", "{event}");
        data["path"].clone()
    });
    assert_eq!(told, [json!("/one.md"), Value::Null, Value::Null]);
}

#[test]
fn a_signal_has_the_audit_log_opened_again_and_ends_nothing() {
    let env = TestEnv::new();
    let audit = env.root().join("audit.log");
    let settings = settings(&env, &audit);
    let server = Server::start(&env, &["--insecure-no-auth", "--settings", &settings]);
    put(&server, "a.md", "1");
    let moved = env.root().join("audit.1");
    fs::rename(&audit, &moved).unwrap();
    server.signal("HUP");
    put(&server, "a.md", "2");
    assert_eq!((lines(&moved).len(), lines(&audit).len()), (1, 1));
    server.signal("TERM");
    assert_eq!(server.wait().0, 0);
}

#[test]
fn the_dashboard_asks_for_figures_that_there_are() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    put(&server, "a.md", "1");
    let text = server.ask("GET", "/metrics").send();
    let text = String::from_utf8_lossy(&text.body).into_owned();
    let mut there = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        match kind {
            "counter" => there.push(format!("{name}_total")),
            "histogram" => {
                there.extend(["_bucket", "_sum", "_count"].map(|end| format!("{name}{end}")));
            }
            _ => there.push(name.to_owned()),
        }
    }
    let dashboard: Value =
        serde_json::from_str(include_str!("../../../templates/server/grafana.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().unwrap());
    let mut asked = 0;
    for target in targets {
        let expr = target["expr"].as_str().unwrap();
        let words = expr.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for name in words.filter(|word| word.starts_with("mem_")) {
            assert!(
                there.iter().any(|one| one == name),
                "{name} is not in /metrics"
            );
            asked += 1;
        }
    }
    assert!(asked >= 10);
}
