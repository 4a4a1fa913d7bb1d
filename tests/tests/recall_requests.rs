//! Recall asked for what cannot be, and what it says where there is nothing to give.

use std::fs;

use mem_tests::{Repo, TestEnv};

use crate::recall::{files, recall, three_notes};

const PROMPT: &str = "may I mock the database in the integration tests?";

#[test]
fn numbers_that_say_nothing_are_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    for number in ["nan", "inf", "-0.5", "1.01", "much"] {
        let score = format!("--min-score={number}");
        let error = repo.mem(["recall", PROMPT, &score, "--json"]);
        assert_eq!(error.assert_code(2).json_error()["kind"], "usage");
        let variable = repo.invoke(["recall", PROMPT]);
        let error = variable.env("MEM_RECALL_MIN_SCORE", number).run();
        assert!(error.assert_code(1).stderr.contains("from 0 to 1"));
    }
    let below = repo.mem(["config", "set", "recall.limit", "--", "-3"]);
    assert!(below.assert_code(2).stderr.contains("from 0 on"));
    let all = u64::MAX.to_string();
    assert_eq!(
        files(&repo, PROMPT, &["--limit", &all]),
        ["feedback_no_mocks.md"]
    );
}

#[test]
fn who_asks_why_nothing_came_is_told_that_memory_is_off() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let off = |args: &[&str]| {
        let run = repo.invoke(args).env("MEM_MEMORY_ENABLED", "false");
        run.run().assert_ok()
    };
    assert!(off(&["preview", PROMPT]).stdout.contains("memory is off"));
    let explained = off(&["recall", PROMPT, "--explain"]).stderr;
    assert!(explained.contains("MEM_MEMORY_ENABLED"), "{explained}");
    assert_eq!(off(&["warm", "--json"]).json()["notes"], 0);
}

#[test]
fn a_cache_that_cannot_be_written_is_told_who_warms_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    fs::write(env.home().join(".cache"), "in the way").unwrap();
    let warm = repo.mem(["warm", "--json"]).assert_ok();
    assert_eq!(warm.json()["stored"], false);
    assert!(warm.stderr.contains(".cache/mem/recall"), "{}", warm.stderr);
}

#[test]
fn an_account_is_in_order_and_counts_the_rest() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    topics(&repo, 9, "");
    let account = repo.mem(["preview", PROMPT]).assert_ok().stdout;
    // Twelve, of which one is given and five are named.
    assert!(account.contains("and 6 that come less near"), "{account}");
}

/// So many notes on the same, each on another ticket.
fn topics(repo: &Repo<'_>, count: usize, tags: &str) {
    for number in 0..count {
        let note = format!(
            "---\nname: Ticket {number}\ndescription: kiosk printer ribbon jam\ntype: project\n{tags}---\nDone.\n"
        );
        repo.edit_note(&format!("project_ticket_{number}.md"), &note);
    }
}

#[test]
fn a_search_for_a_tag_looks_at_all_that_have_the_words() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    topics(&repo, 520, "");
    let long = "Nothing about that here. ".repeat(300);
    let far = format!(
        "---\nname: Reel\ndescription: reels\ntype: project\ntags: [rare]\n---\nThe printer. {long}\n"
    );
    repo.edit_note("project_far.md", &far);
    let found = repo.mem(["search", "printer", "ribbon", "--tag", "rare", "--json"]);
    let found = found.assert_ok().json();
    assert!(found["memories"][0]["score"].is_number(), "{found}");
    assert_eq!(found["memories"][0]["file"], "project_far.md", "{found}");
}

#[test]
fn an_edit_that_is_not_committed_is_seen_and_so_is_its_end() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("src/retry.rs", "fn retried() {}\n", "code");
    let note = "---\nname: Retry policy\ndescription: how often uploads are retried\ntype: project\n---\nSee `src/retry.rs`.\n";
    repo.edit_note("project_retry.md", note);
    repo.mem(["verify"]).assert_ok();
    let verdict = || {
        let answer = recall(&repo, "how often are uploads retried?", &[]);
        let shown = repo.mem(["show", "project_retry", "--json"]);
        let shown = shown.assert_ok().json()["drift"]["verdict"].clone();
        assert_eq!(answer["memories"][0]["drift"]["verdict"], shown, "{answer}");
        shown
    };
    assert_eq!(verdict(), "fresh");
    fs::remove_file(repo.path().join("src/retry.rs")).unwrap();
    assert_eq!(verdict(), "broken");
    repo.write("src/retry.rs", "fn retried() {}\n");
    assert_eq!(verdict(), "fresh");
}

#[cfg(unix)]
#[test]
fn a_model_is_offered_nothing_that_is_not_wanted() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let asked = env.work().join("asked");
    let command = format!(
        "cat > '{}'; echo '{{\"files\":[\"project_release.md\"]}}'",
        asked.display()
    );
    let select = |more: &[&str]| {
        let args = ["recall", PROMPT, "--select", "--format", "paths"];
        let run = repo.invoke(args.iter().chain(more));
        let run = run.env("MEM_MODEL_COMMAND", &command).run().assert_ok();
        (run.stdout, fs::read_to_string(&asked).unwrap())
    };
    let (chosen, asked) = select(&["--exclude", "reference_grafana.md", "--session", "s-1"]);
    assert!(chosen.ends_with("project_release.md\n"), "{chosen}");
    assert!(!asked.contains("reference_grafana.md") && asked.contains("project_release.md"));
    // What it chose was shown: it is not offered again, and its answer is none of those.
    let (chosen, asked) = select(&["--session", "s-1"]);
    assert!(!asked.contains("project_release.md"), "{asked}");
    assert!(chosen.ends_with("feedback_no_mocks.md\n"), "{chosen}");
}

#[test]
fn nobody_is_named_for_what_another_wrote_since() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = "save --scope team --type project --name Canary --description";
    let rest = ["how a canary rollout is done", "--body", "First in Europe."];
    repo.mem(save.split(' ').chain(rest)).assert_ok();
    let author = || {
        let answer = recall(&repo, "how is a canary rollout done?", &[]);
        answer["memories"][0]["author"].clone()
    };
    assert_eq!(author(), "person");
    let note = repo.note("team/project_canary.md").unwrap();
    repo.edit_note(
        "team/project_canary.md",
        &note.replace("Europe", "Asia now"),
    );
    assert_eq!(author(), serde_json::Value::Null);
    repo.mem(["status"]).assert_ok();
    assert_eq!(author(), "foreign");
}

#[test]
fn a_repository_of_another_format_is_refused_in_one_sentence() {
    let env = TestEnv::new();
    let path = env.work().join("app");
    let plain = env.repo("plain");
    let place = path.to_string_lossy();
    plain.git(["init", "--quiet", "--object-format=sha256", &place]);
    let repo = Repo::at(&env, &path);
    three_notes(&repo);
    let error = repo.mem(["verify", "--json"]).assert_code(1).json_error();
    let message = error["message"].as_str().unwrap();
    assert_eq!(message.matches("object format").count(), 1, "{message}");
    assert!(error["hint"].as_str().unwrap().contains("SHA-1"), "{error}");
    assert_eq!(files(&repo, PROMPT, &[]), ["feedback_no_mocks.md"]);
}
