//! What a host keeps of sessions is not erased, and an erasure says so.

use std::fs;

use mem_tests::TestEnv;
use serde_json::Value;

use super::{TEXT, remembering};

#[test]
fn transcripts_of_a_host_are_told_as_what_nobody_looked_into() {
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
}
