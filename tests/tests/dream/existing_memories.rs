//! What a distillation does to memories that are there: it touches a share, and nobody's own words.

use std::fs;

use mem_tests::{TestEnv, words};

use super::{directory, dream, index, logged};

#[test]
fn what_somebody_wrote_keeps_its_words_and_what_is_pinned_is_left_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = words(
        "save --type project --name 'Search owner' --description 'The search owner is Alice' \
         --body 'She built it.\n\nAsk before changing ranking.'",
    );
    repo.mem(args).assert_ok();
    let args = words(
        "save --type project --pin --name 'Media owner' --description 'The media owner is Kim' \
         --body text",
    );
    repo.mem(args).assert_ok();
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
    let plan = dream(&repo, &["--dry-run"]).assert_ok().stdout;
    assert!(plan.contains("updated, in the description"), "{plan}");
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
    let told = &json["plan"]["pinned"][0];
    assert_eq!(told["file"], "project_media_owner.md", "{json}");
    assert_eq!(told["old"]["text"], "The media owner is Kim");
    assert_eq!(told["new"]["text"], "The media owner is Noor now");
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
    let args =
        words("save --type feedback --name 'No mocks' --description 'real databases' --body b");
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

#[test]
fn what_the_index_or_a_folder_pins_stays_and_the_plan_says_so() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let folder = directory(&repo).join("pinned");
    logged(
        &repo,
        "2025-12-01",
        &["The payments owner is Alice", "The orders owner is Kim"],
    );
    dream(&repo, &["--yes"]).assert_ok();
    let index_file = directory(&repo).join("MEMORY.md");
    let lines = index(&repo);
    let (pinned, rest): (Vec<&str>, Vec<&str>) =
        lines.lines().partition(|line| line.contains("payments"));
    let (pinned, rest) = (pinned.join("\n"), rest.join("\n"));
    fs::write(&index_file, format!("{rest}\n\n## Pinned\n\n{pinned}\n")).unwrap();
    fs::create_dir_all(&folder).unwrap();
    let by_folder = folder.join("project_orders_owner.md");
    fs::rename(directory(&repo).join("project_orders_owner.md"), &by_folder).unwrap();
    let by_index = directory(&repo).join("project_payments_owner.md");
    let before = [fs::read(&by_index).unwrap(), fs::read(&by_folder).unwrap()];
    logged(
        &repo,
        "2025-12-05",
        &["The payments owner is Bob", "The orders owner is Noor"],
    );
    let shown = dream(&repo, &["--dry-run"]).assert_ok().stdout;
    assert!(
        shown.contains("Pinned, and said otherwise") && shown.contains("stays, against"),
        "{shown}"
    );
    let done = dream(&repo, &["--yes", "--json"]).assert_ok().json();
    assert_eq!(
        done["plan"]["pinned"].as_array().unwrap().len(),
        2,
        "{done}"
    );
    assert!(done["plan"]["retired"].as_array().unwrap().is_empty());
    let after = [fs::read(&by_index).unwrap(), fs::read(&by_folder).unwrap()];
    assert_eq!(before, after);
}
