//! `mem dream`: logs, session notes and the inbox become memories, as a plan first and one change then.

use std::fs;
use std::path::PathBuf;

use mem_tests::{Output, Repo, TestEnv};
use serde_json::Value;

use crate::inbox::{as_agent, confirming, ids, save};

fn directory(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).line().into()
}

fn logged(repo: &Repo<'_>, day: &str, lines: &[&str]) {
    let (year, month) = (&day[..4], &day[5..7]);
    let folder = directory(repo).join("logs").join(year).join(month);
    fs::create_dir_all(&folder).unwrap();
    let bullets: String = lines
        .iter()
        .map(|line| format!("- 10:00 {line}\n"))
        .collect();
    fs::write(
        folder.join(format!("{day}.md")),
        format!("# {day}\n\n{bullets}"),
    )
    .unwrap();
}

fn dream(repo: &Repo<'_>, args: &[&str]) -> Output {
    repo.mem(["dream"].into_iter().chain(args.iter().copied()))
}

fn plan(repo: &Repo<'_>) -> Value {
    dream(repo, &["--plan", "--json"]).assert_ok().json()["plan"].clone()
}

fn texts(list: &Value) -> Vec<String> {
    let all = list.as_array().unwrap().iter();
    all.map(|one| one["text"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn index(repo: &Repo<'_>) -> String {
    fs::read_to_string(directory(repo).join("MEMORY.md")).unwrap_or_default()
}

#[test]
fn a_plan_says_what_and_from_where_and_changes_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &[
            "The payments owner is Alice",
            "Fixed the flaky test",
            "The freeze starts tomorrow",
        ],
    );
    logged(
        &repo,
        "2025-12-05",
        &["The payments owner is Bob", "The freeze starts 2025-12-02"],
    );
    let before = env.files_under(&directory(&repo));
    let plan = plan(&repo);
    assert_eq!(
        texts(&plan["added"]),
        [
            "The payments owner is Alice",
            "The freeze starts 2025-12-02"
        ]
    );
    let source = &plan["added"][0]["sources"][0];
    assert_eq!(source["file"], "logs/2025/12/2025-12-01.md");
    assert_eq!(
        (source["line"].as_u64(), source["date"].as_str()),
        (Some(3), Some("2025-12-01"))
    );
    assert_eq!(texts(&plan["merged"]), ["The freeze starts 2025-12-02"]);
    let retired = &plan["retired"][0];
    assert_eq!(
        (retired["why"].as_str(), retired["old"]["text"].as_str()),
        (Some("updated"), Some("The payments owner is Alice"))
    );
    assert_eq!(retired["new"]["text"], "The payments owner is Bob");
    assert_eq!(retired["new"]["sources"][0]["line"], 3);
    assert_eq!(texts(&plan["left"]), ["Fixed the flaky test"]);
    assert_eq!(env.files_under(&directory(&repo)), before);
    let shown = dream(&repo, &["--plan"]).assert_ok().stdout;
    assert!(
        shown.contains("Retired") && shown.contains("now \"The payments owner is Bob\""),
        "{shown}"
    );
    assert_eq!(env.files_under(&directory(&repo)), before);
}

#[test]
fn one_change_makes_it_and_one_undo_takes_it_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &["The payments owner is Alice", "Use npm for installs"],
    );
    let first = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert!(
        first["change"].as_str().unwrap().starts_with("chg_"),
        "{first}"
    );
    assert!(index(&repo).contains("The payments owner is Alice"));
    logged(
        &repo,
        "2025-12-09",
        &[
            "Update: the payments owner is Bob",
            "Use bun instead of npm for installs",
        ],
    );
    let before = env.files_under(&directory(&repo));
    let told = dream(&repo, &["--yes"]).assert_ok();
    assert!(told.stderr.contains("mem undo"), "{}", told.stderr);
    let after = index(&repo);
    assert!(
        after.contains("— The payments owner is Bob") && after.contains("bun"),
        "{after}"
    );
    assert!(
        !after.contains("Alice") && !after.contains("Use npm"),
        "{after}"
    );
    let note = fs::read_to_string(directory(&repo).join("project_payments_owner.md")).unwrap();
    assert!(
        note.contains("Before: \"The payments owner is Alice\" (2025-12-01)"),
        "{note}"
    );
    let kept: Vec<_> = fs::read_dir(directory(&repo).join("logs/retired"))
        .unwrap()
        .collect();
    assert_eq!(kept.len(), 1, "the ledger of the month");
    // Doing it again finds nothing, and writes nothing.
    let now = env.files_under(&directory(&repo));
    let again = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert!(again["change"].is_null(), "{again}");
    assert_eq!(env.files_under(&directory(&repo)), now);
    repo.mem(["undo"]).assert_ok();
    assert_eq!(env.files_under(&directory(&repo)), before);
    // What was undone stays so, until somebody asks for it.
    assert!(dream(&repo, &["--yes", "--json"]).json()["change"].is_null());
    let since = dream(&repo, &["--since", "2025-12-09", "--yes", "--json"])
        .assert_ok()
        .json();
    assert_eq!(since["plan"]["retired"].as_array().unwrap().len(), 2);
}

