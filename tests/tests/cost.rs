//! `mem cost`: what hooks gave a model, added up, and what the indexes take.

use mem_tests::{Repo, Session, TestEnv};
use serde_json::{Value, json};

use crate::recall::{recall, three_notes};

fn prompt(repo: &Repo<'_>, session: &str, prompt: &str) -> Value {
    let event = json!({"session_id": session, "cwd": repo.path(), "prompt": prompt});
    let hook = repo.invoke(["hook", "claude", "user-prompt-submit"]);
    let output = hook.stdin(event.to_string()).run().assert_ok();
    serde_json::from_slice(&output.stdout_bytes).unwrap_or_default()
}

const MOCKS: &str = "may I mock the database in the integration tests?";
const RELEASE: &str = "when are releases cut, and from which branch?";

#[test]
fn what_was_given_is_counted_by_session_prompt_and_memory_without_its_content() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let none = repo.mem(["cost"]).assert_ok();
    assert!(
        none.stderr.contains("no hook gave anything"),
        "{}",
        none.stderr
    );
    let first = prompt(&repo, "s-1", MOCKS);
    prompt(&repo, "s-1", "thanks, looks good");
    env.advance(3 * 86_400);
    prompt(&repo, "s-2", MOCKS);
    prompt(&repo, "s-2", RELEASE);
    let cost = repo.mem(["cost", "--json"]).assert_ok().json();
    assert_eq!(
        (&cost["prompts"], &cost["prompts_with_memory"]),
        (&json!(4), &json!(3))
    );
    let text = first["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert_eq!(cost["sessions"][0]["session"], "s-1");
    assert_eq!(cost["sessions"][0]["chars"], text.chars().count());
    let entries = cost["entries"].as_array().unwrap();
    let times: Vec<_> = entries
        .iter()
        .map(|one| (one["label"].as_str(), one["times"].as_u64()))
        .collect();
    assert!(
        times.contains(&(Some("feedback_no_mocks.md"), Some(2))),
        "{cost}"
    );
    let late = repo
        .mem(["cost", "--json", "--since", "1d"])
        .assert_ok()
        .json();
    assert_eq!(
        (&late["prompts"], late["sessions"][0]["session"].as_str()),
        (&json!(2), Some("s-2"))
    );
    let one = repo
        .mem(["cost", "--json", "--session", "s-1"])
        .assert_ok()
        .json();
    assert_eq!(
        (&one["prompts"], &one["prompts_with_memory"]),
        (&json!(2), &json!(1))
    );
    let state = env.files_under(&env.home().join(".local/state/mem"));
    let ledger = state
        .iter()
        .find(|(name, _)| name.ends_with("injected.jsonl"))
        .unwrap();
    let ledger = String::from_utf8_lossy(&ledger.1);
    assert!(ledger.contains("feedback_no_mocks.md"), "{ledger}");
    assert!(
        !ledger.contains("PostgreSQL") && !ledger.contains("mock the database"),
        "{ledger}"
    );
    let shown = repo.mem(["cost"]).assert_ok().stdout;
    assert!(
        shown.contains("per prompt: ") && shown.contains("2 times  feedback_no_mocks.md"),
        "{shown}"
    );
}

#[test]
fn memories_that_the_model_names_later_are_counted() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let repo = &session.repo;
    three_notes(repo);
    repo.write("src/pay.rs", "fn pay() {}\n");
    let note = |name: &str, text: &str| {
        let head = format!("---\nname: {name}\ndescription: About {name}\ntype: project\n---\n\n");
        repo.edit_note(&format!("{name}.md"), &format!("{head}{text}\n"));
    };
    note("rounding", "`src/pay.rs` rounds with `round_half()`.");
    note("money", "`src/pay.rs` counts in cents, see `CentCounter`.");
    let unmeasured = repo.mem(["cost", "--json"]).assert_ok().json();
    assert_eq!(unmeasured["used_later"]["sessions"], 0);
    prompt(repo, Session::ID, MOCKS);
    let input = json!({"file_path": repo.path().join("src/pay.rs")});
    let event = json!({"session_id": Session::ID, "cwd": repo.path(), "tool_name": "Read",
        "tool_use_id": "t1", "tool_input": input});
    let hook = repo.invoke(["hook", "claude", "pre-tool-use"]);
    let told = hook.stdin(event.to_string()).run().assert_ok().stdout;
    assert!(
        told.contains("round_half") && told.contains("CentCounter"),
        "{told}"
    );
    session.say("user", MOCKS);
    session.call("t1", "Read", &input, "fn pay() {}", false);
    let edit = json!({"file_path": repo.path().join("src/pay.rs"), "new_string": "round_half(1)"});
    session.call("t2", "Edit", &edit, "CentCounter is gone", false);
    session.say("assistant", "CentCounter is gone indeed.");
    repo.mem(["session", "update", "--session", Session::ID])
        .assert_ok();
    let cost = repo.mem(["cost", "--json"]).assert_ok().json();
    let figures = |kind: &str| {
        let one = &cost["used_later"][kind];
        assert!(one["tokens"].as_u64() > Some(0), "{one}");
        (
            one["memories"].clone(),
            one["used"].clone(),
            one["share"].clone(),
        )
    };
    assert_eq!(figures("file"), (json!(2), json!(1), json!(0.5)));
    let today = &cost["days"][0];
    assert_eq!((&today["memories"], &today["used"]), (&json!(3), &json!(1)));
    assert_eq!(figures("prompt"), (json!(1), json!(0), json!(0.0)));
    assert_eq!(cost["used_later"]["sessions"], 1);
    let shown = repo.mem(["cost"]).assert_ok().stdout;
    assert!(
        shown.contains("used later, given with a file: 1 of 2 memories (50 %), "),
        "{shown}"
    );
    let other = repo
        .mem(["cost", "--json", "--session", "s-9"])
        .assert_ok()
        .json();
    assert_eq!(other["used_later"]["sessions"], 0);
}

