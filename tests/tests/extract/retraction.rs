//! What a person takes back after an earlier run has kept it.

use mem_tests::{Session, TestEnv};
use serde_json::{Value, json};

use super::{Extracted as _, PERSON, RULE};

const TABS: &str = "From now on always use tabs in this repo.";

/// One run after each of these, and what the last one brought.
fn said_one_by_one(session: &Session<'_>, prompts: &[&str]) -> Value {
    let mut last = Value::Null;
    for prompt in prompts {
        session.say("user", *prompt);
        session.say("assistant", json!([{"type": "text", "text": "Will do."}]));
        last = session.extract(&[]);
    }
    last
}

fn memories(session: &Session<'_>) -> Vec<String> {
    let listed = session.repo.mem(["list", "--json"]).assert_ok().json();
    let all = listed["memories"].as_array().expect("a list").iter();
    all.map(|one| one["description"].to_string()).collect()
}

#[test]
fn what_the_run_before_wrote_goes_and_is_not_taken_back_twice() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let done = said_one_by_one(&session, &[RULE, TABS, "No wait, scrap that."]);
    assert_eq!(
        done["taken_back"].as_array().map(Vec::len),
        Some(1),
        "{done}"
    );
    assert_eq!(done["changes"].as_array().map(Vec::len), Some(1), "{done}");
    let kept = memories(&session);
    assert!(kept.len() == 1 && kept[0].contains("mock"), "{kept:?}");
    let index = session.repo.mem(["index", "show"]).assert_ok().stdout;
    assert!(!index.contains("tabs") && index.contains("mock"), "{index}");
    // Nor does it come back, or go again once somebody wants it back.
    let all = session.extract(&["--all"]);
    assert_eq!(
        (&all["taken_back"], &all["changes"]),
        (&json!([]), &json!([])),
        "{all}"
    );
    let change = done["changes"][0].as_str().expect("a change");
    session.repo.mem(["undo", change]).assert_ok();
    assert_eq!(memories(&session).len(), 2);
    for words in [&[][..], &["--all"]] {
        assert_eq!(session.extract(words)["taken_back"], json!([]));
    }
    assert_eq!(memories(&session).len(), 2);
    // What is taken back a second time is what was said just before: nothing.
    let again = said_one_by_one(&session, &["scrap that"]);
    assert_eq!(again["taken_back"], json!([]), "{again}");
}

#[test]
fn a_prompt_between_is_what_is_taken_back_and_other_sessions_stay() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let done = said_one_by_one(&session, &[TABS, "Run the tests, please.", "never mind"]);
    assert_eq!(done["taken_back"], json!([]), "{done}");
    let other = session
        .transcript
        .with_file_name("77777777-2222-3333-4444-555555555555.jsonl");
    let line = json!({"type": "user", "uuid": "x1", "timestamp": "2026-01-06T10:00:00Z",
        "cwd": session.repo.path(), "message": {"role": "user", "content": "scrap that"}});
    std::fs::write(&other, format!("{line}\n")).expect("a transcript");
    let elsewhere = session.extract(&["77777777-2222-3333-4444-555555555555"]);
    assert_eq!(elsewhere["taken_back"], json!([]), "{elsewhere}");
    assert_eq!(memories(&session).len(), 1);
}

#[test]
fn what_took_the_place_of_older_words_gives_it_back() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let never = "From now on never use tabs in this repo.";
    let done = said_one_by_one(&session, &[TABS, never]);
    assert_eq!(done["candidates"][0]["to"], "update", "{done}");
    let done = said_one_by_one(&session, &["Sorry, forget what I just said."]);
    assert_eq!(
        done["taken_back"].as_array().map(Vec::len),
        Some(1),
        "{done}"
    );
    let kept = memories(&session);
    assert!(
        kept.len() == 1 && kept[0].contains("lways use tabs"),
        "{kept:?}"
    );
}

#[test]
fn what_somebody_changed_since_stays_and_is_told() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let done = said_one_by_one(&session, &[TABS]);
    let file = done["candidates"][0]["file"].as_str().expect("a file");
    let text = session.repo.note(file).expect("a memory");
    let changed = text.replace("use tabs", "use tabs, four wide,");
    session.repo.edit_note(file, &changed);
    session.say("user", "No wait, scrap that.");
    let output = session.repo.mem(["extract", "--json"]).assert_ok();
    assert!(output.stderr.contains("changed since"), "{}", output.stderr);
    assert_eq!(memories(&session).len(), 1);
}

#[test]
fn what_is_named_goes_wherever_the_session_wrote_it_and_is_proposed_elsewhere() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let done = said_one_by_one(
        &session,
        &[
            TABS,
            RULE,
            PERSON,
            "Scrap the tabs rule, I changed my mind.",
        ],
    );
    assert_eq!(
        done["taken_back"].as_array().map(Vec::len),
        Some(1),
        "{done}"
    );
    let kept = memories(&session);
    assert!(
        kept.len() == 2 && !kept.iter().any(|one| one.contains("tabs")),
        "{kept:?}"
    );
    // A memory of somebody else's is for a person to remove.
    let text = "---\nname: Squash\ndescription: Squash commits before merging\ntype: feedback\n---\nSquash.\n";
    session.repo.edit_note("feedback_squash.md", text);
    let done = said_one_by_one(&session, &["Forget what I said about squash commits."]);
    assert_eq!(
        (&done["taken_back"], &done["waiting"]),
        (&json!([]), &json!(1)),
        "{done}"
    );
    assert_eq!(memories(&session).len(), 3);
}

#[test]
fn what_may_mean_something_else_is_proposed() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", format!("{TABS} Then rename the branch to main."));
    session.extract(&[]);
    let done = said_one_by_one(&session, &["no wait, scrap that"]);
    assert_eq!(
        (&done["taken_back"], &done["waiting"]),
        (&json!([]), &json!(1)),
        "{done}"
    );
    assert_eq!(memories(&session).len(), 1);
}

#[test]
fn a_dry_run_says_what_would_go_and_leaves_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    said_one_by_one(&session, &[TABS]);
    session.say("user", "scrap that");
    let shown = session.extract(&["--dry-run"]);
    assert_eq!(
        shown["taken_back"].as_array().map(Vec::len),
        Some(1),
        "{shown}"
    );
    assert_eq!(memories(&session).len(), 1);
    assert_eq!(
        session.extract(&[])["taken_back"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(memories(&session).len(), 0);
}

#[test]
fn read_as_a_whole_the_session_takes_back_what_it_wrote() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    said_one_by_one(&session, &[RULE, TABS]);
    session.say("user", "Sorry, ignore my last message.");
    let done = session.extract(&["--all"]);
    assert_eq!(
        done["taken_back"].as_array().map(Vec::len),
        Some(1),
        "{done}"
    );
    let kept = memories(&session);
    assert!(kept.len() == 1 && kept[0].contains("mock"), "{kept:?}");
}

#[test]
fn where_writes_are_confirmed_what_waits_is_rejected() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let words = ["config", "set", "memory.write", "confirm"];
    session.repo.mem(words).assert_ok();
    let done = said_one_by_one(&session, &[TABS]);
    assert_eq!(done["waiting"], 1, "{done}");
    let done = said_one_by_one(&session, &["never mind"]);
    assert_eq!(done["waiting"], 0, "{done}");
    let inbox = session.repo.mem(["inbox", "--json"]).assert_ok().stdout;
    assert!(!inbox.contains("tabs"), "{inbox}");
}
