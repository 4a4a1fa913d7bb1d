//! The description of the API, tried against the server by a program that knows nothing else: no answer of
//! 5xx, and no status or form that is not described.

use std::fs;

use mem_tests::clients;
use serde_json::{Value, json};

use super::{Bed, ask, id, ok};

/// Ids that its guesses are to meet; those of others for what would take them away.
fn known(store: &str, memory: &Value) -> String {
    let (memory, version) = (&memory["id"], &memory["memory_version_id"]);
    format!(
        r#"[parameters]
"path.store" = "{store}"
"path.memory" = {memory}
"path.version" = {version}

[[operations]]
include-operation-id = ["deleteStore", "archiveStore", "deleteMemory"]
parameters = {{ "path.store" = "memstore_0" }}
"#
    )
}

#[test]
fn what_a_stranger_makes_of_the_description_holds() {
    for bed in Bed::both() {
        let token = bed.token(&[]);
        let server = bed.serve_at("127.0.0.1:0", &["--rate-limit", "0"]);
        let post = |rest: &str, body: Value| {
            ok(&ask(&server, "POST", rest)
                .token(&token)
                .json(body.to_string())
                .send())
        };
        // Something that its guesses can meet.
        let store = id(&post("", json!({ "name": "n" })));
        let body = json!({ "path": "/a", "content": "" });
        let made = post(&format!("/{store}/memories"), body);
        fs::write(
            bed.env.root().join("schemathesis.toml"),
            known(&store, &made),
        )
        .unwrap();
        let mut command = bed.env.command(clients::python_with("schemathesis"));
        command.args([
            "-c",
            "from schemathesis.cli import schemathesis as run; run()",
        ]);
        let url = format!("{}/openapi.json", server.url());
        let header = format!("authorization: Bearer {token}");
        command.args([
            "run",
            &url,
            "--header",
            &header,
            "--include-path-regex",
            "^/v1/",
        ]);
        let checks = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance";
        command.args([
            "--checks",
            checks,
            "--max-examples",
            "10",
            "--seed",
            "1",
            "--request-timeout",
            "60",
        ]);
        command.args(["--phases", "coverage,fuzzing", "--no-color"]);
        let output = command.current_dir(bed.env.root()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
