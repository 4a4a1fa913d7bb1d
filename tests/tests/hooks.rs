//! `mem hook install`: chains what is there and puts it back exactly.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use mem_tests::{Repo, TestEnv, github_token};

fn with_origin(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    repo.git(["init", "--quiet", "--bare", "../origin.git"]);
    repo.git(["remote", "add", "origin", "../origin.git"]);
    repo
}

/// Writes an executable file.
fn script(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Whether git pushed `main`, and what it said.
fn push(env: &TestEnv, repo: &Repo<'_>) -> (bool, String) {
    let mut git = env.command("git");
    let output = git
        .args(["push", "origin", "HEAD"])
        .current_dir(repo.path())
        .output()
        .unwrap();
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

#[test]
fn a_hook_that_was_there_gets_the_same_input_its_code_counts_and_it_comes_back_exactly() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    let hook = repo.path().join(".git/hooks/pre-push");
    let seen = env.root().join("seen");
    let text = format!(
        "#!/bin/sh\ncat >'{0}'\necho \"$@\" >>'{0}'\n[ ! -e veto ]\n",
        seen.display()
    );
    script(&hook, &text, 0o750);
    repo.mem(["hook", "install", "--pre-push"]).assert_ok();
    assert!(push(&env, &repo).0);
    let head = repo.git(["rev-parse", "HEAD"]);
    let expected = format!(
        "HEAD {head} refs/heads/main {}\norigin ../origin.git\n",
        "0".repeat(40)
    );
    assert_eq!(
        fs::read_to_string(&seen)
            .unwrap()
            .replace("refs/heads/main refs", "HEAD refs"),
        expected
    );
    repo.commit("veto", "", "veto");
    assert!(!push(&env, &repo).0);
    // Installing twice changes nothing about the way back.
    repo.mem(["hook", "install", "--pre-push"]).assert_ok();
    repo.mem(["hook", "uninstall"]).assert_ok();
    assert_eq!(fs::read_to_string(&hook).unwrap(), text);
    assert_eq!(
        fs::metadata(&hook).unwrap().permissions().mode() & 0o777,
        0o750
    );
    assert!(!repo.path().join(".git/hooks/pre-push.before-mem").exists());
}

#[test]
fn a_blocked_push_does_not_reach_the_hook_that_was_there() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    script(
        &repo.path().join(".git/hooks/pre-push"),
        "#!/bin/sh\ntouch ran\n",
        0o755,
    );
    repo.mem(["hook", "install"]).assert_ok();
    repo.commit("s", &github_token(1), "leak");
    assert!(!push(&env, &repo).0);
    assert!(!repo.path().join("ran").exists());
}

#[test]
fn a_commit_is_stopped_and_what_is_staged_counts() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    repo.mem(["hook", "install", "--pre-commit"]).assert_ok();
    repo.write("s.txt", github_token(1));
    repo.git(["add", "--all"]);
    let commit = |args: &[&str]| {
        let mut git = env.command("git");
        git.args(["commit", "-qm", "x"])
            .args(args)
            .current_dir(repo.path())
            .output()
            .unwrap()
    };
    assert!(!commit(&[]).status.success());
    repo.git(["reset", "--quiet"]);
    repo.write("ok.txt", "fine\n");
    repo.git(["add", "ok.txt"]);
    assert!(commit(&[]).status.success());
    // `-a` commits from an index of its own.
    repo.write("ok.txt", github_token(2));
    assert!(!commit(&["-a"]).status.success());
    assert!(commit(&["-a", "--no-verify"]).status.success());
}

#[test]
fn a_mem_that_moved_is_found_and_one_that_is_gone_does_not_block() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    repo.mem(["hook", "install"]).assert_ok();
    let hook = repo.path().join(".git/hooks/pre-push");
    let text = fs::read_to_string(&hook).unwrap();
    let program = text.lines().find(|line| line.starts_with("mem=")).unwrap();
    script(&hook, &text.replace(program, "mem='/nowhere/mem'"), 0o755);
    let status = repo.mem(["hook", "status"]).assert_ok().stdout;
    assert!(status.contains("`/nowhere/mem` is gone"), "{status}");
    repo.commit("s", &github_token(1), "leak");
    let (pushed, talk) = push(&env, &repo);
    assert!(
        pushed && talk.contains("mem: the program is gone"),
        "{talk}"
    );
    // On PATH it is found again.
    let bin = env.root().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(mem_tests::binary::path(), bin.join("mem")).unwrap();
    repo.commit("t", &github_token(2), "leak");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut git = env.command("git");
    git.args(["push", "origin", "HEAD"])
        .env("PATH", path)
        .current_dir(repo.path());
    assert!(!git.output().unwrap().status.success());
}

