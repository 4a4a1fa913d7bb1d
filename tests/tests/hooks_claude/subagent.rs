//! `subagent-start`: what a subagent is given of memory.

use mem_tests::{Repo, TestEnv};
use serde_json::json;

use super::{Host, put};
use crate::recall::three_notes;

const TASK: &str = "May I mock the database in the integration tests? Find out.";

/// A session whose agent has asked for two subagents, the one for code last.
fn delegating<'e>(env: &'e TestEnv, repo: &Repo<'_>) -> Host<'e> {
    three_notes(repo);
    put(
        &repo.memory().join("team/MEMORY.md"),
        "- [Deploys](deploys.md) - on Tuesdays\n",
    );
    let host = Host::new(env, repo, "s-1");
    let call = |id: &str, kind: &str, prompt: &str| {
        let input = json!({"description": "x", "subagent_type": kind, "prompt": prompt});
        json!([{"type": "tool_use", "id": id, "name": "Agent", "input": input}])
    };
    host.record("user", &json!("Look into it"));
    host.record("assistant", &call("t1", "Explore", TASK));
    host.record("assistant", &call("t2", "code", "Say thanks"));
    host
}

#[test]
fn a_subagent_gets_the_memories_of_its_task_and_the_index_of_the_team() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = delegating(&env, &repo);
    let start = |kind: &str| host.told("subagent-start", &json!({"agent_type": kind}));
    let told = start("Explore");
    assert!(told.contains("A mocked migration passed"), "{told}");
    assert!(told.contains("[Deploys](deploys.md)"), "{told}");
    assert!(
        !told.contains("scope=\"private\" file"),
        "the host loads it: {told}"
    );
    assert!(told.chars().count() <= 1_600, "{}", told.chars().count());
    assert_eq!(start("Explore"), told, "each subagent is a new one");
    let told = start("code");
    assert!(!told.contains("A mocked migration passed"), "{told}");
    assert!(told.contains("[Deploys](deploys.md)"), "{told}");
    let prompt = json!({"prompt": TASK});
    let told = host.told("user-prompt-submit", &prompt);
    let is_given = told.contains("A mocked migration passed");
    assert!(is_given, "the conversation has not seen it: {told}");
}

#[test]
fn the_setting_bounds_it_and_turns_it_off() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = delegating(&env, &repo);
    for (chars, is_any) in [("700", true), ("0", false)] {
        repo.mem(["config", "set", "recall.subagent_chars", chars])
            .assert_ok();
        let told = host.told("subagent-start", &json!({"agent_type": "Explore"}));
        assert_eq!(!told.is_empty(), is_any, "{told}");
        assert!(told.chars().count() <= 700, "{told}");
    }
}