#[test]
fn nobody_to_ask_means_no_change_and_what_was_removed_stays_away() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    let refused = dream(&repo, &[]).assert_code(2);
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
    assert!(index(&repo).is_empty());
    dream(&repo, &["--yes"]).assert_ok();
    repo.mem(["remove", "Payments owner"]).assert_ok();
    logged(&repo, "2025-12-02", &["The orders owner is Kim"]);
    dream(&repo, &["--yes"]).assert_ok();
    assert!(!index(&repo).contains("payments") && index(&repo).contains("orders owner"));
}

#[test]
fn what_somebody_wrote_keeps_its_words_and_what_is_pinned_is_left_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        "Search owner",
        "--description",
        "The search owner is Alice",
    ];
    repo.mem(
        args.iter()
            .chain(&["--body", "She built it.\n\nAsk before changing ranking."]),
    )
    .assert_ok();
    let args = [
        "save",
        "--type",
        "project",
        "--pin",
        "--name",
        "Media owner",
        "--description",
        "The media owner is Kim",
    ];
    repo.mem(args.iter().chain(&["--body", "text"])).assert_ok();
    env.advance(86_400);
    let file = directory(&repo).join("project_media_owner.md");
    let pinned = fs::read(&file).unwrap();
    let today = repo.mem(["log", "x"]).assert_ok();
    assert!(today.stdout.contains("logs/"));
    let day = today
        .line()
        .rsplit('/')
        .next()
        .unwrap()
        .trim_end_matches(".md")
        .to_owned();
    logged(
        &repo,
        &day,
        &["The search owner is Bob now", "The media owner is Noor now"],
    );
    let json = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    let note = fs::read_to_string(directory(&repo).join("project_search_owner.md")).unwrap();
    assert!(
        note.contains("description: The search owner is Bob now"),
        "{note}"
    );
    assert!(
        note.contains("Before: \"The search owner is Alice\""),
        "{note}"
    );
    assert!(
        note.contains("She built it.\n\nAsk before changing ranking."),
        "{note}"
    );
    assert_eq!(fs::read(&file).unwrap(), pinned);
    let warned = json["plan"]["warnings"].to_string();
    assert!(warned.contains("pinned"), "{warned}");
    assert!(
        index(&repo).contains("media owner is Noor"),
        "the newer fact is kept beside"
    );
}

#[test]
fn in_log_mode_every_memory_gets_its_line_at_night() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "memory.mode", "log"])
        .assert_ok();
    let args = [
        "save",
        "--type",
        "feedback",
        "--name",
        "No mocks",
        "--description",
        "real databases",
        "--body",
        "b",
    ];
    repo.mem(args).assert_ok();
    assert!(index(&repo).is_empty());
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    dream(&repo, &["--yes"]).assert_ok();
    let index = index(&repo);
    assert!(
        index.contains("feedback_no_mocks.md") && index.contains("payments owner"),
        "{index}"
    );
    repo.mem(["check"]).assert_ok();
    let refused = repo.mem(["config", "set", "team.remote", "git:origin"]);
    let status = repo.mem(["status"]);
    assert!(
        refused.code != 0 || status.code != 0,
        "log mode and a team exclude each other"
    );
}

#[test]
fn a_persons_plan_takes_the_inbox_in_and_an_agents_does_not() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s1", "No mocks", "Never mock the database in tests").assert_code(1);
    assert_eq!(ids(&repo).len(), 1);
    let plan = as_agent(&repo, "s1", ["dream", "--plan", "--json"])
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
    fs::write(&file, &text).unwrap();
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
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert!(!index(&repo).contains("moon"));
}

#[test]
fn a_clock_of_1970_distils_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    let before = env.files_under(&directory(&repo));
    let run = repo
        .invoke(["dream", "--yes"])
        .env("MEM_NOW", "1970-01-02T00:00:00Z")
        .run()
        .assert_code(1);
    assert!(
        run.stderr.contains("the clock says 1970") && run.stderr.contains("hint:"),
        "{}",
        run.stderr
    );
    assert_eq!(env.files_under(&directory(&repo)), before);
}

