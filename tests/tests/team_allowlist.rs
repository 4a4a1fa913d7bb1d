//! A finding that a person allows: the fingerprint that is told is the one that is asked for, wherever the file stands.

use mem_tests::{TestEnv, github_token};
use serde_json::Value;

use crate::team::{Person, two};

fn fingerprint(person: &Person<'_>, args: &[&str]) -> String {
    let found = person
        .invoke(args.iter().copied())
        .run()
        .assert_code(3)
        .json();
    let found: &Vec<Value> = found["findings"].as_array().unwrap();
    found[0]["fingerprint"].as_str().unwrap().to_owned()
}

#[test]
fn what_a_scan_of_memory_names_can_be_allowed_and_then_goes() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    let example = github_token(21);
    ann.write("how.md", &format!("A token looks like {example}\n"));
    let blocked = ann.mem("team sync").assert_code(3);
    assert!(
        blocked.stderr.contains("mem scan --memory"),
        "{}",
        blocked.shown()
    );
    // Before the repository has a key, and before it is trusted.
    let print = fingerprint(&ann, &["scan", "--memory", "--json"]);
    let file = ann.team().join("how.md").to_string_lossy().into_owned();
    assert_eq!(fingerprint(&ann, &["scan", &file, "--json"]), print);
    let allow = ["secrets", "allow", &print, "--reason", "an example"];
    let told = ann.invoke(allow).run().assert_ok();
    assert!(told.stderr.contains("mem trust"), "{}", told.shown());
    // Nobody trusts it yet: a repository does not say what leaves.
    ann.mem("team sync").assert_code(3);
    assert_eq!(fingerprint(&ann, &["scan", "--memory", "--json"]), print);
    ann.mem("trust").assert_ok();
    let again = ann.invoke(allow).run().assert_ok();
    assert!(!again.stderr.contains("mem trust"), "{}", again.shown());
    ann.sync();
    ben.mem("team sync");
    // Whoever trusts nothing does not take it either.
    assert!(ben.read("how.md").is_none());
    // Another secret is another finding.
    ann.write("other.md", &format!("{}\n", github_token(22)));
    ann.mem("team sync").assert_code(3);
}
