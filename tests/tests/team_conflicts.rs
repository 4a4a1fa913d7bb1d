//! `mem team` where texts give way: what is kept, who decides, and what takes it out again.

use std::fs;

use mem_tests::TestEnv;

use crate::team::{Person, both_changed, two, two_with};

#[test]
fn what_gives_way_is_kept_and_a_person_decides() {
    let env = TestEnv::new();
    let (ann, ben) = both_changed(&env, "of ben\n");
    let told = ben.sync();
    assert!(told.stdout.contains("gave way  x.md"), "{}", told.shown());
    assert!(
        told.stderr.contains("`mem team resolve`"),
        "{}",
        told.shown()
    );
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
fn texts_in_a_damaged_state_are_told_where_they_are() {
    let env = TestEnv::new();
    let (_, ben) = both_changed(&env, "the passphrase of ben\n");
    ben.sync();
    let outcome = ben.state("-outcome.json");
    let state = outcome.to_string_lossy().replace("-outcome.json", ".state");
    let held = fs::read_to_string(&state).unwrap();
    fs::write(&state, held.replacen("mem-sync-1", "mem-sync-x", 1)).unwrap();
    let told = ben.sync().stderr;
    assert!(
        told.contains("Texts that gave way may stand in it"),
        "{told}"
    );
    let copy = state.replace(".state", ".damaged-1");
    assert!(fs::read_to_string(&copy).unwrap().contains("passphrase"));
    let (_, name) = copy.rsplit_once('/').unwrap();
    let status = ben.mem("team status").assert_ok().stdout;
    assert!(
        status.contains(name) && status.contains("texts that gave way"),
        "{status}"
    );
    let json = ben.mem("team status --json").assert_ok().json();
    let named = json["damaged"][0].as_str().unwrap();
    assert!(named.ends_with(name), "{named}");
    let doctor = ben.mem("doctor").stdout;
    assert!(doctor.contains("texts that gave way"), "{doctor}");
    // One that was not set aside yet goes with a redaction, too.
    fs::write(&state, held.replacen("mem-sync-1", "mem-sync-x", 1)).unwrap();
    ben.invoke(["redact", "--text", "passphrase", "--yes"])
        .run()
        .assert_ok();
    let files = env.files_under(&ben.home.join(".local/state/mem"));
    let holding = files
        .iter()
        .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("passphrase"));
    assert_eq!(holding.count(), 0);
}

#[test]
fn what_an_older_version_kept_since_is_taken_over_with_its_texts() {
    let env = TestEnv::new();
    let (_, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    let outcome = ben.state("-outcome.json");
    let json = outcome.to_string_lossy().replace("-outcome.json", ".json");
    let later = serde_json::json!({ "conflicts": [{
        "key": "x.md",
        "local": "later\n",
        "base": null,
        "remote": { "at": "0".repeat(64) },
    }] });
    fs::write(&json, later.to_string()).unwrap();
    let texts = || {
        let shown = ben.mem("team resolve --json").assert_ok().json();
        let all = shown["conflicts"].as_array().unwrap().clone();
        let texts = all
            .iter()
            .map(|one| one["mine"].as_str().unwrap().to_owned());
        texts.collect::<Vec<_>>()
    };
    assert_eq!(texts(), ["of ben\n", "later\n"]);
    ben.mem("team resolve x.md --theirs").assert_ok();
    assert!(!fs::exists(&json).unwrap());
    ben.sync();
    assert_eq!(texts(), ["later\n"]);
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
    // What stands now is not redacted, and nobody is told of requests.
    ann.write("live.md", "it stands\n");
    ann.sync();
    let refused = ann.mem("team redact live.md --yes").assert_code(4).stderr;
    assert!(
        refused.contains("this is what the entry holds now") && !refused.contains("status"),
        "{refused}"
    );
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

#[test]
fn a_difference_of_what_is_nowhere_is_an_error() {
    let env = TestEnv::new();
    let (ann, _ben) = two_with(&env, &["x.md"]);
    let told = ann.mem("team diff nothing.md").assert_code(1).stderr;
    assert!(
        told.contains("is called `nothing.md`") && told.contains("hint:"),
        "{told}"
    );
    let told = ann.mem("team diff x.md").assert_ok().stderr;
    assert!(told.contains("nothing differs"), "{told}");
}

/// How many entries an index has for a file.
fn entries(person: &Person<'_>, file: &str) -> usize {
    let index = person.read("MEMORY.md").unwrap();
    index.matches(&format!("({file})")).count()
}

#[test]
fn a_conflict_leaves_one_entry_for_the_file_in_the_index() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.save("Other", "x");
    ann.sync();
    ben.sync();
    let describe = |person: &Person<'_>, text: &str| {
        let save = ["save", "--type", "project", "--scope", "team", "--update"];
        let rest = ["--name", "Freeze", "--description", text, "--body", text];
        person
            .invoke(save.into_iter().chain(rest))
            .run()
            .assert_ok();
    };
    describe(&ann, "of ann");
    describe(&ben, "of ben");
    ann.sync();
    let told = ben.sync().stdout;
    assert_eq!(entries(&ben, "project_freeze.md"), 1, "{told}");
    ben.mem("team resolve project_freeze.md --mine").assert_ok();
    let index = ben.read("MEMORY.md").unwrap();
    assert_eq!(entries(&ben, "project_freeze.md"), 1, "{index}");
    assert!(
        index.contains("of ben") && index.contains("project_other.md"),
        "{index}"
    );
    ben.sync();
    ann.sync();
    assert_eq!(ann.read("MEMORY.md").unwrap(), index);
    ann.mem("check --scope team").assert_ok();
    // Two people who add the same file.
    for (person, name) in [(&ann, "One"), (&ben, "Two")] {
        person.write(
            "same.md",
            "---\nname: Same\ndescription: d\ntype: project\n---\nbody\n",
        );
        let index = person.read("MEMORY.md").unwrap();
        person.write(
            "MEMORY.md",
            &format!("{index}- [{name}](./same.md) — by hand\n"),
        );
        person.sync();
    }
    ann.sync();
    for person in [&ann, &ben] {
        let index = person.read("MEMORY.md").unwrap();
        assert_eq!(index.matches("same.md").count(), 1, "{index}");
    }
}