#[test]
fn a_model_names_and_leaves_and_its_other_plans_are_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &[
            "The payments owner is Alice",
            "The cafeteria serves soup on Mondays",
        ],
    );
    let answering = |answer: &str| {
        let file = env.root().join("answer");
        fs::write(&file, answer).unwrap();
        let command = format!(
            "test \"$MEM_MODEL_TASK\" = distill && cat >/dev/null && cat {}",
            file.display()
        );
        repo.invoke(["dream", "--plan", "--json"])
            .env("MEM_MODEL_COMMAND", &command)
            .run()
            .assert_ok()
            .json()["plan"]
            .clone()
    };
    let plan = answering(
        r#"{"plan":[{"bullet":1,"do":"keep","name":"Who pays","type":"user"},{"bullet":2,"do":"leave"}]}"#,
    );
    assert_eq!(texts(&plan["added"]), ["The payments owner is Alice"]);
    assert_eq!(plan["added"][0]["file"], "Who pays");
    assert_eq!(
        texts(&plan["left"]),
        ["The cafeteria serves soup on Mondays"]
    );
    for garbage in [
        "I would rather not",
        r#"{"plan":[{"do":"delete","file":"*"},{"do":"retire","file":"MEMORY.md"}]}"#,
        r#"{"plan":[{"bullet":1,"do":"leave"},{"bullet":2,"do":"leave"}]}"#,
    ] {
        let plan = answering(garbage);
        assert_eq!(texts(&plan["added"]).len(), 2, "{plan}");
        assert!(plan["warnings"].to_string().contains("refused"), "{plan}");
    }
}

#[test]
fn what_the_instructions_or_the_code_say_needs_no_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("CLAUDE.md", "# Rules\n\n- Use bun for installs\n");
    repo.write("src/config.rs", "pub fn parse_config() {}\n");
    repo.git(["add", "--all"]);
    repo.git(["commit", "--quiet", "--message", "code"]);
    logged(
        &repo,
        "2025-12-01",
        &[
            "Use bun for installs",
            "`parse_config` is in `src/config.rs`",
            "`gone_fn` is in `src/lost.rs`",
        ],
    );
    let plan = plan(&repo);
    assert_eq!(
        texts(&plan["left"]),
        [
            "Use bun for installs",
            "`parse_config` is in `src/config.rs`"
        ]
    );
}

#[test]
fn what_the_code_left_behind_goes_to_the_archive() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("src/retry.rs", "pub fn cap_retries() {}\n");
    repo.git(["add", "--all"]);
    repo.git(["commit", "--quiet", "--message", "retry"]);
    logged(
        &repo,
        "2025-12-01",
        &["Retries of `cap_retries` in `src/retry.rs` stop at 3, the vendor bills each"],
    );
    env.advance(60);
    dream(&repo, &["--yes"]).assert_ok();
    let before = index(&repo);
    assert!(before.contains("Retries of"), "{before}");
    env.advance(86_400);
    repo.git(["rm", "--quiet", "src/retry.rs"]);
    repo.git(["commit", "--quiet", "--message", "no retries"]);
    let json = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(json["plan"]["retired"][0]["why"], "broken", "{json}");
    assert!(!index(&repo).contains("Retries of"));
    let kept = directory(&repo).join("logs/retired");
    let names: Vec<String> = fs::read_dir(&kept)
        .unwrap()
        .map(|one| one.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names.iter().any(|name| name.contains("retries")),
        "{names:?}"
    );
    assert!(!repo.mem(["list"]).assert_ok().stdout.contains("Retries of"));
    repo.mem(["undo"]).assert_ok();
    assert_eq!(index(&repo), before);
}

#[test]
fn only_a_share_is_touched_and_the_rest_waits() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let names = [
        "payments", "orders", "billing", "search", "catalog", "auth", "gateway", "mail", "stock",
        "media", "pages", "forms",
    ];
    let first: Vec<String> = names
        .iter()
        .map(|name| format!("The {name} owner is Alice"))
        .collect();
    logged(
        &repo,
        "2025-12-01",
        &first.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    dream(&repo, &["--yes"]).assert_ok();
    let next: Vec<String> = names
        .iter()
        .map(|name| format!("The {name} owner is Bob"))
        .collect();
    logged(
        &repo,
        "2025-12-02",
        &next.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let json = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(json["plan"]["retired"].as_array().unwrap().len(), 10);
    assert_eq!(json["plan"]["waiting"].as_array().unwrap().len(), 2);
    dream(&repo, &["--yes"]).assert_ok();
    assert!(!index(&repo).contains("Alice"));
}
