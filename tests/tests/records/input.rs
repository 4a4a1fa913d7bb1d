//! Records that cannot be: a clear error, and nothing written.

use mem_tests::TestEnv;
use serde_json::json;

use super::{contents, retrieved};
use crate::mcp::served;

#[test]
fn bad_input_is_a_clear_error_and_writes_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let large = "x".repeat(1 << 20);
    let huge = repo.invoke(["record", "store", "--category", "relationship"]);
    let huge = huge.stdin(large.clone()).run().assert_code(2);
    assert!(
        huge.stderr
            .contains("1048576 bytes long, the limit is 65536"),
        "{}",
        huge.stderr
    );
    let base = ["record", "store", "x", "--category", "relationship"];
    for (more, told) in [
        (&["--importance", "6"][..], "from 1 to 5"),
        (&["--importance", "-1"], "from 1 to 5"),
        (&["--expires-at", "soon"], "neither a date nor a time"),
        (&["--expires-at", "2026-13-45"], "neither a date nor a time"),
        (
            &["--expires-at", "2027-01-01T00:00:00+25:00"],
            "neither a date nor a time",
        ),
        (&["--tag", "a\nb"], "is not a tag"),
    ] {
        let refused = repo.mem(base.iter().chain(more)).assert_code(2);
        assert!(
            refused.stderr.contains(told) && refused.stderr.contains("hint:"),
            "{}",
            refused.stderr
        );
    }
    for args in [
        &["store", "x", "--category", "mood"][..],
        &["store", " ", "--category", "relationship"],
        &["list", "--category", "mood"],
        &["retrieve", ""],
        &["retrieve", "x", "--limit", "0"],
        &["retrieve", "x", "--min-importance", "6"],
        &["delete", "../x", "--reason", "y"],
    ] {
        let refused = repo.mem(["record"].iter().chain(args)).assert_code(2);
        let told = refused.stderr;
        assert!(
            told.contains("hint:") && !told.contains("memory_"),
            "{told}"
        );
    }
    // What was understood and is not there is another thing.
    let gone = repo.mem(["record", "delete", "mem_1", "--reason", "y"]);
    let told = gone.assert_code(1).stderr;
    assert!(
        told.contains("hint:") && !told.contains("memory_"),
        "{told}"
    );
    let mut rpc = served(&repo, &[]);
    let good = json!({ "content": "x", "category": "relationship", "importance": 3 });
    for (field, value) in [
        ("content", json!("")),
        ("content", json!(large)),
        ("category", json!("mood")),
        ("importance", json!(9)),
        ("importance", json!("high")),
        ("tags", json!("a")),
        ("expires_at", json!("9999999-01-01")),
        ("expires_at", json!("2027-01-01T00:00:00+25:00")),
        ("user", json!("bob")),
    ] {
        let mut given = good.clone();
        given[field] = value;
        assert!(
            rpc.refused("memory_store", given).contains(field),
            "{field}"
        );
    }
    rpc.refused(
        "memory_delete",
        json!({ "memory_id": "mem_x", "path": "a.md", "reason": "y" }),
    );
    rpc.refused("memory_delete", json!({ "memory_id": "mem_x" }));
    rpc.refused("memory_delete", json!({}));
    assert!(!repo.memory().exists() || env.files_under(&repo.memory()).is_empty());
}

#[test]
fn a_clock_in_1970_loses_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let run = |args: &[&str]| {
        let run = repo.invoke(args).env("MEM_NOW", "1970-01-01T00:00:00Z");
        run.run().assert_ok()
    };
    run(&[
        "record",
        "store",
        "Lunch is at noon.",
        "--category",
        "project_context",
    ]);
    let all = retrieved(&repo, "lunch", &["--explain"]);
    assert_eq!(contents(&all), ["Lunch is at noon."]);
    let early = run(&["record", "retrieve", "lunch", "--json", "--explain"]).json();
    assert_eq!(early["memories"][0]["effective_importance"], 3.0);
    assert_eq!(
        run(&["prune", "--below", "2.9", "--json"]).json()["pruned"],
        json!([])
    );
}
