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
