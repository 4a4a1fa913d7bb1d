//! The end of old versions.

use mem_tests::{Server, TestEnv};
use serde_json::json;

use super::{get, put};

#[test]
fn old_versions_end_when_somebody_says_so() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    for number in 0..25 {
        put(&server, "a.md", &format!("text {number}"));
    }
    let prune = |now: &str, more: &[&str]| {
        let data = env.root().join("data");
        let run = env.invoke(["server", "prune", "--json", "--data-dir"]);
        let run = run.args([data.to_str().unwrap()]).args(more);
        run.env("MEM_NOW", now).run().assert_ok().json()
    };
    assert_eq!(prune("2026-01-01T00:00:00Z", &[]), json!({ "versions": 0 }));
    // Long after whatever the present of this environment is.
    let later = "2100-01-01T00:00:00Z";
    assert_eq!(
        prune(later, &["--keep-versions-days", "99999"]),
        json!({ "versions": 0 })
    );
    assert_eq!(prune(later, &[]), json!({ "versions": 5 }));
    assert_eq!(
        prune(later, &["--keep-versions", "3"]),
        json!({ "versions": 17 })
    );
    assert_eq!(get(&server).json()["entries"]["a.md"]["content"], "text 24");
    put(&server, "a.md", "after it");
}

#[test]
fn contents_move_to_object_storage_and_are_served_from_there() {
    let env = TestEnv::new();
    let objects = format!("file://{}", env.root().join("objects").display());
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let serve = |objects: &str| {
        let run = env.invoke(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        run.args(["--data-dir", data])
            .env("MEM_OBJECTS_URL", objects)
    };
    let server = Server::of(serve(&objects));
    let text = "large ".repeat(10_000);
    put(&server, "a.md", &text);
    let prune = env.invoke(["server", "prune", "--json", "--data-dir", data]);
    let report = prune.env("MEM_OBJECTS_URL", &objects).run().assert_ok();
    assert_eq!(report.json(), json!({ "versions": 0, "moved": 1 }));
    assert_eq!(get(&server).json()["entries"]["a.md"]["content"], text);
    server.end();
    // Nobody starts it with its contents out of reach, and whoever tries is told what is missing.
    let elsewhere = format!("file://{}", env.root().join("others").display());
    for (objects, code, hint) in [
        ("", 1, "MEM_OBJECTS_URL"),
        (elsewhere.as_str(), 1, "MEM_OBJECTS_URL"),
        ("ftp://somewhere", 1, "MEM_OBJECTS_URL"),
    ] {
        let refused = serve(objects).run();
        assert_eq!(refused.code, code, "{}", refused.stderr);
        assert!(refused.stderr.contains(hint), "{}", refused.stderr);
    }
    let again = Server::of(serve(&objects));
    assert_eq!(get(&again).json()["entries"]["a.md"]["content"], text);
}
