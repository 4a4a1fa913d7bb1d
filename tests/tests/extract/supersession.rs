//! What says otherwise than a memory: the newer words stand, the older ones are quoted, and nobody's own words change.

use std::fs;
use std::path::PathBuf;

use mem_tests::{Session, TestEnv};
use serde_json::{Value, json};

use super::Extracted as _;

const ALWAYS: &str = "From now on always squash commits before merging.";
const NEVER: &str = "From now on never squash commits before merging.";

/// What is said, and what denies it in other words.
const DENIED: [(&str, &str); 11] = [
    (
        "From now on never touch the lock file.",
        "From now on always touch the lock file directly, please.",
    ),
    (
        "From now on always ask me before deleting branches.",
        "From now on there is no need to ask me before deleting branches.",
    ),
    (
        "From now on always use tabs in this repo.",
        "From now on no more tabs in this repo, please.",
    ),
    (
        "From now on always pin the dependencies.",
        "From now on please stop pinning the dependencies.",
    ),
    (
        "Ab jetzt immer die Commits vor dem Mergen squashen.",
        "Ab jetzt die Commits vor dem Mergen nicht mehr squashen.",
    ),
    (
        "From now on always squash commits before merging.",
        "From now on quit squashing commits, I want to see all of them.",
    ),
    (
        "今後は必ず依存関係を固定してください。",
        "今後は依存関係を固定しないでください。",
    ),
    ("以后提交信息都要用英文写。", "以后提交信息不要用英文写。"),
    (
        "앞으로는 항상 의존성을 고정하세요.",
        "앞으로는 의존성을 고정하지 마세요.",
    ),
    (
        "A partir de ahora firma siempre los commits.",
        "A partir de ahora ya no firmes los commits.",
    ),
    (
        "Désormais signe toujours les commits, s'il te plaît.",
        "Désormais ne signe plus les commits, s'il te plaît.",
    ),
];

/// A rule as a person notes it.
fn noted(said: &str) -> &str {
    let leads = [
        "From now on ",
        "Ab jetzt ",
        "今後は必ず",
        "以后",
        "앞으로는 ",
    ];
    let bare = leads.iter().find_map(|lead| said.strip_prefix(lead));
    bare.unwrap_or(said)
}

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
            "From now on, write commit messages in French.",
            "Actually, write commit messages in English from now on.",
            "in English",
            "in French",
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
fn the_contrary_in_other_words_takes_the_place_too() {
    for (older, newer) in DENIED {
        let env = TestEnv::new();
        let session = Session::new(&env);
        let first = said(&session, older);
        assert_eq!(first["candidates"][0]["to"], "memory", "{older}: {first}");
        let file = first["candidates"][0]["file"].as_str().expect("a file");
        let done = said(&session, newer);
        assert_eq!(done["candidates"][0]["to"], "update", "{newer}: {done}");
        assert_eq!(done["candidates"][0]["file"], file, "{done}");
        let text = session.repo.mem(["show", file]).assert_ok().stdout;
        assert!(text.contains("**Before"), "{text}");
        assert!(!text.contains("Said again"), "{text}");
    }
}

#[test]
fn the_contrary_in_other_words_of_what_a_person_wrote_stands_beside_it() {
    for (older, newer) in DENIED {
        let rule = noted(older);
        let env = TestEnv::new();
        let session = Session::new(&env);
        let words = ["save", "--type", "feedback", "--name", rule];
        let words = words
            .into_iter()
            .chain(["--description", rule, "--body", rule]);
        session.repo.mem(words).assert_ok();
        let file = only(&session);
        let before = fs::read(&file).expect("a memory");
        let done = said(&session, newer);
        assert_eq!(done["candidates"][0]["to"], "memory", "{newer}: {done}");
        assert_eq!(fs::read(&file).expect("a memory"), before);
        let new = done["candidates"][0]["file"].as_str().expect("a file");
        let text = session.repo.mem(["show", new]).assert_ok().stdout;
        assert!(
            text.contains("**Before, in") && text.contains(rule),
            "{text}"
        );
    }
}

#[test]
fn what_is_true_beside_a_memory_stands_beside_it() {
    for (older, newer) in [
        (
            "From now on deploys are always allowed before noon.",
            "From now on deploys are always forbidden after noon.",
        ),
        (
            "From now on never squash hotfix branches before merging.",
            "From now on always squash feature branches before merging.",
        ),
    ] {
        let env = TestEnv::new();
        let session = Session::new(&env);
        said(&session, older);
        let done = said(&session, newer);
        assert_eq!(done["candidates"][0]["to"], "memory", "{done}");
        let shown = index(&session);
        let lines = shown.lines().filter(|line| line.starts_with("- ["));
        assert_eq!(lines.count(), 2, "{shown}");
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

#[test]
fn whoever_changes_their_mind_twice_in_a_session_is_held_to_the_last() {
    for is_remembered in [false, true] {
        let env = TestEnv::new();
        let session = Session::new(&env);
        session.say("user", "From now on always sign the commits.");
        if is_remembered {
            session.extract(&[]);
        }
        session.say("user", "From now on never sign the commits.");
        let done = said(&session, "From now on always sign the commits after all.");
        let shown = index(&session);
        assert!(shown.contains("lways sign"), "{shown} {done}");
        assert!(!shown.contains("ever sign"), "{shown} {done}");
    }
}

#[test]
fn what_denies_a_memory_and_is_not_sure_waits_with_the_older_quoted() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    said(&session, "From now on you may push to main, please.");
    session.say("user", "Never push to main.");
    let done = said(&session, "don't do that anymore");
    assert_eq!(done["candidates"][0]["to"], "inbox", "{done}");
    session.repo.mem(["inbox", "accept", "--all"]).assert_ok();
    let listed = session.repo.mem(["list", "--json"]).assert_ok().json();
    let files = listed["memories"].as_array().expect("memories").iter();
    let texts: Vec<String> = files
        .map(|one| one["file"].as_str().expect("a file"))
        .map(|file| session.repo.mem(["show", file]).assert_ok().stdout)
        .collect();
    let quotes = |text: &&String| text.contains("Before, in") && text.contains("may push to main");
    assert!(texts.iter().any(|text| quotes(&text)), "{texts:?}");
}
