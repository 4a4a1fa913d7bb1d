//! Recall within a session, beside tools and code: what is not brought again, and what counts.

use mem_tests::{TestEnv, words};
use serde_json::Value;

use crate::recall::{files, recall, three_notes};

const PROMPT: &str = "may I mock the database in the integration tests?";

/// What left a file out, if anything did.
fn left_by<'a>(answer: &'a Value, file: &str) -> Option<&'a str> {
    let filtered = answer["filtered"].as_array().unwrap();
    let one = filtered.iter().find(|one| one["file"] == file)?;
    one["by"].as_str()
}

#[test]
fn a_session_sees_a_note_once_until_it_changes() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let session = ["--session", "s-1"];
    assert_eq!(files(&repo, PROMPT, &session), ["feedback_no_mocks.md"]);
    let again = recall(&repo, PROMPT, &session);
    assert_eq!(again["memories"], serde_json::json!([]));
    assert_eq!(left_by(&again, "feedback_no_mocks.md"), Some("shown"));
    assert_eq!(again["abstained"], false, "there was one that fits");
    assert_eq!(
        files(&repo, PROMPT, &["--session", "s-2"]),
        ["feedback_no_mocks.md"]
    );
    let changed = repo.note("feedback_no_mocks.md").unwrap() + "Fakes are fine for HTTP.\n";
    repo.edit_note("feedback_no_mocks.md", &changed);
    assert_eq!(files(&repo, PROMPT, &session), ["feedback_no_mocks.md"]);
}

#[test]
fn a_preview_is_the_very_text_and_marks_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let session = ["--session", "s-1"];
    let preview = |more: &[&str]| {
        let args = ["preview", PROMPT].iter().chain(&session).chain(more);
        repo.mem(args).assert_ok()
    };
    let told = preview(&["--json"]).json();
    let account = preview(&[]).stdout;
    assert!(
        account.contains("tokens") && account.contains("not sure enough"),
        "{account}"
    );
    let given = repo.mem(["recall", PROMPT, "--session", "s-1"]).assert_ok();
    assert_eq!(told["context"], given.stdout);
    assert_eq!(told["bytes"], given.stdout_bytes.len());
    assert!(told["tokens"].as_u64().unwrap() > 20, "{told}");
    let after = preview(&[]).stdout;
    assert!(after.contains("this session has seen it"), "{after}");
}

#[test]
fn a_note_that_was_recalled_and_then_read_counts_more() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let weight = || {
        let answer = recall(&repo, PROMPT, &["--explain"]);
        answer["memories"][0]["parts"]["used"]
            .as_f64()
            .unwrap_or(0.0)
    };
    assert_eq!(weight(), 0.0);
    let show = || {
        let show = repo.invoke(["show", "feedback_no_mocks"]);
        show.env("MEM_SESSION", "s-1").run().assert_ok();
    };
    show();
    assert_eq!(weight(), 0.0, "it was not recalled before");
    repo.mem(["recall", PROMPT, "--session", "s-2"]).assert_ok();
    let edit = repo
        .invoke(["show", "feedback_no_mocks"])
        .env("MEM_SESSION", "s-2");
    edit.run().assert_ok();
    let once = weight();
    assert!(once > 0.0, "{once}");
    // Reading it twice is one use; a day later it was not read because of the recall.
    let again = repo
        .invoke(["show", "feedback_no_mocks"])
        .env("MEM_SESSION", "s-2");
    again.run().assert_ok();
    assert_eq!(weight(), once);
    repo.mem(["recall", PROMPT, "--session", "s-3"]).assert_ok();
    env.advance(2 * 86_400);
    let late = repo
        .invoke(["show", "feedback_no_mocks"])
        .env("MEM_SESSION", "s-3");
    late.run().assert_ok();
    assert_eq!(weight(), once);
    repo.mem(["config", "set", "recall.weights.used", "0"])
        .assert_ok();
    assert_eq!(weight(), 0.0, "a weight can be turned off");
}

#[test]
fn notes_that_document_a_tool_in_use_are_skipped_and_warnings_are_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let prompt = "which grafana dashboard shows the API latency?";
    let tools = ["--tools-in-use", "Bash,grafana"];
    assert_eq!(files(&repo, prompt, &[])[0], "reference_grafana.md");
    let answer = recall(&repo, prompt, &tools);
    assert_eq!(
        left_by(&answer, "reference_grafana.md"),
        Some("tool-in-use")
    );
    let warning = repo.note("reference_grafana.md").unwrap()
        + "Known issue: the board lags by ten minutes.\n";
    repo.edit_note("reference_grafana.md", &warning);
    assert_eq!(files(&repo, prompt, &tools)[0], "reference_grafana.md");
}

#[test]
fn expired_notes_are_left_out_and_counted() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let note = repo.note("feedback_no_mocks.md").unwrap();
    let expiring = note.replace("type: feedback", "type: feedback\nexpires: 2026-01-02");
    repo.edit_note("feedback_no_mocks.md", &expiring);
    assert_eq!(files(&repo, PROMPT, &[]), ["feedback_no_mocks.md"]);
    env.advance(2 * 86_400);
    let answer = recall(&repo, PROMPT, &[]);
    assert_eq!(left_by(&answer, "feedback_no_mocks.md"), Some("expired"));
}

