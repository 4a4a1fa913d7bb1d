//! Where a distillation reads: logs as they are, session notes, the inbox.

use std::fs;

use mem_tests::{Output, TestEnv};

use super::{directory, dream, index, logged, plan, texts};
use crate::inbox::{as_agent, confirming, ids, save};

#[test]
fn a_persons_plan_takes_the_inbox_in_and_an_agents_does_not() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s1", "No mocks", "Never mock the database in tests").assert_code(1);
    assert_eq!(ids(&repo).len(), 1);
    let plan = as_agent(&repo, "s1", ["dream", "--dry-run", "--json"])
        .assert_ok()
        .json();
    assert_eq!(texts(&plan["plan"]["added"]), [""; 0]);
    let json = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(
        texts(&json["plan"]["added"]),
        ["Never mock the database in tests"]
    );
    let source = json["plan"]["added"][0]["sources"][0]["file"]
        .as_str()
        .unwrap();
    assert!(source.starts_with("inbox:"), "{source}");
    assert!(ids(&repo).is_empty());
    assert!(index(&repo).contains("Never mock the database"));
    // What an agent distils waits for a person like everything that it writes.
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    as_agent(&repo, "s1", ["dream", "--yes"]).assert_code(1);
    assert_eq!(ids(&repo).len(), 1);
    assert!(!index(&repo).contains("payments"));
}

#[test]
fn what_an_agent_distilled_and_waits_is_taken_over_by_a_person() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    as_agent(&repo, "s1", ["dream", "--yes"]).assert_code(1);
    assert_eq!(ids(&repo).len(), 1);
    let done = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(
        texts(&done["plan"]["merged"]),
        ["The payments owner is Alice"]
    );
    assert!(ids(&repo).is_empty(), "it waits no longer");
    let note = repo.note("project_payments_owner.md").unwrap();
    assert_eq!(note.matches("payments owner is Alice").count(), 2, "{note}");
}

#[test]
fn a_session_teaches_what_it_learnt() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let memory = directory(&repo);
    let slug = memory.parent().unwrap().file_name().unwrap();
    let folder = env.base().join("session-memory").join(slug);
    fs::create_dir_all(&folder).unwrap();
    let notes = "# Session Title\n_t_\nx\n# Current State\n_s_\n- the parser is half done\n# Learnings\n_l_\n\
                 - The staging database is reset every night\n";
    fs::write(
        folder.join("11111111-0000-4000-8000-000000000001.md"),
        notes,
    )
    .unwrap();
    let plan = plan(&repo);
    assert_eq!(
        texts(&plan["added"]),
        ["The staging database is reset every night"]
    );
}

#[test]
fn odd_logs_are_told_and_lose_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = ["gh", "p_", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E"].concat();
    logged(
        &repo,
        "2025-12-01",
        &[
            "The payments owner is Alice",
            &format!("The deploy token is {token}"),
        ],
    );
    logged(&repo, "2099-01-01", &["The moon owner is Zed"]);
    let file = directory(&repo).join("logs/2025/12/2025-12-01.md");
    let mut text = fs::read_to_string(&file).unwrap();
    text.push_str("free words\n\u{0}\u{7}- \n| a | table |\n");
    let mut bytes = text.clone().into_bytes();
    bytes.extend(b"- 11:00 The caf\xe9 is closed on Mondays\n");
    fs::write(&file, &bytes).unwrap();
    let run = dream(&repo, &["--yes"]).assert_ok();
    assert!(
        run.stderr
            .contains("3 lines are no bullets, the first is line 5"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("2099-01-01.md` is of a day that has not come"),
        "{}",
        run.stderr
    );
    assert!(
        !run.stdout.contains(&token) && run.stdout.contains("it holds a secret"),
        "{}",
        run.stdout
    );
    for (name, bytes) in env.files_under(&directory(&repo)) {
        let is_log = name.starts_with("logs/2025");
        assert!(
            is_log || !String::from_utf8_lossy(&bytes).contains(&token),
            "{name}"
        );
    }
    assert!(run.stdout.contains("some of its characters cannot be read"));
    assert_eq!(fs::read(&file).unwrap(), bytes);
    assert!(!index(&repo).contains("moon") && !index(&repo).contains("caf"));
}

#[test]
fn what_is_wrong_with_a_log_is_told_once_for_each_state_of_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    logged(&repo, "2099-01-01", &["The moon owner is Zed"]);
    let logs = directory(&repo).join("logs");
    let odd = logs.join("2025/12/2025-12-01.md");
    let text = fs::read_to_string(&odd).unwrap();
    fs::write(&odd, format!("{text}free words\n")).unwrap();
    for name in [
        "ideas.md",
        "2025/12/2025-13-45.md",
        "retired/ideas.md",
        ".cache",
    ] {
        let file = logs.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "- 10:00 The orders owner is Kim\n").unwrap();
    }
    let warned = |output: &Output| -> Vec<bool> {
        let marks = [
            "logs/ideas.md` is named after no day",
            "2025-13-45.md` is named after no day",
            "1 line is no bullet",
            "a day that has not come",
        ];
        assert!(!output.stderr.contains("retired/") && !output.stderr.contains(".cache"));
        marks.map(|mark| output.stderr.contains(mark)).to_vec()
    };
    // A plan is only looked at: nobody was told for good.
    for _ in 0..2 {
        assert_eq!(warned(&dream(&repo, &["--dry-run"]).assert_ok()), [true; 4]);
    }
    assert_eq!(warned(&dream(&repo, &["--yes"]).assert_ok()), [true; 4]);
    assert_eq!(warned(&dream(&repo, &["--yes"]).assert_ok()), [false; 4]);
    fs::write(&odd, format!("{text}other words\n")).unwrap();
    assert_eq!(
        warned(&dream(&repo, &["--yes"]).assert_ok()),
        [false, false, true, false]
    );
    let since = dream(&repo, &["--since", "2025-12-01", "--yes"]).assert_ok();
    assert_eq!(warned(&since), [true; 4], "who reads anew is told anew");
    assert!(!index(&repo).contains("orders"));
}

#[test]
fn tasks_and_times_that_no_clock_shows_become_no_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = directory(&repo).join("logs/2025/12/2025-12-01.md");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = "- [ ] The payments owner is to be Alice\n- [x] Use bun for installs\n\
                - 99:99 The orders owner is Kim\n- 09:30 [ ] The search owner is to be Bob\n\
                - 23:59 The media owner is Noor\n- 9:30 The mail owner is Mei\n";
    fs::write(&file, text).unwrap();
    let done = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(
        texts(&done["plan"]["added"]),
        ["The media owner is Noor", "The mail owner is Mei"]
    );
    let left = done["plan"]["left"].as_array().unwrap();
    let whys: Vec<&str> = left
        .iter()
        .map(|one| one["why"].as_str().unwrap())
        .collect();
    assert_eq!(whys.iter().filter(|why| why.contains("task")).count(), 3);
    assert!(whys.contains(&"its time is none of a day"), "{whys:?}");
    // Who mends the time is understood.
    fs::write(&file, text.replace("99:99", "09:59")).unwrap();
    let done = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(texts(&done["plan"]["added"]), ["The orders owner is Kim"]);
}
