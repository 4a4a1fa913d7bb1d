//! A choice that is reversed, an order that denies a memory, and sessions that are read in another order than they
//! were held.

use std::fs;

use mem_tests::{Session, TestEnv};
use serde_json::{Value, json};

use super::Extracted as _;

/// A choice and the contrary, and the words of each that the other does not have so.
const REVERSED: [(&str, &str, &str, &str); 11] = [
    (
        "From now on use tabs instead of spaces in this repo.",
        "From now on use spaces instead of tabs in this repo.",
        "tabs instead of",
        "spaces instead of",
    ),
    (
        "From now on don't use mocks, use the real database.",
        "From now on don't use the real database, use mocks.",
        "on't use mocks",
        "on't use the real",
    ),
    (
        "From now on always rebase onto main, never merge.",
        "From now on always merge onto main, never rebase.",
        "lways rebase",
        "lways merge",
    ),
    (
        "A partir de ahora usa pnpm en lugar de npm.",
        "A partir de ahora usa npm en lugar de pnpm.",
        "usa pnpm",
        "usa npm",
    ),
    (
        "Désormais utilise pnpm plutôt que npm.",
        "Désormais utilise npm plutôt que pnpm.",
        "tilise pnpm",
        "tilise npm",
    ),
    (
        "Ab jetzt immer Tabs anstelle von Leerzeichen benutzen.",
        "Ab jetzt immer Leerzeichen anstelle von Tabs benutzen.",
        "Tabs anstelle",
        "Leerzeichen anstelle",
    ),
    (
        "以后不要用npm，用pnpm。",
        "以后不要用pnpm，用npm。",
        "要用npm",
        "要用pnpm",
    ),
    (
        "以后请使用空格而不是制表符。",
        "以后请使用制表符而不是空格。",
        "空格而不是",
        "制表符而不是",
    ),
    (
        "今後はnpmではなくpnpmを使ってください。",
        "今後はpnpmではなくnpmを使ってください。",
        "くpnpm",
        "くnpm",
    ),
    (
        "앞으로는 npm 대신 pnpm을 사용하세요.",
        "앞으로는 pnpm 대신 npm을 사용하세요.",
        "대신 pnpm",
        "대신 npm",
    ),
    (
        "앞으로는 탭을 항상 사용하세요.",
        "앞으로는 탭을 절대 사용하지 마세요.",
        "항상 사용",
        "절대 사용",
    ),
];

fn said(session: &Session<'_>, text: &str) -> Value {
    session.say("user", text);
    session.extract(&[])
}

/// What the lines of the index say.
fn kept(session: &Session<'_>) -> Vec<String> {
    let shown = session.repo.mem(["index", "show"]).assert_ok().stdout;
    let lines = shown.lines().filter_map(|line| line.split_once(") — "));
    lines.map(|(_, said)| said.to_owned()).collect()
}

/// Another session of the same repository, in which this was said then.
fn session_at(session: &Session<'_>, id: &str, time: &str, text: &str) -> Value {
    let record = json!({"type": "user", "uuid": id, "timestamp": time, "cwd": session.repo.path(),
        "message": {"role": "user", "content": text}});
    let file = session.transcript.with_file_name(format!("{id}.jsonl"));
    fs::write(file, format!("{record}\n")).expect("written");
    session.extract(&[id])
}

#[test]
fn a_reversed_choice_takes_the_place_of_the_older_one_and_quotes_it() {
    for (older, newer, gone, holds) in REVERSED {
        let env = TestEnv::new();
        let session = Session::new(&env);
        said(&session, older);
        let done = said(&session, newer);
        assert_eq!(done["candidates"][0]["to"], "update", "{newer}: {done}");
        let lines = kept(&session);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(
            lines[0].contains(holds) && !lines[0].contains(gone),
            "{lines:?}"
        );
        let file = done["candidates"][0]["file"].as_str().expect("a file");
        let text = session.repo.mem(["show", file]).assert_ok().stdout;
        let before = text.lines().find(|line| line.contains("**Before"));
        assert!(before.is_some_and(|line| line.contains(gone)), "{text}");
        assert!(!text.contains("Said again"), "{text}");
    }
}

