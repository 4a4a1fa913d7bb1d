//! What is too much for a disk or for an answer.

use std::process::Command;

use mem_tests::http::Answer;
use mem_tests::{Server, TestEnv};
use serde_json::json;

use super::get;

/// What one answer holds.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
/// As long as two of them fit into one PUT.
const TEXT_BYTES: usize = 97_000;

fn write(server: &Server, number: usize) -> Answer {
    let text = format!("{number}{}", "x".repeat(TEXT_BYTES));
    let body =
        json!({ "entries": { format!("a{number}.md"): text, format!("b{number}.md"): text } });
    server
        .store("PUT", "acme/app", "")
        .json(body.to_string())
        .send()
}

/// The largest file that a process may write.
fn limit(server: &Server, bytes: &str) {
    let mut prlimit = Command::new("prlimit");
    prlimit.args(["--pid", &server.id().to_string()]);
    let status = prlimit.arg(format!("--fsize={bytes}:unlimited")).status();
    assert!(status.expect("prlimit runs").success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_was_full_costs_errors_and_no_restart() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let args = [
        "serve",
        "--insecure-no-auth",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        data.to_str().unwrap(),
    ];
    // A file that may not grow is an error then, as on a full disk, and no signal.
    let script = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let server = Server::of(env.invoke(args).through_shell(script));
    write(&server, 0).assert(200);
    limit(&server, "1000000");
    let written = (1..40).take_while(|number| write(&server, *number).status == 200);
    let written = written.count();
    assert!(written < 39);
    assert_eq!(write(&server, 40).status, 507);
    limit(&server, "unlimited");
    write(&server, 41).assert(200);
    let there = get(&server).json()["entries"].as_object().unwrap().len();
    assert_eq!(there, 2 * (written + 2));
}

#[test]
fn a_store_larger_than_an_answer_is_not_put_together_and_can_be_had_in_parts() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let puts = ANSWER_BYTES_MAX / (2 * TEXT_BYTES) + 1;
    for number in 0..puts {
        write(&server, number).assert(200);
    }
    let whole = server.store("GET", "acme/app", "").send();
    assert_eq!(whole.assert(413), "request_too_large");
    let hashes = server.store("GET", "acme/app", "&view=hashes").send();
    hashes.assert(200);
    assert_eq!(
        hashes.json()["entries"].as_object().unwrap().len(),
        2 * puts
    );
    let some = server.store("GET", "acme/app", "&keys=a0.md,b1.md").send();
    assert_eq!(some.json()["entries"].as_object().unwrap().len(), 2);
    let known = server
        .store("GET", "acme/app", "")
        .header("if-none-match", hashes.etag());
    assert_eq!(known.send().status, 304);
}
