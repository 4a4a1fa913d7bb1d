//! What cannot be written: it is told, and keeps nothing else back.

use std::fs;

use mem_tests::{Session, TestEnv};

use super::{Extracted as _, PERSON, RULE};

/// A note that says what [`RULE`] says, and that no line can be added to: its day stands inside of braces.
fn note_without_room(session: &Session<'_>) {
    let name = "Never mock the database in tests";
    let fields = "{type: feedback, modified: 2020-06-01T00:00:00Z}";
    let head = format!("---\nname: {name}\ndescription: {name}\nmetadata: {fields}\n---\n");
    let text = format!("{head}\n{name}.\n");
    session.repo.edit_note("feedback_db.md", &text);
}

#[test]
fn what_a_hook_leaves_out_stands_in_the_log_of_the_hooks() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    note_without_room(&session);
    session.say("user", RULE);
    let transcript = format!("--transcript={}", session.transcript.display());
    let words = ["extract", "--quiet", "--background"];
    session
        .repo
        .mem([words[0], words[1], words[2], &transcript, "--", Session::ID])
        .assert_ok();
    let log = fs::read_to_string(env.home().join(".local/state/mem/hooks.log")).unwrap_or_default();
    assert!(
        log.contains("extract") && log.contains("one is left out"),
        "{log}"
    );
}

#[test]
fn what_cannot_be_written_keeps_nothing_else_from_being_kept() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    note_without_room(&session);
    session.say("user", RULE);
    session.say("user", PERSON);
    session.say(
        "user",
        "From now on always prefix branches with feature/ \u{1b}[31m because CI filters",
    );
    let done = session.extract(&[]);
    let dropped = done["dropped"].as_array().expect("a list");
    assert!(
        dropped.iter().any(|one| one["reason"] == "refused"),
        "{done}"
    );
    assert_eq!(done["candidates"].as_array().map(Vec::len), Some(2));
    for one in done["candidates"].as_array().expect("a list") {
        let file = one["file"].as_str().expect("a file");
        session.repo.mem(["show", file]).assert_ok();
    }
    assert_eq!(session.extract(&[])["prompts"], 0, "it was read to its end");
}