#[test]
fn use_counts_for_a_memory_and_five_sessions_in_vain_against_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let repo = &session.repo;
    three_notes(repo);
    let head = "---\nname: mocks\ndescription: Mocks of the database\ntype: project\n---\n\n";
    repo.edit_note(
        "mocks.md",
        &format!("{head}Do not mock the database in integration tests: `TestBase` starts one.\n"),
    );
    // What is unused of a memory without a citation cannot be seen.
    let uncited = "feedback_no_mocks.md";
    let prior = |file: &str| {
        let answer = recall(repo, MOCKS, &["--explain"]);
        let hits = answer["memories"].as_array().unwrap();
        let hit = hits.iter().find(|hit| hit["file"] == file);
        let hit = hit.unwrap_or_else(|| panic!("{file} is no hit: {answer}"));
        let part = |name: &str| hit["parts"][name].as_f64();
        (part("used"), part("unused"))
    };
    let turn = |number: usize, answer: &str| {
        let id = format!("11111111-2222-3333-4444-55555555555{number}");
        prompt(repo, &id, MOCKS);
        let session = session.sibling(&id);
        session.say("user", MOCKS);
        session.say("assistant", answer);
        let update = || {
            repo.mem(["session", "update", "--session", &id])
                .assert_ok()
        };
        update();
        // Measured again, the same session counts once.
        update();
    };
    for number in 0..4 {
        turn(number, "Yes, go on.");
    }
    assert_eq!(prior("mocks.md"), (None, None));
    turn(4, "Yes, go on.");
    let (used, unused) = prior("mocks.md");
    assert!(used.is_none() && unused < Some(0.0), "{used:?} {unused:?}");
    assert_eq!(prior(uncited), (None, None));
    let preview = repo.mem(["preview", MOCKS]).assert_ok().stdout;
    assert!(preview.contains("unused -0.0"), "{preview}");
    let cost = repo.mem(["cost"]).assert_ok().stdout;
    assert!(cost.contains("mocks.md, used in 0 of 5"), "{cost}");
    turn(5, "No: derive from TestBase.");
    let (used, unused) = prior("mocks.md");
    assert!(used > Some(0.0) && unused.is_none(), "{used:?} {unused:?}");
    let cost = repo.mem(["cost", "--json"]).assert_ok().json();
    let entries = cost["entries"].as_array().unwrap();
    let entry = entries.iter().find(|one| one["label"] == "mocks.md");
    let entry = entry.unwrap_or_else(|| panic!("{cost}"));
    assert_eq!(
        (&entry["sessions_measured"], &entry["sessions_used"]),
        (&json!(6), &json!(1))
    );
}

#[test]
fn indexes_that_take_too_much_are_a_warning() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note(
        "MEMORY.md",
        &"- [A title](project_a.md) — a hook of some words\n".repeat(150),
    );
    let cost = || repo.mem(["cost"]).assert_ok();
    assert!(!cost().stderr.contains("warning"), "{}", cost().stderr);
    assert!(
        cost().stdout.contains("in 150 lines, loaded by the host\n"),
        "{}",
        cost().stdout
    );
    repo.mem(["config", "set", "cost.index_share", "0.01"])
        .assert_ok();
    assert!(
        cost().stderr.contains("cost.index_share"),
        "{}",
        cost().stderr
    );
    let json = repo.mem(["cost", "--json"]).assert_ok().json();
    assert_eq!(
        (
            &json["index"]["is_over"],
            &json["index"]["tiers"][0]["by_host"]
        ),
        (&json!(true), &json!(true))
    );
    repo.mem(["config", "set", "cost.context_tokens", "1000000"])
        .assert_ok();
    assert!(!cost().stderr.contains("warning"), "{}", cost().stderr);
}
