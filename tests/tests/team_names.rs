//! Names that hold a secret, once they are out: what a redaction reaches of them, and what it says of the rest.

use std::fs;

use mem_tests::{Server, TestEnv, github_token};
use serde_json::json;

use crate::team::{Person, two};

#[test]
fn a_redaction_says_that_a_name_stays_and_does_not_show_it() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let ann = Person::new(&env, "ann");
    let setup = format!("team setup --remote {} --repo acme/app", server.url());
    ann.mem(&setup).assert_ok();
    let token = github_token(9);
    let name = format!("{token}/x.md");
    // As a client without a scanner sends it.
    for body in [
        json!({ "entries": { &name: "one" } }),
        json!({ "delete": [&name] }),
    ] {
        let put = server.store("PUT", "acme/app", "").json(body.to_string());
        put.send().assert(200);
    }
    let redact = ["team", "redact", &name, "--yes"];
    let told = ann.invoke(redact).run().assert_ok();
    assert!(
        told.stderr.contains("its name holds a secret"),
        "{}",
        told.shown()
    );
    let json = ann
        .invoke(redact.into_iter().chain(["--json"]))
        .run()
        .assert_ok();
    assert_eq!(json.json()["name_holds_secret"], true);
    for said in [told, json] {
        assert!(!said.shown().contains(&token), "the secret was printed");
    }
    let unknown = ann.mem("team redact never.md --yes").assert_code(1).stderr;
    assert!(unknown.contains("was ever called `never.md`"), "{unknown}");
}

#[test]
fn a_redacted_name_is_gone_here_with_its_folder_and_from_what_is_remembered() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    // Nothing that the scanner knows.
    let secret = ["hunter", "2", "-", "Tr0ub4dor"].concat();
    for person in [&ann, &ben] {
        person.write(&format!("{secret}/x.md"), "one\n");
        person.write(&format!("{secret}-too/y.md"), "two\n");
        person.sync();
    }
    fs::create_dir_all(ann.team().join(format!("empty/{secret}"))).unwrap();
    let redact = ["redact", "--yes", "--text", &secret];
    let told = ann.invoke(redact).run().assert_ok();
    assert!(
        told.stderr
            .contains("the name of a file that was shared holds it"),
        "{}",
        told.shown()
    );
    for (path, bytes) in env.files_under(&ann.home) {
        assert!(!path.contains(&secret), "{}", path);
        let holds = bytes
            .windows(secret.len())
            .any(|one| one == secret.as_bytes());
        assert!(!holds, "{}", path);
    }
    assert!(!ann.team().join(&secret).exists());
    assert!(!ann.team().join(format!("{secret}-too")).exists());
    assert!(!ann.team().join("empty").join(&secret).exists());
}
