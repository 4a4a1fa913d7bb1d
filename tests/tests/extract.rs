//! `mem extract`: memories from what was said in a session, in one change, and never twice.

mod repeated_runs;
mod retraction;
mod reversal;
mod supersession;
mod unwritable;

use std::fs;

use mem_tests::{Session, TestEnv};
use serde_json::{Value, json};

/// What is done with a session here.
trait Extracted {
    fn extract(&self, more: &[&str]) -> Value;
    fn status(&self) -> Value;
}

impl Extracted for Session<'_> {
    fn extract(&self, more: &[&str]) -> Value {
        let words = [&["extract", "--json"], more].concat();
        let output = self.repo.mem(words).assert_ok();
        serde_json::from_slice(&output.stdout_bytes).expect("JSON")
    }

    fn status(&self) -> Value {
        let output = self.repo.mem(["status", "--json"]).assert_ok();
        serde_json::from_slice(&output.stdout_bytes).expect("JSON")
    }
}

const RULE: &str = "No, never mock the database in tests. We got burned last quarter when mocks hid a broken migration.";
/// A statement that may have been retracted.
const UNSURE: [&str; 2] = [
    "From now on always end with a summary",
    "don't do that anymore",
];
const PERSON: &str = "I'm a data engineer and I've never used React before";

#[test]
fn what_is_sure_is_one_change_named_by_the_session_and_undone_whole() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    session.say(
        "assistant",
        json!([{"type": "text", "text": "A real one then."}]),
    );
    session.say("user", PERSON);
    let done = session.extract(&[]);
    assert_eq!(done["changes"].as_array().map(Vec::len), Some(1), "{done}");
    assert_eq!(done["candidates"].as_array().map(Vec::len), Some(2));
    let list = session.repo.mem(["list"]).assert_ok().stdout;
    assert!(list.contains("Never mock the database"), "{list}");
    let file = done["candidates"][0]["file"].as_str().expect("a file");
    let shown = session.repo.mem(["show", file]).assert_ok().stdout;
    // No other sentence is made the reason of this one.
    assert!(
        shown.contains("never mock the database in tests.\"") && !shown.contains("burned"),
        "{shown}"
    );
    let status = session.status();
    assert_eq!(
        status["agents"]["extracted"][0]["session"],
        Session::ID,
        "{status}"
    );
    assert_eq!(status["agents"]["extracted"][0]["files"], 2);
    let told = session.repo.mem(["history"]).assert_ok().stdout;
    assert!(told.contains("extract"), "{told}");
    session.repo.mem(["undo"]).assert_ok();
    assert_eq!(session.repo.mem(["list"]).assert_ok().stdout, "");
}

#[test]
fn no_range_is_read_twice_and_what_is_said_again_adds_no_memory() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    session.extract(&[]);
    assert_eq!(session.extract(&[])["prompts"], 0);
    session.say("user", RULE);
    let again = session.extract(&[]);
    assert_eq!(again["candidates"][0]["to"], "update", "{again}");
    assert_eq!(session.status()["tiers"][0]["memories"], 1);
    // Nor where the session is read as if for the first time.
    let file = again["candidates"][0]["file"].as_str().expect("a file");
    let show = || session.repo.mem(["show", file]).assert_ok().stdout;
    let before = show();
    let all = session.extract(&["--all"]);
    assert_eq!(
        (&all["candidates"][0]["to"], &all["changes"]),
        (&json!("known"), &json!([]))
    );
    assert_eq!(
        (show(), session.status()["tiers"][0]["memories"].clone()),
        (before, json!(1))
    );
    // One session is one line, after however many turns.
    let told = session.repo.mem(["status"]).assert_ok();
    let told = format!("{}{}", told.stdout, told.stderr);
    assert_eq!(
        told.matches("taken from what was said").count(),
        1,
        "{told}"
    );
}

#[test]
fn reading_all_again_puts_nothing_before_a_person_twice() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    for text in UNSURE {
        session.say("user", text);
    }
    assert_eq!(session.extract(&[])["waiting"], 1);
    assert_eq!(session.extract(&["--all"])["waiting"], 0);
}

#[test]
fn a_dry_run_leaves_no_trace() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    let words = ["extract", "--dry-run", "--explain"];
    let shown = session.repo.mem(words).assert_ok().stdout;
    assert!(
        shown.contains("feedback") && shown.contains("0."),
        "{shown}"
    );
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    assert_eq!(session.extract(&[])["prompts"], 1);
}

#[test]
fn what_is_not_sure_waits_for_a_person() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    for text in UNSURE {
        session.say("user", text);
    }
    let done = session.extract(&[]);
    assert_eq!(done["candidates"][0]["to"], "inbox", "{done}");
    assert_eq!(
        (&done["waiting"], &done["changes"]),
        (&json!(1), &json!([]))
    );
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    let waiting = session.repo.mem(["inbox"]).assert_ok().stdout;
    assert!(waiting.contains("extract"), "{waiting}");
    session.repo.mem(["inbox", "accept", "--all"]).assert_ok();
    assert_eq!(session.status()["tiers"][0]["memories"], 1);
}

#[test]
fn the_consent_that_agents_need_is_needed_here() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    session
        .repo
        .mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    assert_eq!(session.extract(&[])["waiting"], 1);
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    session.say("user", PERSON);
    session
        .repo
        .mem(["config", "set", "memory.write", "read-only"])
        .assert_ok();
    let refused = session.repo.mem(["extract"]).assert_code(1);
    assert!(refused.stderr.contains("read-only"), "{refused:?}");
}

