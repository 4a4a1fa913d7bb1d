//! `mem team` where texts give way: what is kept, who decides, and what takes it out again.

use std::fs;

use mem_tests::TestEnv;

use crate::team::{both_changed, two};

#[test]
fn what_gives_way_is_kept_and_a_person_decides() {
    let env = TestEnv::new();
    let (ann, ben) = both_changed(&env, "of ben\n");
    let told = ben.sync();
    assert!(told.stdout.contains("gave way  x.md"), "{}", told.shown());
    assert_eq!(ben.read("x.md").unwrap(), "of ann\n");
    assert!(ben.mem("team status").stdout.contains("gave way  x.md"));
    assert!(
        ben.mem("status")
            .stdout
            .contains("conflict: 1 text gave way")
    );
    let shown = ben.mem("team resolve --json").assert_ok().json();
    let one = &shown["conflicts"][0];
    let sides = ["base", "mine", "theirs"].map(|side| one[side].as_str().unwrap().to_owned());
    assert_eq!(sides, ["one\n", "of ben\n", "of ann\n"]);
    ben.mem("team resolve x.md --mine").assert_ok();
    assert_eq!(ben.read("x.md").unwrap(), "of ben\n");
    ben.sync();
    ann.sync();
    assert_eq!(ann.read("x.md").unwrap(), "of ben\n");
    ben.mem("team resolve x.md").assert_code(1);
    assert!(!ben.mem("status").stdout.contains("conflict"));
}

#[test]
fn a_state_that_is_damaged_costs_no_text() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("x.md", "one\n");
    ann.sync();
    ben.sync();
    ben.write("x.md", "of ben\n");
    let outcome = ben.state("-outcome.json");
    let state = outcome.to_string_lossy().replace("-outcome.json", ".state");
    fs::write(&state, "{\"view\":").unwrap();
    ben.sync();
    let shown = ben.mem("team resolve --json").assert_ok().json();
    assert_eq!(shown["conflicts"][0]["mine"], "of ben\n", "{shown}");
    ann.sync();
    assert_eq!(ann.read("x.md").unwrap(), "one\n");
}

#[test]
fn a_redaction_reaches_texts_that_gave_way_and_the_remotes_history() {
    let env = TestEnv::new();
    let (ann, ben) = both_changed(&env, "the passphrase of ben\n");
    ben.sync();
    let state = ben.home.join(".local/state/mem");
    let holds = |what: &str| {
        let files = env.files_under(&state);
        files
            .iter()
            .any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(what))
    };
    assert!(holds("passphrase"));
    let told = ben
        .invoke(["redact", "--text", "passphrase", "--yes"])
        .run()
        .assert_ok();
    assert!(!holds("passphrase"), "{}", told.shown());
    let args = ["team", "redact", "x.md"];
    ann.invoke(args).run().assert_code(2);
    let told = ann
        .invoke(args.into_iter().chain(["--yes"]))
        .run()
        .assert_ok();
    assert!(
        told.stdout.contains("1 version of x.md"),
        "{}",
        told.shown()
    );
    let log = ben.mem("team log --json x.md").assert_ok().json();
    let changes = log["changes"].as_array().unwrap();
    assert!(
        changes.iter().any(|one| one["redacted_by"].is_string()),
        "{log}"
    );
    assert!(changes[0]["sha256"].is_string(), "{log}");
    ben.sync();
    assert_eq!(ben.read("x.md").unwrap(), "of ann\n");
}
