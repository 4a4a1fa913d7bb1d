//! Reports for other programs: SARIF, and baselines.

use mem_tests::{TestEnv, github_token};
use serde_json::Value;

#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value}"));
    for key in keys {
        assert!(object.contains_key(*key), "`{key}` is missing in {value}");
    }
}

/// What the schema of SARIF 2.1.0 requires of the objects that are used, and its enumerations.
#[test]
fn sarif_is_what_the_standard_requires() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a b.txt", format!("\n{}\n", github_token(1)));
    let log = repo
        .mem(["scan", "--format", "sarif"])
        .assert_code(3)
        .json();
    has(&log, &["version", "runs"]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    has(run, &["tool"]);
    has(&run["tool"]["driver"], &["name"]);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    rules.iter().for_each(|rule| has(rule, &["id"]));
    has(&run["invocations"][0], &["executionSuccessful"]);
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let result = &run["results"][0];
    has(result, &["message"]);
    has(&result["message"], &["text"]);
    let levels = ["none", "note", "warning", "error"];
    assert!(levels.contains(&result["level"].as_str().unwrap()));
    let index = result["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.txt");
    assert_eq!(place["region"]["startLine"], 2);
    assert!(place["region"]["endColumn"].as_u64() > place["region"]["startColumn"].as_u64());
    let prints = result["partialFingerprints"].as_object().unwrap();
    assert!(prints.values().all(Value::is_string));
}

#[test]
fn a_baseline_of_ours_or_of_gitleaks_hides_what_it_lists() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", github_token(1));
    let ours = repo
        .mem(["scan", "--format", "json"])
        .assert_code(3)
        .stdout_bytes;
    std::fs::write(env.work().join("ours.json"), ours).unwrap();
    repo.mem(["scan", "--baseline", "../ours.json"]).assert_ok();
    let theirs = r#"[{"RuleID":"github-pat","File":"a.txt","StartLine":1,"Secret":"REDACTED"}]"#;
    std::fs::write(env.work().join("theirs.json"), theirs).unwrap();
    repo.mem(["scan", "--baseline", "../theirs.json"])
        .assert_ok();
    repo.write("b.txt", github_token(2));
    repo.mem(["scan", "--baseline", "../ours.json"])
        .assert_code(3);
    repo.mem(["scan", "--baseline", "a.txt"]).assert_code(1);
}
