//! `mem dream`: logs, session notes and the inbox become memories, as a plan first and one change then.

mod existing_memories;
mod judgement;
mod kills;
mod sources;
mod undo;

use std::fs;
use std::path::PathBuf;

use mem_tests::{Output, Repo, TestEnv};
use serde_json::Value;

use crate::daemon::wait;

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
    dream(repo, &["--dry-run", "--json"]).assert_ok().json()["plan"].clone()
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
    // What gave way before the night was over is nothing that is added.
    assert_eq!(
        texts(&plan["added"]),
        ["The payments owner is Bob", "The freeze starts 2025-12-02"]
    );
    let source = &plan["added"][1]["sources"][0];
    assert_eq!(source["file"], "logs/2025/12/2025-12-01.md");
    assert_eq!(
        (source["line"].as_u64(), source["date"].as_str()),
        (Some(5), Some("2025-12-01"))
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
    let shown = dream(&repo, &["--dry-run"]).assert_ok().stdout;
    assert!(
        shown.contains("Retired") && shown.contains("now \"The payments owner is Bob\""),
        "{shown}"
    );
    assert_eq!(env.files_under(&directory(&repo)), before);
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
fn of_two_at_once_the_second_is_told_and_does_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(&repo, "2025-12-01", &["The payments owner is Alice"]);
    let (begun, go) = (env.root().join("begun"), env.root().join("go"));
    let model = format!(
        "touch {}; while ! test -e {}; do sleep 0.02; done; echo no",
        begun.display(),
        go.display()
    );
    let first = repo.invoke(["dream", "--yes"]);
    let mut first = first.env("MEM_MODEL_COMMAND", &model).spawn();
    wait("the first is at it", || begun.exists());
    let second = dream(&repo, &["--yes"]).assert_code(4);
    assert!(
        second.stderr.contains("being distilled already") && second.stderr.contains("hint:"),
        "{}",
        second.stderr
    );
    fs::write(&go, "").unwrap();
    assert!(first.wait().unwrap().success());
    assert!(index(&repo).contains("payments owner is Alice"));
}

#[test]
fn the_memories_it_makes_have_nothing_to_mend() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    logged(
        &repo,
        "2025-12-01",
        &["Use bun for installs", "The payments owner is Alice"],
    );
    dream(&repo, &["--yes"]).assert_ok();
    let check = repo.mem(["check"]).assert_ok();
    assert!(
        check.stderr.contains("nothing to mend"),
        "{}",
        check.shown()
    );
    assert!(index(&repo).contains("— Use bun for installs (since 2025-12-01)"));
    // Its description is written anew as long as it says no more than the name.
    logged(&repo, "2025-12-02", &["Use bun for installs, not npm"]);
    dream(&repo, &["--yes"]).assert_ok();
    let check = repo.mem(["check"]).assert_ok();
    assert!(
        check.stderr.contains("nothing to mend"),
        "{}",
        check.shown()
    );
}