#[test]
fn a_note_whose_code_is_gone_says_so_and_ranks_lower() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("src/retry.rs", "fn retry_billing() {}\n", "code");
    let note = |name: &str, file: &str| {
        format!(
            "---\nname: {name}\ndescription: How the billing worker retries failed invoices\ntype: project\n---\n\
             The billing worker retries failed invoices, see `{file}`.\n"
        )
    };
    repo.commit("src/queue.rs", "fn queue() {}\n", "more code");
    repo.edit_note(
        "project_a.md",
        &note("Billing worker retries", "src/retry.rs"),
    );
    repo.edit_note(
        "project_b.md",
        &note("Billing worker retries", "src/queue.rs"),
    );
    let prompt = "how does the billing worker retry failed invoices?";
    let before = files(&repo, prompt, &[]);
    assert_eq!(before, ["project_a.md", "project_b.md"]);
    env.advance(86_400);
    repo.git(["rm", "--quiet", "src/retry.rs"]);
    repo.git(["commit", "--quiet", "--message", "drop it"]);
    let answer = recall(&repo, prompt, &["--explain"]);
    let last = &answer["memories"][1];
    assert_eq!(last["file"], "project_a.md", "{answer}");
    assert_eq!(last["drift"]["verdict"], "broken", "{answer}");
    assert!(
        last["drift"]["reasons"][0]
            .as_str()
            .unwrap()
            .contains("src/retry.rs"),
        "{answer}"
    );
    assert!(last["parts"]["drift"].as_f64().unwrap() < 0.0, "{answer}");
    let text = repo.mem(["recall", prompt]).assert_ok().stdout;
    assert!(text.contains("drift=\"broken\""), "{text}");
}

#[test]
fn a_note_of_the_team_names_its_author() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = words(
        "save --type project --scope team --name 'Merge freeze' --description \
         'Nothing is merged after Thursday noon' --body 'The release is cut then.'",
    );
    repo.invoke(args).env("USER", "ann").run().assert_ok();
    let answer = recall(&repo, "when is the merge freeze?", &[]);
    let one = &answer["memories"][0];
    assert_eq!(
        (&one["scope"], &one["author"]),
        (&"team".into(), &"ann".into()),
        "{answer}"
    );
}

#[test]
fn a_save_names_the_note_that_says_the_same() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let args = words(
        "save --type feedback --name 'Never mock the database' --description \
         'Integration tests must use a real PostgreSQL database and never mocks' --body \
         'A migration passed with a mock and failed in production.'",
    );
    let flag = "--no-duplicates".to_owned();
    let refused = repo.mem(args.iter().chain([&flag])).assert_code(1);
    assert!(
        refused.stderr.contains("feedback_no_mocks.md"),
        "{}",
        refused.stderr
    );
    assert_eq!(repo.note("feedback_never_mock_the_database.md"), None);
    let saved = repo.mem(args).assert_ok();
    assert!(
        saved.stderr.contains("feedback_no_mocks.md"),
        "{}",
        saved.stderr
    );
    let similar = repo.mem(["similar", "no_mocks", "--scope", "private"]);
    assert!(similar.code != 0, "names are unambiguous beginnings");
    let similar = repo
        .mem(["similar", "feedback_no_mocks", "--json"])
        .assert_ok()
        .json();
    assert_eq!(
        similar["memories"][0]["file"],
        "feedback_never_mock_the_database.md"
    );
    assert_eq!(similar["memories"][0]["near_duplicate"], true, "{similar}");
    let check = repo.mem(["check", "--json"]).json();
    let findings = check["findings"].as_array().unwrap();
    let found = findings
        .iter()
        .find(|one| one["code"] == "near-duplicate")
        .unwrap();
    let text = found.to_string();
    assert!(
        text.contains("feedback_no_mocks.md") && text.contains("feedback_never_mock"),
        "{text}"
    );
}

#[test]
fn a_model_may_choose_and_rank_counts_where_it_does_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let choose = |command: &str| {
        repo.mem(["config", "set", "model.command", command])
            .assert_ok();
        files(&repo, PROMPT, &["--select"])
    };
    let names =
        "cat >/dev/null; echo '[\"project_release.md\", \"reference_grafana.md\", \"none.md\"]'";
    assert_eq!(
        choose(names),
        ["project_release.md", "reference_grafana.md"]
    );
    let why = recall(&repo, PROMPT, &["--select"])["memories"][0]["why"].to_string();
    assert!(why.contains("the model chose it"), "{why}");
    for useless in [
        "",
        "exit 3",
        "echo nothing of use",
        "echo '[]'",
        "cat >/dev/null",
    ] {
        assert_eq!(choose(useless), ["feedback_no_mocks.md"], "{useless}");
    }
}
