//! Records that say about the same: the newer takes the place of the older, told and undone whole.

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::{contents, id, retrieved, store};

#[test]
fn who_stores_at_once_sees_the_others() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let at_once = |contents: &[String]| {
        let running: Vec<_> = contents
            .iter()
            .map(|content| {
                let args = ["record", "store", content, "--category", "decision_log"];
                repo.invoke(args).spawn()
            })
            .collect();
        for mut one in running {
            assert!(one.wait().expect("it ends").success());
        }
        let listed = repo.mem(["record", "list", "--json"]).json();
        listed["memories"].as_array().unwrap().len()
    };
    let same = "Everybody writes this very sentence at once.".to_owned();
    assert_eq!(at_once(&vec![same; 6]), 1);
    let days = (1..=4).map(|day| format!("The release train leaves on day {day} of the month."));
    assert_eq!(
        at_once(&days.collect::<Vec<_>>()),
        2,
        "each supersedes the one before it"
    );
}

#[test]
fn a_record_of_one_sentence_is_recalled_with_the_sentence_once() {
    let env = TestEnv::new();
    let short = "The API gateway listens on port 8080.";
    let longer_than_a_title =
        "The API gateway of the staging cluster listens on port 8443 behind the balancer.";
    let longer_than_a_description = format!(
        "The API gateway {}listens on port 9.",
        "of all clusters ".repeat(12)
    );
    for content in [short, longer_than_a_title, &longer_than_a_description] {
        let repo = env.repo(&content.len().to_string());
        store(&repo, content, "factual_knowledge", &[]);
        let asked = [
            "recall",
            "--min-score",
            "0",
            "Which port does the API gateway listen on?",
        ];
        let text = repo.mem(asked).assert_ok().stdout;
        assert_eq!(text.matches("The API gateway").count(), 1, "{text}");
        assert!(text.contains(content.trim_end_matches('.')), "{text}");
    }
}

#[test]
fn a_successor_keeps_the_importance_and_the_tags_that_are_not_given() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let store = |content: &str, more: &[&str]| {
        let stored = store(&repo, content, "factual_knowledge", more);
        let id = id(&stored);
        let listed = repo.mem(["record", "list", "--json"]).assert_ok().json();
        let memories = listed["memories"].as_array().unwrap();
        assert_eq!(memories.len(), 1, "{listed}");
        assert_eq!(memories[0]["id"], id.as_str());
        let one = &memories[0];
        (one["importance"].clone(), one["tags"].clone())
    };
    let first = ["--importance", "5", "--tag", "infra"];
    store("The API gateway listens on port 8080.", &first);
    assert_eq!(
        store("The API gateway listens on port 9090.", &[]),
        (json!(5), json!(["infra"]))
    );
    let given = ["--importance", "2", "--tag", "net"];
    assert_eq!(
        store("The API gateway listens on port 7070.", &given),
        (json!(2), json!(["net"]))
    );
}

#[test]
fn what_says_about_the_same_is_superseded_told_and_taken_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let old = id(&store(
        &repo,
        "The API gateway listens on port 8080.",
        "factual_knowledge",
        &[],
    ));
    let stored = store(
        &repo,
        "The API gateway listens on port 9090.",
        "factual_knowledge",
        &[],
    );
    let superseded = &stored.json()["superseded"];
    assert_eq!(superseded["id"], old.as_str());
    assert_eq!(
        superseded["content"],
        "The API gateway listens on port 8080."
    );
    let gone = repo
        .mem(["record", "delete", &old, "--reason", "old"])
        .assert_code(1);
    assert!(
        gone.stderr
            .contains(&format!("superseded by `{}`", id(&stored))),
        "{}",
        gone.stderr
    );
    let trail = repo.mem(["log-audit", "--json"]).assert_ok().json();
    let entry = &trail["entries"][0];
    assert_eq!(
        (&entry["action"], &entry["superseded_by"]),
        (&json!("supersede"), &json!(id(&stored)))
    );
    repo.mem(["undo"]).assert_ok();
    let all = retrieved(&repo, "gateway port", &[]);
    assert_eq!(contents(&all), ["The API gateway listens on port 8080."]);
    let again = store(
        &repo,
        "The API gateway listens on port 8080.",
        "factual_knowledge",
        &[],
    );
    assert_eq!(id(&again), old);
}

#[test]
fn tiers_are_kept_apart_when_something_is_superseded() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let global = ["--scope", "global"];
    store(
        &repo,
        "Answers are wanted in German.",
        "user_preference",
        &global,
    );
    let stored = store(
        &repo,
        "Answers are wanted in English.",
        "user_preference",
        &[],
    );
    assert!(stored.json()["superseded"].is_null());
    let stored = store(
        &repo,
        "Answers are wanted in French.",
        "user_preference",
        &global,
    );
    assert_eq!(
        stored.json()["superseded"]["content"],
        "Answers are wanted in German."
    );
    assert_eq!(contents(&retrieved(&repo, "answers", &[])).len(), 2);
}

#[test]
fn another_name_of_one_thing_supersedes_and_what_is_pinned_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let fact = |content: &str| store(&repo, content, "project_context", &[]).json();
    let hydra = fact("The staging cluster is called Hydra.");
    let medusa = fact("The staging cluster is now called Medusa.");
    assert_eq!(medusa["superseded"]["id"], hydra["memory_id"]);
    let other = fact("The production cluster is called Gorgon.");
    assert!(other["superseded"].is_null(), "{other}");
    // What the index pins is for a person to change.
    let index = repo.memory().join("MEMORY.md");
    let lines = std::fs::read_to_string(&index).unwrap();
    std::fs::write(&index, format!("## Pinned\n\n{lines}")).unwrap();
    let before = repo.mem(["record", "list", "--json"]).assert_ok().json();
    let chimera = fact("The staging cluster is now called Chimera.");
    assert!(chimera["superseded"].is_null(), "{chimera}");
    let count = |list: &Value| list["memories"].as_array().unwrap().len();
    let after = repo.mem(["record", "list", "--json"]).assert_ok().json();
    assert_eq!(count(&after), count(&before) + 1);
}
