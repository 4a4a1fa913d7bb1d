//! What was taken back, removed or rejected, and what is remembered of it.

use std::fs;

use mem_tests::{Session, TestEnv};
use serde_json::json;

use super::{Extracted as _, PERSON, RULE, UNSURE};

/// A fork of the session: the same lines under another id, and perhaps one more.
fn fork(session: &Session<'_>, id: &str, more: &str) {
    let text = fs::read_to_string(&session.transcript).expect("a transcript");
    let text = text.replace(Session::ID, id);
    let file = session.transcript.with_file_name(format!("{id}.jsonl"));
    fs::write(file, format!("{text}{more}")).expect("written");
}

const FORK: &str = "44444444-2222-3333-4444-555555555555";

#[test]
fn what_was_taken_back_does_not_come_back_from_a_fork() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    session.extract(&[]);
    fork(&session, FORK, "");
    let kept = session.extract(&[FORK]);
    assert_eq!(
        (&kept["candidates"][0]["to"], &kept["changes"]),
        (&json!("known"), &json!([])),
        "the fork says nothing new: {kept}"
    );
    session.repo.mem(["undo"]).assert_ok();
    for words in [&[FORK, "--all"][..], &["--all", Session::ID]] {
        let again = session.extract(words);
        assert_eq!(again["candidates"], json!([]), "{again}");
        assert_eq!(again["dropped"][0]["reason"], "gone", "{again}");
    }
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    // Who says it anew may mean it: that is for a person to say.
    let anew = json!({"type": "user", "uuid": "later", "timestamp": "2026-01-05T10:00:00Z",
        "cwd": session.repo.path(), "message": {"role": "user", "content": RULE}});
    let third = "55555555-2222-3333-4444-555555555555";
    fork(&session, third, &format!("{anew}\n"));
    let asked = session.extract(&[third]);
    assert_eq!(asked["candidates"][0]["to"], "inbox", "{asked}");
    assert_eq!(asked["candidates"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_was_removed_or_rejected_does_not_come_back_from_a_fork() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    for text in UNSURE {
        session.say("user", text);
    }
    let done = session.extract(&[]);
    let file = done["candidates"][0]["file"].as_str().expect("a file");
    session
        .repo
        .mem(["remove", file, "--reason", "wrong"])
        .assert_ok();
    session.repo.mem(["inbox", "reject", "--all"]).assert_ok();
    fork(&session, FORK, "");
    let again = session.extract(&[FORK]);
    assert_eq!(
        (&again["changes"], &again["waiting"]),
        (&json!([]), &json!(0)),
        "{again}"
    );
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
}

#[test]
fn a_damaged_record_of_what_was_kept_is_told_and_set_aside() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    session.extract(&[]);
    let files = env.files_under(env.root());
    let state = files
        .iter()
        .find(|(name, _)| name.ends_with("/extracts.json"));
    let (name, text) = state.expect("what is remembered");
    let state = env.root().join(name);
    assert!(
        !String::from_utf8_lossy(text).contains("mock"),
        "no word is kept"
    );
    fs::write(&state, "{broken").expect("written");
    session.say("user", PERSON);
    let told = session.repo.mem(["extract"]).assert_ok().stderr;
    assert!(
        told.contains("is damaged") && told.contains("may come again"),
        "{told}"
    );
    assert!(state.with_extension("damaged-1").exists());
    assert_eq!(session.status()["tiers"][0]["memories"], 2);
}
