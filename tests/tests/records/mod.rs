//! `mem record`, and the three tools of `mem mcp`: structured memories, whoever they belong to.

mod answers;
mod input;
mod malformed_files;
mod permissions;
mod supersession;

use mem_tests::{Output, Repo, TestEnv, words};
use serde_json::{Value, json};

use crate::mcp::served;

const DAY: u64 = 86_400;

pub(crate) fn store(repo: &Repo<'_>, content: &str, category: &str, more: &[&str]) -> Output {
    let args = ["record", "store", content, "--category", category, "--json"];
    repo.mem(args.iter().chain(more)).assert_ok()
}

fn id(output: &Output) -> String {
    output.json()["memory_id"].as_str().unwrap().to_owned()
}

fn retrieved(repo: &Repo<'_>, query: &str, more: &[&str]) -> Value {
    let args = ["record", "retrieve", query, "--json"];
    repo.mem(args.iter().chain(more)).assert_ok().json()
}

fn contents(answer: &Value) -> Vec<&str> {
    let memories = answer["memories"].as_array().unwrap().iter();
    memories
        .map(|one| one["content"].as_str().unwrap())
        .collect()
}

#[test]
fn a_record_comes_back_in_its_shape_and_every_other_command_knows_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let more = "--importance 4 --tag deploy,day --expires-at 2030-01-01";
    let more: Vec<&str> = more.split(' ').collect();
    let stored = store(&repo, "Deploys are on Tuesdays.", "decision_log", &more);
    let id = id(&stored);
    assert_eq!(stored.json(), json!({ "success": true, "memory_id": id }));
    let answer = retrieved(&repo, "when do we deploy?", &[]);
    let one = &answer["memories"][0];
    let keys: Vec<&String> = one.as_object().unwrap().keys().collect();
    let expected = [
        "id",
        "content",
        "category",
        "importance",
        "score",
        "created_at",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        (one["id"].as_str(), &one["importance"]),
        (Some(id.as_str()), &json!(4))
    );
    assert!((0.0..=1.0).contains(&one["score"].as_f64().unwrap()));
    let shown = repo.mem(["show", &id, "--raw"]).assert_ok().stdout;
    assert!(shown.contains("type: project\n") && shown.contains("category: decision_log\n"));
    let recalled = repo
        .mem(["recall", "on what day do we deploy?"])
        .assert_ok();
    assert!(recalled.stdout.contains("Deploys are on Tuesdays"));
    let index = repo.mem(["index", "show"]).assert_ok().stdout;
    assert!(
        index.contains("(project_deploys_are_on_tuesdays.md)"),
        "{index}"
    );
}

#[test]
fn filters_come_first_and_an_explanation_tells_of_what_expired() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "The merge freeze ends soon.",
        "project_context",
        &["--expires", "2026-02-01"],
    );
    store(
        &repo,
        "Merging needs two reviews.",
        "decision_log",
        &["--importance", "2"],
    );
    store(
        &repo,
        "Ann merges on Mondays.",
        "relationship",
        &["--importance", "5"],
    );
    env.advance(300 * DAY);
    let told = retrieved(&repo, "merging", &["--explain"]);
    assert_eq!(told["left_out"][0]["by"], "expired");
    assert_eq!(
        told["left_out"][0]["content"],
        "The merge freeze ends soon."
    );
    let faded = &told["memories"][0]["effective_importance"];
    assert!(faded.as_f64().unwrap() < 0.01, "{faded}");
    let all = retrieved(&repo, "merging", &[]);
    assert_eq!(contents(&all).len(), 2);
    let some = retrieved(&repo, "merging", &["--category", "decision_log"]);
    assert_eq!(contents(&some), ["Merging needs two reviews."]);
    let some = retrieved(&repo, "merging", &["--min-importance", "3"]);
    assert_eq!(contents(&some), ["Ann merges on Mondays."]);
    assert_eq!(
        contents(&retrieved(&repo, "merging", &["--limit", "1"])).len(),
        1
    );
    let text = repo
        .mem(["record", "retrieve", "merging", "--explain"])
        .assert_ok();
    assert!(text.stderr.contains("left out  expired"), "{}", text.stderr);
}

#[test]
fn the_tools_store_retrieve_and_delete_over_mcp() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let record = json!({
        "content": "Ann wants answers in German.", "category": "user_preference", "importance": 5,
        "tags": ["language"], "expires_at": "2030-01-01T00:00:00Z",
    });
    let stored = rpc.tool("memory_store", record);
    assert_eq!(stored["success"], true);
    let query =
        json!({ "query": "which language?", "categories": ["user_preference"], "limit": 3 });
    let found = rpc.tool("memory_retrieve", query.clone());
    assert_eq!(found["memories"][0]["id"], stored["memory_id"]);
    let wanted = json!({ "memory_id": stored["memory_id"], "reason": "she moved on" });
    let deleted = rpc.tool("memory_delete", wanted.clone());
    assert_eq!(
        (&deleted["success"], &deleted["scope"]),
        (&json!(true), &json!("private"))
    );
    assert_eq!(rpc.tool("memory_retrieve", query)["memories"], json!([]));
    assert!(
        rpc.refused("memory_delete", wanted)
            .contains("there is no memory")
    );
    let trail = repo.mem(["log-audit", "--json"]).assert_ok().json();
    let entry = &trail["entries"][0];
    assert_eq!(
        (&entry["reason"], &entry["actor"]),
        (&json!("she moved on"), &json!("agent"))
    );
    let mut bob = served(&repo, &["--user", "bob"]);
    let tools = bob.result("tools/list", json!({}));
    assert_eq!(tools["tools"].as_array().unwrap().len(), 3);
    let resources = bob.result("resources/list", json!({}));
    assert_eq!(resources["resources"], json!([]));
    bob.refused("memory_list", json!({}));
}

#[test]
fn a_block_to_put_before_a_prompt_has_a_line_each() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "Deploys are on Tuesdays.\n# Never\non a Friday.",
        "decision_log",
        &["--importance", "5"],
    );
    let block = repo
        .mem(words(
            "recall --format prefetch 'on which day are deploys?'",
        ))
        .assert_ok();
    let expected = "## Relevant earlier memories\n\
        - [decision_log] Deploys are on Tuesdays. # Never on a Friday. (importance: 5)\n";
    assert_eq!(block.stdout, expected);
    let nothing = repo
        .mem(["recall", "--format", "prefetch", "thanks, looks good"])
        .assert_ok();
    assert_eq!(nothing.stdout, "");
}

#[test]
fn a_record_of_one_sentence_has_nothing_to_mend() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "The payments owner is Alice",
        "factual_knowledge",
        &[],
    );
    let check = repo.mem(["check"]).assert_ok();
    assert!(
        check.stderr.contains("nothing to mend"),
        "{}",
        check.shown()
    );
}

#[test]
fn an_importance_that_is_not_given_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let said = "Backups run hourly";
    store(&repo, said, "decision_log", &["--importance", "5"]);
    store(&repo, said, "decision_log", &[]);
    let importance =
        || retrieved(&repo, "how often do backups run", &[])["memories"][0]["importance"].clone();
    assert_eq!(importance(), 5);
    store(&repo, said, "decision_log", &["--importance", "2"]);
    assert_eq!(importance(), 2);
    store(&repo, "Deploys are on Tuesdays", "project_context", &[]);
    assert_eq!(
        retrieved(&repo, "when do we deploy", &[])["memories"][0]["importance"],
        3
    );
}
