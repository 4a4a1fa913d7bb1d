//! What a host keeps of sessions is not erased, and an erasure says so.

use std::fs;

use mem_tests::TestEnv;
use serde_json::Value;

use super::{TEXT, remembering};

#[test]
fn transcripts_of_a_host_that_hold_a_trace_are_named_and_stay() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let folder = env.base().join("projects/-another");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("s.jsonl"), format!("{TEXT}\n")).unwrap();
    let proof = env.root().join("proof.json");
    let args = [
        "erase",
        "--all",
        "--yes",
        "--proof",
        proof.to_str().unwrap(),
    ];
    let told = repo.mem(args).assert_ok().stdout;
    assert!(told.contains("never touched: 1 transcript"), "{told}");
    let proof: Value = serde_json::from_slice(&fs::read(proof).unwrap()).unwrap();
    let said = proof["never_searched"].as_str().unwrap();
    assert!(said.contains("1 transcript"), "{proof}");
    let holding = &proof["transcripts"]["holding"];
    assert_eq!(holding[0]["lines"], serde_json::json!([1]), "{proof}");
    let command = holding[0]["command"].as_str().unwrap();
    assert!(command.starts_with("sed -n '1p' '"), "{command}");
    assert_eq!(
        fs::read_to_string(folder.join("s.jsonl")).unwrap(),
        format!("{TEXT}\n")
    );
}

#[test]
fn sessions_of_opencode_that_hold_a_trace_are_named_and_stay() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let folder = env.home().join(".local/share/opencode");
    fs::create_dir_all(&folder).unwrap();
    let database = folder.join("opencode.db");
    let db = rusqlite::Connection::open(&database).unwrap();
    db.execute_batch(
        "CREATE TABLE session (id text, title text); INSERT INTO session VALUES ('ses_1', 'a'), ('ses_2', 'b');
         CREATE TABLE message (session_id text, data text); INSERT INTO message VALUES ('ses_1', '{}');
         CREATE TABLE part (session_id text, data text); INSERT INTO part VALUES ('ses_1', '{}');",
    )
    .unwrap();
    // What a plugin has put before the model is no words of a session, but a trace.
    let part = serde_json::json!({"type": "text", "synthetic": true, "text": TEXT}).to_string();
    db.execute("INSERT INTO part VALUES ('ses_2', ?)", [part])
        .unwrap();
    drop(db);
    let before = fs::read(&database).unwrap();
    let proof = env.root().join("proof.json");
    let args = [
        "erase",
        "--all",
        "--yes",
        "--proof",
        proof.to_str().unwrap(),
    ];
    let told = repo.mem(args).assert_ok().stdout;
    assert!(told.contains("never touched: 1 transcript"), "{told}");
    let proof: Value = serde_json::from_slice(&fs::read(proof).unwrap()).unwrap();
    let holding = &proof["transcripts"]["holding"];
    assert_eq!(holding[0]["command"], "opencode export 'ses_2'", "{proof}");
    assert_eq!(holding[0]["line_count"], 1);
    assert_eq!(fs::read(&database).unwrap(), before);
}
