//! `mem manifest`: one line a memory, for a model that chooses.

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv};

fn save(repo: &Repo<'_>, scope: &str, name: &str, description: &str) {
    let args = [
        "save", "--type", "project", "--scope", scope, "--name", name,
    ];
    let more = ["--description", description, "--body", "x"];
    repo.mem(args.into_iter().chain(more)).assert_ok();
}

#[test]
fn one_line_a_memory_newest_first_with_its_tier() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "private", "Deploy", "How we deploy");
    env.advance(60);
    save(&repo, "global", "Shell", "Which shell I use");
    assert_snapshot!(repo.mem(["manifest"]).assert_ok().shown(), @r"
    exit 0
    --- stdout
    [project] global:project_shell.md (2026-01-01T00:01:00Z): Which shell I use
    [project] project_deploy.md (2026-01-01T00:00:00Z): How we deploy
    --- stderr
    ");
    let only = repo.mem(["manifest", "--scope", "global"]).assert_ok();
    assert_eq!(only.stdout.lines().count(), 1);
}

#[test]
fn nothing_to_choose_from_is_said_and_no_error() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    assert_eq!(repo.mem(["manifest"]).assert_ok().stdout, "");
}
