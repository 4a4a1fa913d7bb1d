//! `mem trust`: given by a person, for one repository, and taken back.

use mem_tests::{Repo, TestEnv};

fn with_wish(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    let wanted = env.root().join("elsewhere");
    let settings = serde_json::json!({ "autoMemoryDirectory": wanted }).to_string();
    repo.commit(".claude/settings.json", &settings, "settings");
    repo
}

#[test]
fn trust_lets_the_repository_name_its_directory_until_it_is_revoked() {
    let env = TestEnv::new();
    let repo = with_wish(&env);
    let default = repo.memory();
    let output = repo.mem(["trust"]).assert_ok();
    insta::assert_snapshot!(output.shown(), @r"
    exit 0
    --- stdout
    `[ENV]/work/app` is trusted: its settings may name the memory directory
    --- stderr
    `mem path` shows where memory is now; `mem trust --revoke` takes it back
    ");
    assert_eq!(repo.memory(), env.root().join("elsewhere"));
    let list = env.mem(["trust", "--list"]).assert_ok().stdout;
    assert_eq!(list, "2026-01-01T00:00:00Z  [ENV]/work/app\n");
    let json = repo.mem(["trust", "--revoke", "--json"]).assert_ok().json();
    insta::assert_snapshot!(json, @r#"{"root":"[ENV]/work/app","trusted":false,"changed":true}"#);
    assert_eq!(repo.memory(), default);
    assert_eq!(env.mem(["trust", "--list"]).assert_ok().stdout, "");
}

#[test]
fn an_agent_cannot_trust_but_may_take_trust_back() {
    let env = TestEnv::new();
    let repo = with_wish(&env);
    let output = repo.invoke(["trust"]).env("CLAUDECODE", "1").run();
    insta::assert_snapshot!(output.assert_code(1).stderr, @r"
    error: trust is for a person to give, and an agent runs this
    hint: run `mem trust` in a terminal of your own
    ");
    let revoke = repo.invoke(["trust", "--revoke"]).env("CLAUDECODE", "1");
    revoke.run().assert_ok();
}
