//! The description of the API, tried against the server by a program that knows nothing else: no answer of
//! 5xx, and no status or form that is not described.

use mem_tests::clients;
use serde_json::json;

use super::{Bed, ask, id, ok};

#[test]
fn what_a_stranger_makes_of_the_description_holds() {
    for bed in Bed::both() {
        let token = bed.token(&[]);
        let server = bed.serve_at("127.0.0.1:0", &["--rate-limit", "0"]);
        let post = |rest: &str, body: serde_json::Value| {
            ok(&ask(&server, "POST", rest)
                .token(&token)
                .json(body.to_string())
                .send())
        };
        // Something that its guesses can meet.
        let store = id(&post("", json!({ "name": "n" })));
        post(
            &format!("/{store}/memories"),
            json!({ "path": "/a", "content": "" }),
        );
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
            "20",
            "--seed",
            "1",
            "--request-timeout",
            "60",
        ]);
        command.args([
            "--phases",
            "examples,coverage,fuzzing,stateful",
            "--no-color",
        ]);
        let output = command.current_dir(bed.env.root()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
