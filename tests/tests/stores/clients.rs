//! Every method through the released SDKs, one of each generation, over both databases.

use std::path::{Path, PathBuf};
use std::process::Command;

use mem_tests::clients;
use serde_json::Value;

use super::Bed;

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("clients")
        .join(name)
}

/// The version that a session's SDK says it has, after everything that the session asserts.
fn session(mut command: Command) -> String {
    let output = command.output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {talk}");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    said["sdk"].as_str().unwrap().to_owned()
}

fn python(pins: &str, version: &str) {
    for bed in Bed::both() {
        let writer = bed.token(&["--name", "app", "--grant", "store:*:write"]);
        let reader = bed.token(&["--grant", "store:*:read"]);
        let server = bed.serve();
        let mut command = bed.env.command(clients::python_with(pins));
        command.arg(script("python/stores_session.py"));
        command.args([server.url(), writer, reader]);
        assert_eq!(session(command), version);
    }
}

fn typescript(pins: &str, version: &str) {
    for bed in Bed::both() {
        let token = bed.token(&["--name", "app"]);
        let server = bed.serve();
        let mut command = bed.env.command("node");
        command.arg(script("node/stores_session.mjs"));
        command.arg(clients::node_modules_with(pins));
        command.args([server.url(), token]);
        assert_eq!(session(command), version);
    }
}

#[test]
fn the_newest_python_sdk_is_content() {
    python("requirements", "2.12.0");
}

#[test]
fn the_python_sdk_of_one_generation_before_is_content() {
    python("anthropic-1.17.0", "1.17.0");
}

#[test]
fn the_oldest_python_sdk_is_content() {
    python("anthropic-0.121.0", "0.121.0");
}

#[test]
fn the_newest_typescript_sdk_is_content() {
    typescript("node", "1.12.0");
}

#[test]
fn the_typescript_sdk_of_one_generation_before_is_content() {
    typescript("node-older", "0.120.0");
}