#[test]
fn worktrees_share_the_hook_and_a_hooks_path_is_respected() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    let tree = repo.worktree("tree");
    tree.mem(["hook", "install"]).assert_ok();
    tree.commit("s", &github_token(1), "leak");
    assert!(!push(&env, &tree).0);
    repo.mem(["hook", "uninstall"]).assert_ok();
    assert!(!repo.path().join(".git/hooks/pre-push").exists());
    repo.git(["config", "core.hooksPath", "my-hooks"]);
    repo.mem(["hook", "install"]).assert_ok();
    assert!(repo.path().join("my-hooks/pre-push").exists());
    repo.commit("t", &github_token(2), "leak");
    assert!(!push(&env, &repo).0);
}

#[test]
fn a_directory_that_a_hooks_path_names_is_not_created_without_a_word() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    let folder = env.home().join("all/hooks");
    repo.git(["config", "core.hooksPath", folder.to_str().unwrap()]);
    let created = "created `[ENV]/home/all/hooks`, which core.hooksPath names\n";
    let told = repo.mem(["hook", "install"]).assert_ok().stdout;
    assert!(told.starts_with(created), "{told}");
    assert!(folder.join("pre-push").exists());
    let again = repo.mem(["hook", "install"]).assert_ok().stdout;
    assert!(!again.contains("created"), "{again}");
}

#[test]
fn husky_runs_its_own_scripts_after_ours() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    let husky = repo.path().join(".husky");
    script(
        &husky.join("_/h"),
        "n=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n[ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\n",
        0o644,
    );
    script(
        &husky.join("_/pre-push"),
        "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"\n",
        0o755,
    );
    script(&husky.join("pre-push"), "touch ran\n", 0o644);
    repo.git(["config", "core.hooksPath", ".husky/_"]);
    repo.mem(["hook", "install"]).assert_ok();
    assert!(push(&env, &repo).0);
    assert!(repo.path().join("ran").exists());
    repo.commit("t", &github_token(2), "leak");
    assert!(!push(&env, &repo).0);
}

#[test]
fn a_hook_that_another_tool_moved_aside_is_still_ours_to_take_back() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    let hooks = repo.path().join(".git/hooks");
    script(&hooks.join("pre-push"), "#!/bin/sh\nexit 0\n", 0o755);
    repo.mem(["hook", "install"]).assert_ok();
    fs::rename(hooks.join("pre-push"), hooks.join("pre-push.legacy")).unwrap();
    script(
        &hooks.join("pre-push"),
        "#!/bin/sh\nexec \"$0.legacy\" \"$@\"\n",
        0o755,
    );
    repo.commit("t", &github_token(2), "leak");
    assert!(!push(&env, &repo).0);
    repo.mem(["hook", "uninstall"]).assert_ok();
    assert_eq!(
        fs::read_to_string(hooks.join("pre-push.legacy")).unwrap(),
        "#!/bin/sh\nexit 0\n"
    );
    assert!(push(&env, &repo).0);
}

#[test]
fn a_global_hook_scans_every_repository_and_runs_its_own_hooks() {
    let env = TestEnv::new();
    let repo = with_origin(&env);
    let hooks = repo.path().join(".git/hooks");
    script(&hooks.join("pre-push"), "#!/bin/sh\ntouch pushed\n", 0o755);
    script(
        &hooks.join("post-commit"),
        "#!/bin/sh\ntouch committed\n",
        0o755,
    );
    let before = fs::read_to_string(env.root().join("gitconfig")).unwrap();
    repo.mem(["hook", "install", "--global"]).assert_ok();
    assert!(push(&env, &repo).0 && repo.path().join("pushed").exists());
    repo.commit("s", &github_token(1), "leak");
    assert!(repo.path().join("committed").exists());
    assert!(!push(&env, &repo).0);
    repo.mem(["hook", "uninstall", "--global"]).assert_ok();
    assert_eq!(
        fs::read_to_string(env.root().join("gitconfig")).unwrap(),
        before
    );
    assert!(push(&env, &repo).0);
}