#[test]
fn of_two_choices_in_one_session_the_last_one_stands() {
    for (older, newer, gone, holds) in REVERSED {
        let env = TestEnv::new();
        let session = Session::new(&env);
        session.say("user", older);
        let done = said(&session, newer);
        let lines = kept(&session);
        assert_eq!(lines.len(), 1, "{lines:?} {done}");
        assert!(
            lines[0].contains(holds) && !lines[0].contains(gone),
            "{lines:?}"
        );
    }
}

#[test]
fn the_same_choice_in_other_words_is_said_again() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    said(&session, "From now on use tabs instead of spaces.");
    let done = said(&session, "From now on always use tabs, not spaces.");
    assert_eq!(done["candidates"][0]["to"], "update", "{done}");
    let file = done["candidates"][0]["file"].as_str().expect("a file");
    let text = session.repo.mem(["show", file]).assert_ok().stdout;
    assert!(
        text.contains("Said again") && !text.contains("**Before"),
        "{text}"
    );
}

#[test]
fn a_reversed_choice_of_a_person_stands_beside_what_they_wrote() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let rule = "Use tabs instead of spaces in this repo";
    let words = ["save", "--type", "feedback", "--name", rule];
    let words = words
        .into_iter()
        .chain(["--description", rule, "--body", rule]);
    session.repo.mem(words).assert_ok();
    let done = said(&session, REVERSED[0].1);
    assert_eq!(done["candidates"][0]["to"], "memory", "{done}");
    assert_eq!(kept(&session).len(), 2);
    let file = done["candidates"][0]["file"].as_str().expect("a file");
    let text = session.repo.mem(["show", file]).assert_ok().stdout;
    assert!(
        text.contains("**Before, in") && text.contains(rule),
        "{text}"
    );
}

#[test]
fn what_is_said_in_few_words_and_far_from_the_older_ones_takes_their_place_too() {
    for (older, newer) in [
        (
            "From now on squash commits before merging.",
            "Don't squash commits anymore.",
        ),
        (
            "From now on pin dependencies.",
            "Please stop pinning dependencies from now on.",
        ),
        (
            "Ab jetzt bitte immer Tabs benutzen.",
            "Ab jetzt keine Tabs mehr.",
        ),
        (
            "Désormais, utilise des tabulations.",
            "Désormais, plus de tabulations.",
        ),
        (
            "今後はロックファイルを絶対に触らないでください。",
            "今後はロックファイルを必ず触ってください。",
        ),
    ] {
        let env = TestEnv::new();
        let session = Session::new(&env);
        said(&session, older);
        let done = said(&session, newer);
        assert_eq!(done["candidates"][0]["to"], "update", "{newer}: {done}");
        assert_eq!(kept(&session).len(), 1, "{done}");
    }
}

#[test]
fn a_doubtful_order_is_not_proposed_even_where_it_denies_a_memory() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    said(
        &session,
        "From now on never commit generated files, please.",
    );
    let done = said(&session, "just commit that one, always the same with you");
    assert_eq!(done["candidates"], json!([]), "{done}");
    assert_eq!((&done["waiting"], kept(&session).len()), (&json!(0), 1));
}

#[test]
fn what_was_said_before_a_memory_and_is_read_later_does_not_take_its_place() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let ids = [1, 2, 3, 4].map(|at| format!("{at}0000000-2222-3333-4444-555555555555"));
    let (tabs, spaces) = (REVERSED[0].0, REVERSED[0].1);
    session_at(&session, &ids[0], "2026-01-03T10:00:00Z", tabs);
    // A day before, and an hour.
    for (id, time) in [
        (&ids[1], "2026-01-02T10:00:00Z"),
        (&ids[2], "2026-01-03T09:00:00Z"),
    ] {
        let done = session_at(&session, id, time, spaces);
        assert_eq!(done["candidates"], json!([]), "{done}");
        assert_eq!(done["dropped"][0]["reason"], "overtaken", "{done}");
        assert!(kept(&session)[0].contains("tabs instead of spaces"));
    }
    let done = session_at(&session, &ids[3], "2026-01-03T11:00:00Z", spaces);
    assert_eq!(done["candidates"][0]["to"], "update", "{done}");
    assert!(kept(&session)[0].contains("spaces instead of tabs"));
}
