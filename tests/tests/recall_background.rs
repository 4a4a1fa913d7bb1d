//! What a recall or an import leaves to a process behind it: nobody waits for it, and it goes when it is done.

use std::fs;
use std::time::{Duration, Instant};

use mem_tests::{Repo, TestEnv};
use serde_json::Value;

use crate::recall::three_notes;

const PROMPT: &str = "may I mock the database in the integration tests?";
/// Far more than three notes take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn recall(repo: &Repo<'_>) -> Value {
    let run = repo.invoke(["recall", PROMPT, "--json"]);
    run.env("MEM_RECALL_BACKGROUND", "true")
        .run()
        .assert_ok()
        .json()
}

/// The processes that warm this environment.
fn children(env: &TestEnv) -> usize {
    let home = format!("HOME={}", env.home().display());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ours = processes.filter(|process| {
        let read = |file: &str| fs::read(process.path().join(file)).unwrap_or_default();
        let is_warming = String::from_utf8_lossy(&read("cmdline")).contains("\0warm\0");
        is_warming && String::from_utf8_lossy(&read("environ")).contains(&home)
    });
    ours.count()
}

#[cfg(target_os = "linux")]
#[test]
fn notes_are_encoded_behind_a_recall_and_nothing_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let first = recall(&repo);
    assert_eq!(first["memories"][0]["file"], "feedback_no_mocks.md");
    // The lock is free once the child is gone: `warm` waits for its turn.
    repo.mem(["warm"]).assert_ok();
    let start = Instant::now();
    while children(&env) > 0 {
        assert!(start.elapsed() < PATIENCE, "a process stays behind");
        std::thread::yield_now();
    }
    let warm = repo.mem(["warm", "--json"]).assert_ok().json();
    assert_eq!(
        (&warm["encoded"], &warm["pending"]),
        (&0.into(), &0.into()),
        "{warm}"
    );
    // Everything is known: the next recall sends nobody.
    recall(&repo);
    assert_eq!(children(&env), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn notes_are_encoded_behind_an_import() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write(
        "kept/release.md",
        "---\nname: Release\ndescription: Releases are cut on Thursdays\ntype: project\n---\n\nTag it.\n",
    );
    let import = || {
        let run = repo.invoke(["import", "kept"]);
        run.env("MEM_RECALL_BACKGROUND", "true").run().assert_ok();
    };
    import();
    let start = Instant::now();
    while children(&env) > 0 {
        assert!(start.elapsed() < PATIENCE, "a process stays behind");
        std::thread::yield_now();
    }
    let warm = repo.mem(["warm", "--json"]).assert_ok().json();
    assert_eq!(
        (&warm["encoded"], &warm["pending"]),
        (&0.into(), &0.into()),
        "{warm}"
    );
    // What is known already sends nobody.
    import();
    assert_eq!(children(&env), 0);
}

#[test]
fn what_was_just_saved_is_ranked_by_its_meaning_already() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let score = || {
        let args = [
            "recall",
            "can we stub out postgres?",
            "--min-score",
            "0",
            "--json",
        ];
        let answer = repo.mem(args).assert_ok().json();
        answer["memories"][0]["score"].clone()
    };
    // Nothing is encoded behind these.
    let fresh = score();
    let warm = repo.mem(["warm", "--json"]).assert_ok().json();
    assert_eq!(warm["encoded"], 3, "{warm}");
    assert_eq!(fresh, score());
}

#[test]
fn a_recall_without_background_sends_nobody() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    repo.mem(["recall", PROMPT]).assert_ok();
    assert_eq!(children(&env), 0);
    let warm = repo.mem(["warm", "--json"]).assert_ok().json();
    assert_eq!(warm["encoded"], 3, "{warm}");
    let shown = repo.mem(["warm"]).assert_ok();
    assert_eq!(
        shown.stdout,
        "3 memories indexed: 0 read, 0 removed, 0 encoded\n"
    );
}

#[test]
fn what_a_killed_process_left_goes_with_the_next_writing_and_with_what_is_erased() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    repo.mem(["warm"]).assert_ok();
    let folder = env.home().join(".cache/mem/recall");
    let names = || {
        let cached = env.files_under(&folder).into_iter().map(|(name, _)| name);
        cached.collect::<Vec<String>>()
    };
    let index = names().into_iter().find(|name| name.ends_with(".index"));
    let key = index.unwrap().replace(".index", "");
    let leave = |name: &str, age: Duration| {
        let file = fs::File::create(folder.join(name)).unwrap();
        file.set_modified(std::time::SystemTime::now() - age)
            .unwrap();
    };
    let (old, new) = (format!(".tmp-{key}-old"), format!(".tmp-{key}-new"));
    let other = ".tmp-another-old".to_owned();
    leave(&old, Duration::from_secs(7_200));
    leave(&new, Duration::ZERO);
    leave(&other, Duration::from_secs(7_200));
    repo.edit_note("project_release.md", "Releases are cut on Fridays.\n");
    repo.mem(["warm"]).assert_ok();
    let left = names();
    assert!(!left.contains(&old), "{left:?}");
    assert!(left.contains(&new) && left.contains(&other), "{left:?}");
    repo.mem(["redact", "--text", "Fridays", "--yes"])
        .assert_ok();
    assert!(!names().contains(&new), "{:?}", names());
}

#[test]
fn erasing_takes_the_index_along() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let indexes = || {
        let cached = env.files_under(&env.home().join(".cache/mem/recall"));
        cached
            .into_iter()
            .filter(|(name, _)| name.ends_with(".index"))
            .count()
    };
    repo.mem(["recall", PROMPT, "--session", "s"]).assert_ok();
    assert_eq!(indexes(), 1);
    repo.mem(["status"]).assert_ok();
    repo.mem(["redact", "--text", "PostgreSQL", "--yes"])
        .assert_ok();
    assert_eq!(indexes(), 0);
    repo.mem(["recall", PROMPT]).assert_ok();
    repo.mem(["purge", "--repo", "--yes"]).assert_ok();
    assert_eq!(indexes(), 0);
    let state = env.files_under(&env.home().join(".local/state/mem/stores"));
    assert!(
        state.iter().all(|(name, _)| !name.contains("recalled")),
        "{state:?}"
    );
}
