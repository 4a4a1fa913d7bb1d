//! `kill -9` at any moment of a distillation: the next run ends with everything there once, and nothing waits that was
//! taken in.

use std::fs;
use std::time::Instant;

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

use super::{directory, dream, index, logged};
use crate::inbox::{as_agent, ids, save};

/// Kills. The first come right after the start, the last after it has ended.
const ROUNDS: u32 = 16;

/// A log and an entry of the inbox of a round, each with a fact that nobody says twice.
fn filled(repo: &Repo<'_>, round: u32) -> [String; 2] {
    let logs = format!(
        "The cellar of house {round} is let to tenant {}",
        500 + round
    );
    let waits = format!("Never ring at gate {round} of court {}", 900 + round);
    logged(repo, &format!("2025-11-{:02}", round + 1), &[&logs]);
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    save(repo, "s1", &format!("Gate {round}"), &waits).assert_code(1);
    repo.mem(["config", "set", "memory.write", "auto"])
        .assert_ok();
    [logs, waits]
}

/// How many of the memories say it.
fn told(repo: &Repo<'_>, fact: &str) -> usize {
    let files = fs::read_dir(directory(repo)).unwrap().flatten();
    let notes = files.filter(|file| file.file_name() != "MEMORY.md");
    let text = |file: fs::DirEntry| fs::read_to_string(file.path()).unwrap_or_default();
    let bodies = notes.map(text).map(|text| {
        let body = text.rsplit("---\n").next().unwrap_or_default();
        body.matches(fact).count()
    });
    bodies.sum()
}

#[test]
fn the_next_run_ends_with_everything_there_once() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "dream.max_share", "1"])
        .assert_ok();
    let start = Instant::now();
    let mut facts = Vec::from(filled(&repo, ROUNDS));
    dream(&repo, &["--yes"]).assert_ok();
    let whole = start.elapsed();
    for round in 0..ROUNDS {
        facts.extend(filled(&repo, round));
        let mut child = repo.invoke(["dream", "--yes"]).spawn();
        let (start, time) = (Instant::now(), whole * round / ROUNDS);
        while start.elapsed() < time && matches!(child.try_wait(), Ok(None)) {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        // Whoever reads before the next run sees all of the change, or nothing of it.
        let checked = repo.mem(["check", "--json"]).json().to_string();
        let is_half = ["orphan", "dangling"]
            .iter()
            .any(|code| checked.contains(code));
        assert!(!is_half, "round {round}: {checked}");
        dream(&repo, &["--yes"]).assert_ok();
        assert_eq!(ids(&repo), [""; 0], "round {round}");
        for fact in &facts {
            assert_eq!(told(&repo, fact), 1, "round {round}: {fact}");
        }
    }
    repo.mem(["doctor"]).assert_ok();
    repo.mem(["undo"]).assert_ok();
}

/// What a kill leaves behind that comes after the change and before the inbox is emptied.
#[test]
fn entries_that_became_memories_wait_no_longer() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    filled(&repo, 1);
    let taken = ids(&repo);
    let files = env.files_under(env.root());
    let entry = files.iter().find(|(name, _)| name.contains(&taken[0]));
    let (entry, bytes) = entry.expect("it waits").clone();
    dream(&repo, &["--yes"]).assert_ok();
    let files = env.files_under(env.root());
    let state = files.iter().find(|(name, _)| name.ends_with("/dream.json"));
    let state = env.root().join(&state.expect("what is remembered").0);
    let mut kept: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    let mut begun = json!({"verb": "dream", "handled": kept["handled"].take(), "last": kept["last"].take(),
        "made": kept["made"].take(), "taken": taken});
    begun["last"]["change"] = Value::Null;
    begun["made"]["change"] = json!("");
    let killed = || {
        fs::write(&state, json!({ "begun": begun }).to_string()).unwrap();
        fs::write(env.root().join(&entry), &bytes).unwrap();
    };
    killed();
    assert_eq!(ids(&repo), [""; 0], "the list sees it");
    killed();
    let before = index(&repo);
    let told = dream(&repo, &["--yes"]).assert_ok().stderr;
    let change = begun_change(&repo);
    let finished = format!(
        "finished what an interrupted run had begun: 2 added, 0 merged, 0 retired; `mem undo {change}`"
    );
    assert!(told.contains(&finished), "{told}");
    assert_eq!(index(&repo), before);
    assert_eq!(ids(&repo), [""; 0]);
    let rejected = repo.mem(["inbox", "list", "--rejected", "--json"]);
    let rejected = rejected.assert_ok().json();
    assert_eq!(rejected["entries"].as_array().map(Vec::len), Some(1));
}

/// The last change of a distillation.
fn begun_change(repo: &Repo<'_>) -> String {
    let history = repo.mem(["history", "--json"]).assert_ok().json();
    let changes = history["changes"].as_array().unwrap().iter();
    let mut ids = changes.filter(|one| one["verb"] == "dream");
    ids.next().unwrap()["id"].as_str().unwrap().to_owned()
}

/// A whole inbox can be distilled at once, and be had again.
#[test]
fn everything_that_was_taken_in_is_kept_for_whoever_takes_it_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    for one in 0..60 {
        let body = format!("Bench {one} stands at fountain {}", 700 + one);
        let session = format!("s{one}");
        let named = ["save", "--type", "project", "--description", "a bench"];
        let named = named.into_iter().map(str::to_owned);
        let more = [
            "--name".to_owned(),
            format!("Bench {one}"),
            "--body".to_owned(),
            body,
        ];
        as_agent(&repo, &session, named.chain(more)).assert_code(1);
    }
    dream(&repo, &["--yes"]).assert_ok();
    assert_eq!(ids(&repo), [""; 0]);
    let rejected = repo.mem(["inbox", "list", "--rejected", "--json"]);
    let rejected = rejected.assert_ok().json();
    assert_eq!(rejected["entries"].as_array().map(Vec::len), Some(60));
}

/// What people see of a text is a line of it.
#[test]
fn a_long_entry_is_shown_by_its_beginning() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let long = format!("The deploy owner is Alice {}", "and so on ".repeat(150_000));
    logged(&repo, "2025-12-01", &[&long]);
    let plan = dream(&repo, &["--dry-run"]).assert_ok().stdout;
    assert!(plan.contains("The deploy owner is Alice"), "{plan}");
    assert!(plan.len() < 2_000 && plan.contains('…'), "{}", plan.len());
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let body = "word ".repeat(100_000) + &"\nline".repeat(1_000);
    let args = [
        "save",
        "--type",
        "user",
        "--name",
        "Long",
        "--description",
        "d",
    ];
    let run = repo.invoke(args.into_iter().chain(["--body", "-"]));
    let run = run.env("MEM_ACTOR", "agent").env("MEM_SESSION", "s1");
    run.stdin(body).run().assert_code(1);
    let listed = repo.mem(["inbox"]).assert_ok().stdout;
    assert!(listed.len() < 20_000, "{}", listed.len());
    assert!(listed.contains("more lines: `mem inbox show"), "{listed}");
    let whole = repo
        .mem(["inbox", "show", &ids(&repo)[0]])
        .assert_ok()
        .stdout;
    assert!(whole.len() > 500_000);
}
