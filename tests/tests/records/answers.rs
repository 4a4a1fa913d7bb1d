//! What answers of records show, and what they never do.

use mem_tests::{TestEnv, github_token};
use serde_json::json;

use super::{contents, id, retrieved, store};
use crate::mcp::served;

#[test]
fn a_secret_in_a_reason_stands_in_no_trail() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(7);
    let reason = format!("it used {token} until today");
    let save = |name: &str| {
        let args = [
            "save",
            "--type",
            "project",
            "--description",
            "d",
            "--body",
            "x",
            "--name",
            name,
        ];
        repo.mem(args.iter().chain(&["--reason", reason.as_str()]))
            .assert_ok()
    };
    save("First");
    save("Second");
    let one = id(&store(&repo, "Lunch is at noon.", "project_context", &[]));
    let two = id(&store(
        &repo,
        "Backups run at night.",
        "factual_knowledge",
        &[],
    ));
    for args in [
        &["remove", "First", "--reason", reason.as_str()][..],
        &["record", "delete", &one, "--reason", &reason],
    ] {
        let told = repo.mem(args).assert_ok();
        assert!(told.stderr.contains("kept without"), "{}", told.stderr);
        assert!(!told.stderr.contains(&token) && !told.stdout.contains(&token));
    }
    let mut rpc = served(&repo, &[]);
    let deleted = rpc.tool(
        "memory_delete",
        json!({ "memory_id": two, "reason": reason }),
    );
    assert!(
        deleted["warnings"].to_string().contains("kept without"),
        "{deleted}"
    );
    rpc.tool(
        "memory_delete",
        json!({ "path": "project_second.md", "reason": reason }),
    );
    for args in [
        &["log-audit"][..],
        &["log-audit", "--json"],
        &["history"],
        &["history", "--json"],
    ] {
        let trail = repo.mem(args).assert_ok().stdout;
        assert!(!trail.contains(&token[8..]), "{trail}");
        assert!(trail.contains("[redacted: "), "{trail}");
    }
    let trail = repo.mem(["log-audit", "--json"]).json();
    assert_eq!(trail["entries"].as_array().unwrap().len(), 4);
}

#[test]
fn a_secret_in_a_record_makes_no_name_and_is_not_listed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(7);
    let content = format!("{token} opens the registry of the team.");
    let stored = repo.mem([
        "record",
        "store",
        &content,
        "--category",
        "factual_knowledge",
    ]);
    let stored = stored.assert_ok();
    assert!(
        stored.stderr.contains("looks like a secret"),
        "{}",
        stored.stderr
    );
    let listed = repo.mem(["record", "list"]).assert_ok().stdout;
    let index = repo.mem(["index", "show"]).assert_ok().stdout;
    let lower = token.to_lowercase();
    for text in [&stored.stdout, &stored.stderr, &listed, &index] {
        assert!(!text.to_lowercase().contains(&lower[4..]), "{text}");
    }
    assert!(listed.contains("opens the registry"), "{listed}");
    for (name, _) in env.files_under(&repo.memory()) {
        assert!(!name.to_lowercase().contains(&lower[4..]), "{name}");
    }
    // The content is whoever's who stored it.
    let whole = repo.mem(["record", "list", "--json"]).assert_ok().json();
    assert_eq!(whole["memories"][0]["content"], content);
    let again = store(&repo, &content, "factual_knowledge", &[]);
    assert_eq!(again.json()["memory_id"], whole["memories"][0]["id"]);
}

#[test]
fn a_list_has_a_short_line_each_and_whole_contents_as_json() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let content = format!(
        "The release notes. {}The end.",
        "One more line of it.\n".repeat(400)
    );
    store(&repo, &content, "project_context", &[]);
    let listed = repo.mem(["record", "list"]).assert_ok().stdout;
    assert_eq!(listed.lines().count(), 1);
    assert!(
        listed.chars().count() < 400 && listed.contains("The release notes."),
        "{listed}"
    );
    let whole = repo.mem(["record", "list", "--json"]).assert_ok().json();
    assert_eq!(contents(&whole), [content.as_str()]);
}

#[test]
fn what_shares_nothing_with_a_query_is_not_brought_and_a_score_is_a_likeness() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (content, importance) in [
        ("Deploys of the shop are on Tuesdays.", "1"),
        ("Ann wants answers in German.", "5"),
        ("The office plant is a ficus.", "5"),
    ] {
        store(
            &repo,
            content,
            "project_context",
            &["--importance", importance],
        );
    }
    let all = retrieved(&repo, "on which day is the shop deployed?", &[]);
    assert_eq!(contents(&all)[0], "Deploys of the shop are on Tuesdays.");
    let scores: Vec<f64> = all["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["score"].as_f64().unwrap())
        .collect();
    assert!(scores.iter().all(|score| *score > 0.05), "{all}");
    assert!(
        !contents(&all).contains(&"The office plant is a ficus."),
        "{all}"
    );
    // The very same text is as near as can be.
    let same = retrieved(&repo, "Ann wants answers in German.", &["--limit", "1"]);
    assert!(
        same["memories"][0]["score"].as_f64().unwrap() > 0.9,
        "{same}"
    );
    let nothing = repo
        .mem(["record", "retrieve", "zorbax quillim wurble"])
        .assert_ok();
    assert_eq!(
        (
            nothing.stdout.as_str(),
            nothing.stderr.contains("no record fits")
        ),
        ("", true)
    );
}
