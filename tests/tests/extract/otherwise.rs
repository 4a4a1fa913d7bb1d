//! What says otherwise than a memory: the newer words stand, the older ones are quoted, and nobody's own words change.

use std::fs;
use std::path::PathBuf;

use mem_tests::{Session, TestEnv};
use serde_json::{Value, json};

use super::Extracted as _;

const ALWAYS: &str = "From now on always squash commits before merging.";
const NEVER: &str = "From now on never squash commits before merging.";

fn index(session: &Session<'_>) -> String {
    session.repo.mem(["index", "show"]).assert_ok().stdout
}

/// The file of the one memory that there is.
fn only(session: &Session<'_>) -> PathBuf {
    let listed = session.repo.mem(["list", "--json"]).assert_ok().json();
    let file = listed["memories"][0]["file"].as_str();
    let file = file.unwrap_or_else(|| panic!("a memory: {listed}"));
    session.repo.memory().join(file)
}

fn said(session: &Session<'_>, text: &str) -> Value {
    session.say("user", text);
    session.extract(&[])
}

#[test]
fn the_contrary_takes_the_place_of_what_was_extracted_and_quotes_it() {
    for (older, newer, holds, gone) in [
        (ALWAYS, NEVER, "ever squash", "lways squash"),
        (
            "From now on always ask me before deleting branches.",
            "From now on never ask me before deleting branches.",
            "ever ask",
            "lways ask",
        ),
        (
            "From now on always write commit messages in German.",
            "From now on always write commit messages in English.",
            "in English",
            "in German",
        ),
        (
            "From now on always deploy at 9 am, the team is awake then.",
            "From now on always deploy at 9 pm, the team is awake then.",
            "9 pm",
            "9 am",
        ),
    ] {
        let env = TestEnv::new();
        let session = Session::new(&env);
        said(&session, older);
        let done = said(&session, newer);
        assert_eq!(done["candidates"][0]["to"], "update", "{done}");
        let shown = index(&session);
        assert!(shown.contains(holds) && !shown.contains(gone), "{shown}");
        let file = done["candidates"][0]["file"].as_str().expect("a file");
        let text = session.repo.mem(["show", file]).assert_ok().stdout;
        let before = text.lines().find(|line| line.contains("**Before"));
        assert!(before.is_some_and(|line| line.contains(gone)), "{text}");
        assert!(!text.contains("Said again"), "{text}");
        session.repo.mem(["undo"]).assert_ok();
        assert!(index(&session).contains(gone));
    }
}

#[test]
fn nothing_is_written_into_what_a_person_wrote() {
    for pinned in [false, true] {
        let env = TestEnv::new();
        let session = Session::new(&env);
        let rule = "Always squash commits before merging";
        let words = [
            "save",
            "--type",
            "feedback",
            "--name",
            "Squash",
            "--description",
            rule,
            "--body",
            rule,
        ];
        session.repo.mem(words).assert_ok();
        let file = only(&session);
        if pinned {
            let text = fs::read_to_string(&file).expect("a memory");
            let text = text.replacen("type: feedback", "type: feedback\npinned: true", 1);
            fs::write(&file, text).expect("written");
        }
        let before = fs::read(&file).expect("a memory");
        let again = said(&session, ALWAYS);
        assert_eq!(again["changes"], json!([]), "{again}");
        let done = said(&session, NEVER);
        assert_eq!(done["candidates"][0]["to"], "memory", "{done}");
        assert_eq!(fs::read(&file).expect("a memory"), before);
        let new = done["candidates"][0]["file"].as_str().expect("a file");
        let text = session.repo.mem(["show", new]).assert_ok().stdout;
        assert!(text.contains("squash.md") && text.contains(rule), "{text}");
    }
}

#[test]
fn of_two_that_one_session_says_the_later_stands() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", ALWAYS);
    let done = said(&session, NEVER);
    let targets = ["known", "memory"].map(|to| json!(to));
    let found = [0, 1].map(|at| done["candidates"][at]["to"].clone());
    assert_eq!(found, targets, "{done}");
    for _ in 0..2 {
        let shown = index(&session);
        assert!(
            shown.contains("ever squash") && !shown.contains("lways squash"),
            "{shown}"
        );
        session.extract(&["--all"]);
    }
}