#[test]
fn a_session_of_another_repository_is_refused() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let other = env.repo("other");
    let text =
        json!({"type": "user", "uuid": "u", "cwd": other.path(), "message": {"content": RULE}});
    let file = env
        .root()
        .join("22222222-2222-3333-4444-555555555555.jsonl");
    fs::write(&file, format!("{text}\n")).expect("written");
    let file = file.display().to_string();
    let refused = session.repo.mem(["extract", "--transcript", &file]);
    assert!(
        refused.stderr.contains("another repository") && refused.stderr.contains("hint:"),
        "{refused:?}"
    );
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    let kept = other.mem(["extract", "--transcript", &file]).assert_ok();
    assert!(kept.stdout.contains("feedback"), "{kept:?}");
}

#[test]
fn a_session_whose_folders_are_gone_is_refused_by_id_and_told_of_by_name() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let id = "33333333-2222-3333-4444-555555555555";
    let folder = env.base().join("projects").join("-gone-elsewhere");
    fs::create_dir_all(&folder).expect("a folder");
    let text = json!({"type": "user", "uuid": "u", "cwd": "/gone/elsewhere", "message": {"content": RULE}});
    let file = folder.join(format!("{id}.jsonl"));
    fs::write(&file, format!("{text}\n")).expect("written");
    let refused = session.repo.mem(["extract", id]);
    assert!(
        refused.stderr.contains("another project") && refused.stderr.contains("hint:"),
        "{refused:?}"
    );
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    let file = file.display().to_string();
    let kept = session
        .repo
        .mem(["extract", "--transcript", &file])
        .assert_ok();
    assert!(kept.stderr.contains("/gone/elsewhere"), "{kept:?}");
    assert_eq!(session.status()["tiers"][0]["memories"], 1);
}

#[test]
fn explain_says_something_of_every_session() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "run the tests");
    let explain = || {
        session
            .repo
            .mem(["extract", "--explain"])
            .assert_ok()
            .stdout
    };
    assert!(
        explain().contains("no sentence reads like"),
        "nothing was said"
    );
    assert!(
        explain().contains("--all"),
        "nothing was said of what was read"
    );
}

#[test]
fn instruction_files_are_known_and_turns_with_memory_writes_are_left() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    fs::write(
        session.repo.path().join("CLAUDE.md"),
        "- Install packages with pnpm instead of npm\n",
    )
    .expect("written");
    session.say(
        "user",
        "Always use pnpm instead of npm for installing packages",
    );
    session.say("user", RULE);
    let file = session.repo.memory().join("feedback_db.md");
    session.say(
        "assistant",
        json!([{"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": file}}]),
    );
    session.say(
        "user",
        json!([{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]),
    );
    let done = session.extract(&[]);
    assert_eq!(
        (&done["candidates"], &done["written_turns"]),
        (&json!([]), &json!(1))
    );
    let reasons: Vec<&Value> = done["dropped"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["reason"])
        .collect();
    assert!(
        reasons.contains(&&json!("known")) && reasons.contains(&&json!("written")),
        "{done}"
    );
}

#[test]
fn a_check_finds_nothing_in_what_was_kept() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let rule = "never use sleep in specs, use waiting matchers";
    for _ in 0..2 {
        session.say("user", rule);
        session.extract(&[]);
    }
    let found = session.repo.mem(["check"]).assert_ok();
    assert!(
        !found.stdout.contains("description"),
        "{}{}",
        found.stdout,
        found.stderr
    );
}

#[test]
fn it_runs_after_a_turn_unless_switched_off() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", RULE);
    let words = ["extract", "--quiet", "--background"];
    let transcript = format!("--transcript={}", session.transcript.display());
    session
        .repo
        .mem(["config", "set", "extract.enabled", "false"])
        .assert_ok();
    let run = || {
        session
            .repo
            .mem([words[0], words[1], words[2], &transcript, "--", Session::ID])
            .assert_ok()
    };
    run();
    assert_eq!(session.status()["tiers"][0]["memories"], 0);
    session
        .repo
        .mem(["config", "unset", "extract.enabled"])
        .assert_ok();
    let done = run();
    assert_eq!(done.stdout, "");
    let kept = || session.status()["tiers"][0]["memories"] == 1;
    assert!(kept());
}

#[test]
fn what_is_no_session_is_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for words in [
        &["extract"][..],
        &["extract", "no-such"],
        &["extract", "../x"],
        &["extract", "--transcript", "none.jsonl"],
    ] {
        let output = repo.mem(words);
        assert!(output.stderr.contains("hint:"), "{output:?}");
        assert!(!output.stderr.contains("--session"), "{output:?}");
    }
    for name in ["notes of mine.txt", "garbage.jsonl"] {
        let file = env.root().join(name);
        fs::write(&file, "never a record\n{]\n").expect("written");
        let output = repo.mem(["extract", "--transcript", &file.display().to_string()]);
        let told = [
            "no transcript of a host",
            "`notes of mine` is no session's id",
        ];
        assert!(
            told.iter().any(|one| output.stderr.contains(one)) && output.stderr.contains("hint:"),
            "{output:?}"
        );
    }
}
