//! `mem hook pre-push` under the real git: exactly what the remote does not have.

use mem_tests::{Repo, TestEnv, github_token, words};

/// A repository with a remote `origin`, the hook installed and `main` pushed.
fn pushed(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    repo.git(["init", "--quiet", "--bare", "../origin.git"]);
    repo.git(["remote", "add", "origin", "../origin.git"]);
    repo.mem(["hook", "install"]).assert_ok();
    push(env, &repo, &["origin", "main"]).unwrap();
    repo
}

/// What git said on stderr: `Ok` if it pushed.
fn push(env: &TestEnv, repo: &Repo<'_>, args: &[&str]) -> Result<String, String> {
    let mut git = env.command("git");
    let output = git
        .arg("push")
        .args(args)
        .current_dir(repo.path())
        .output()
        .unwrap();
    let talk = env.normalise(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        Ok(talk)
    } else {
        Err(talk)
    }
}

#[test]
fn a_secret_in_the_middle_of_the_range_stops_the_push_and_shows_three_ways_on() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.git(["checkout", "--quiet", "-b", "feature"]);
    let token = github_token(1);
    repo.commit("s.env", &format!("a=1\nt={token}\n"), "leak");
    let commit = repo.git(["rev-parse", "HEAD"]);
    repo.git(["rm", "--quiet", "s.env"]);
    repo.git(["commit", "--quiet", "--message", "gone"]);
    let talk = push(&env, &repo, &["origin", "feature"]).unwrap_err();
    assert!(!talk.contains(&token), "{talk}");
    for part in [
        "s.env:2:3",
        "github-pat",
        &commit[..10],
        "mem secrets allow github-pat:",
        "--no-verify",
        "rewrite",
    ] {
        assert!(talk.contains(part), "`{part}` is missing in {talk}");
    }
    assert_eq!(repo.git(["ls-remote", "origin", "feature"]), "");
    // Without a memory nothing is counted; with one the number is, and nothing else.
    let stopped = || repo.mem(["status", "--json"]).assert_ok().json()["secrets_stopped"].clone();
    assert_eq!(stopped(), serde_json::json!([]));
    let note = [
        "save",
        "--type",
        "project",
        "--name",
        "A",
        "--description",
        "b",
        "--body",
        "c",
    ];
    repo.mem(note).assert_ok();
    push(&env, &repo, &["origin", "feature"]).unwrap_err();
    push(&env, &repo, &["origin", "feature"]).unwrap_err();
    let of_today = serde_json::json!([{ "day": "2026-01-01", "secrets": 2 }]);
    assert_eq!(stopped(), of_today);
    push(&env, &repo, &["--no-verify", "origin", "feature"]).unwrap();
}

#[test]
fn a_token_before_a_slash_is_held_by_the_push_and_the_save_for_the_team() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let text = format!("https://api.acme.io/{}/repos\n", github_token(1));
    let save = words("save --type project --name Deploy --description How --scope team");
    let refused = repo.invoke(save).stdin(text.as_str()).run().assert_code(3);
    assert!(refused.stderr.contains("github-pat"), "{}", refused.stderr);
    repo.commit("deploy.md", &text, "leak");
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    assert!(talk.contains("github-pat"), "{talk}");
}

#[test]
fn the_first_commit_is_rebased_from_the_root() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.git(["checkout", "--quiet", "--orphan", "other"]);
    repo.commit("s.env", &format!("t={}\n", github_token(1)), "leak");
    let first = repo.git(["rev-parse", "HEAD"]);
    repo.commit("t.env", &format!("t={}\n", github_token(2)), "leak");
    let second = repo.git(["rev-parse", "HEAD"]);
    let talk = push(&env, &repo, &["origin", "other"]).unwrap_err();
    for step in [
        format!("take it out of {} (`git rebase -i --root`)", &first[..10]),
        format!("take it out of {0} (`git rebase -i {0}~`)", &second[..10]),
    ] {
        assert!(talk.contains(&step), "`{step}` is missing in {talk}");
    }
}

#[test]
fn merges_tags_and_notes_are_made_again_each_in_its_way() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.git(["checkout", "--quiet", "-b", "side"]);
    repo.commit("side.txt", "side\n", "side");
    repo.git(["checkout", "--quiet", "main"]);
    repo.commit("main.txt", "main\n", "main");
    repo.git(["merge", "--quiet", "--no-commit", "--no-ff", "side"]);
    repo.commit("s.env", &format!("t={}\n", github_token(1)), "merge");
    let merge = repo.git(["rev-parse", "HEAD"]);
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    let step = format!("git rebase -i --rebase-merges {}~", &merge[..10]);
    assert!(talk.contains(&step), "`{step}` is missing in {talk}");
    repo.git(["reset", "--quiet", "--hard", "origin/main"]);

    repo.git(["tag", "-a", "bad", "-m", &github_token(2)]);
    let talk = push(&env, &repo, &["origin", "bad"]).unwrap_err();
    let step = "make the tag again without it (`git tag --force --annotate NAME NAME^{}`)";
    assert!(talk.contains(step), "`{step}` is missing in {talk}");
    assert!(!talk.contains("git rebase"), "{talk}");

    repo.git(["notes", "add", "-m", &github_token(3)]);
    let talk = push(&env, &repo, &["origin", "refs/notes/commits"]).unwrap_err();
    assert!(talk.contains("`git notes edit`"), "{talk}");
    assert!(!talk.contains("git rebase"), "{talk}");
}

#[test]
fn what_is_found_with_low_confidence_stops_no_push() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let word = ["pork", "chop"].concat();
    repo.commit("db.yml", &format!("password: {word}\n"), "a test");
    repo.mem(["scan", "db.yml"]).assert_code(3);
    push(&env, &repo, &["origin", "main"]).unwrap();
}

#[test]
fn an_allowed_secret_may_go() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.commit("s.env", &format!("t={}\n", github_token(1)), "leak");
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    let command = talk
        .lines()
        .find(|line| line.contains("mem secrets allow"))
        .unwrap();
    let print = command.split_whitespace().nth(4).unwrap().to_owned();
    repo.mem(["secrets", "allow", &print, "--reason", "revoked"])
        .assert_ok();
    push(&env, &repo, &["origin", "main"]).unwrap();
}

#[test]
fn what_the_remote_has_is_never_looked_at_again() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.commit("old.txt", &format!("{}\n", github_token(1)), "old leak");
    push(&env, &repo, &["--no-verify", "origin", "main"]).unwrap();
    repo.commit(
        "old.txt",
        &format!("{}\nmore\n", github_token(1)),
        "another line",
    );
    repo.git(["mv", "old.txt", "new.txt"]);
    repo.git(["commit", "--quiet", "--message", "renamed"]);
    push(&env, &repo, &["origin", "main"]).unwrap();
    repo.git(["checkout", "--quiet", "-b", "other"]);
    push(&env, &repo, &["origin", "other"]).unwrap();
    // Another remote does not have it.
    repo.git(["init", "--quiet", "--bare", "../second.git"]);
    repo.git(["remote", "add", "second", "../second.git"]);
    push(&env, &repo, &["second", "main"]).unwrap_err();
}

#[test]
fn deletions_force_pushes_tags_and_many_references() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.git(["branch", "gone"]);
    push(&env, &repo, &["origin", "gone"]).unwrap();
    push(&env, &repo, &["origin", ":gone"]).unwrap();
    repo.commit("a.txt", "one\n", "one");
    push(&env, &repo, &["origin", "main"]).unwrap();
    repo.git(["commit", "--quiet", "--amend", "--message", "other"]);
    push(&env, &repo, &["--force", "origin", "main"]).unwrap();
    repo.git(["tag", "-a", "bad", "-m", &github_token(1)]);
    assert!(
        push(&env, &repo, &["origin", "bad"])
            .unwrap_err()
            .contains("tag message")
    );
    repo.git(["branch", "clean"]);
    push(&env, &repo, &["--all", "origin"]).unwrap();
    repo.git(["checkout", "--quiet", "--orphan", "root"]);
    repo.commit("b.txt", &github_token(2), "leak");
    push(&env, &repo, &["--all", "origin"]).unwrap_err();
}

#[test]
fn a_secret_in_the_name_of_an_author_committer_or_tagger_stops_the_push() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let tokens: Vec<String> = (1..4).map(github_token).collect();
    let author = format!("--author=A <{}@example.org>", tokens[0]);
    let committer = format!("user.name={}", tokens[1]);
    let commit = [
        "commit",
        "--quiet",
        "--allow-empty",
        "--message",
        "x",
        &author,
    ];
    repo.git(["-c", &*committer].into_iter().chain(commit));
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    for part in ["commit author:1:", "committer:1:", "--reset-author"] {
        assert!(talk.contains(part), "`{part}` is missing in {talk}");
    }
    assert!(!tokens.iter().any(|token| talk.contains(token)), "{talk}");
    repo.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    let tagger = format!("user.name={}", tokens[2]);
    repo.git(["-c", &*tagger, "tag", "-a", "bad", "-m", "clean"]);
    let talk = push(&env, &repo, &["origin", "bad"]).unwrap_err();
    assert!(talk.contains("tagger:1:"), "{talk}");
    assert!(!talk.contains("--reset-author"), "{talk}");
    push(&env, &repo, &["origin", "main"]).unwrap();
}

#[test]
fn a_merge_is_scanned_for_what_no_parent_has() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.commit("leak.txt", &format!("{}\n", github_token(1)), "old leak");
    push(&env, &repo, &["--no-verify", "origin", "main"]).unwrap();
    repo.git(["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    repo.commit("side.txt", "side\n", "side");
    repo.git(["merge", "--quiet", "--no-edit", "main"]);
    push(&env, &repo, &["origin", "side"]).unwrap();
    repo.git(["checkout", "--quiet", "-b", "evil", "HEAD~1"]);
    repo.git(["merge", "--quiet", "--no-commit", "--no-ff", "main"]);
    repo.commit("evil.txt", &github_token(2), "a merge that brings its own");
    push(&env, &repo, &["origin", "evil"]).unwrap_err();
}

#[test]
fn shallow_and_partial_clones_push() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.commit("big.txt", &format!("{}\n", github_token(1)), "old leak");
    repo.commit("b.txt", "b\n", "b");
    push(&env, &repo, &["--no-verify", "origin", "main"]).unwrap();
    repo.git([
        "-C",
        "../origin.git",
        "config",
        "uploadpack.allowFilter",
        "true",
    ]);
    let url = format!("file://{}", env.work().join("origin.git").display());
    for (name, flags) in [
        ("shallow", ["--depth", "1"]),
        ("partial", ["--filter", "blob:none"]),
    ] {
        let mut clone = vec!["clone", "--quiet"];
        clone.extend(flags);
        clone.extend([url.as_str(), name]);
        let above = Repo::at(&env, env.work());
        above.git(clone);
        let clone = Repo::at(&env, env.work().join(name));
        clone.mem(["hook", "install"]).assert_ok();
        clone.git(["checkout", "--quiet", "-b", name]);
        clone.commit("new.txt", "clean\n", "clean");
        let talk = push(&env, &clone, &["origin", name]).unwrap();
        assert!(!talk.contains("scanned"), "{name}: {talk}");
        clone.commit("bad.txt", &github_token(2), "leak");
        push(&env, &clone, &["origin", name]).unwrap_err();
    }
}

#[test]
fn submodules_and_lfs_pointers_are_no_findings() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let other = env.repo("other");
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
    ];
    let path = other.path().to_string_lossy().into_owned();
    repo.git(add.into_iter().chain([path.as_str(), "sub"]));
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12\n",
        "4d7a".repeat(16)
    );
    repo.commit("model.bin", &pointer, "pointer and submodule");
    push(&env, &repo, &["origin", "main"]).unwrap();
}

#[test]
fn a_scan_that_breaks_lets_git_go_on_unless_strict() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let run = |args: &[&str]| repo.invoke(args).stdin("nonsense\n").run();
    let output = run(&["hook", "pre-push", "origin", "url"]).assert_ok();
    insta::assert_snapshot!(output.stderr, @r"
    error: nothing was scanned: line 1 of what git said is no `<ref> <object> <ref> <object>`
    error: not everything was scanned; the push goes on
    ");
    run(&["hook", "pre-push", "origin", "url", "--strict"]).assert_code(3);
}

#[test]
fn a_hook_answers_in_json_where_a_program_asks() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    repo.commit("bad.txt", &github_token(2), "leak");
    let new = repo.git(["rev-parse", "HEAD"]);
    let line = format!("refs/heads/x {new} refs/heads/x {}\n", "0".repeat(40));
    let hook = repo.invoke(["hook", "pre-push", "--json", "origin", "url"]);
    let output = hook.stdin(line.as_str()).run().assert_code(3);
    assert_eq!(output.json()["findings"][0]["file"], "bad.txt");
    assert!(
        !output.stderr.contains("three ways on"),
        "{}",
        output.stderr
    );
    // A report that cannot be written changes nothing about it.
    let unwritten = |line: &str| {
        let hook = repo.invoke(["hook", "pre-push", "--json", "origin", "url"]);
        let hook = hook.through_shell(r#"exec "$0" "$@" > /dev/full"#);
        hook.stdin(line).run()
    };
    unwritten(&line).assert_code(3);
    unwritten("").assert_ok();
}

#[test]
fn what_was_scanned_in_part_is_scanned_whole_for_another_remote() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let rows = "a row of a large file\n".repeat(20_000);
    let old = format!("{}\n{rows}", github_token(1));
    repo.commit("big.txt", &old, "old leak");
    push(&env, &repo, &["--no-verify", "origin", "main"]).unwrap();
    repo.commit("big.txt", &format!("{old}a clean end\n"), "clean");
    push(&env, &repo, &["origin", "main"]).unwrap();
    repo.git(["init", "--quiet", "--bare", "../second.git"]);
    repo.git(["remote", "add", "second", "../second.git"]);
    repo.git(["checkout", "--quiet", "--orphan", "other"]);
    repo.git(["commit", "--quiet", "--message", "the same file"]);
    push(&env, &repo, &["second", "other"]).unwrap_err();
}

#[test]
fn names_of_files_are_pushed_too() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let token = github_token(3);
    repo.commit(&format!("x/{token}.txt"), "clean\n", "name");
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    assert!(
        !talk.contains(&token) && talk.contains("name of x/ghp_"),
        "{talk}"
    );
    repo.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    let joined = format!("key_{}.txt", github_token(2));
    repo.commit(&joined, "clean\n", "joined");
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    assert!(!talk.contains(&github_token(2)), "{talk}");
    repo.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    let branch = format!("main:refs/heads/try-{}", github_token(3));
    push(&env, &repo, &["origin", &branch]).unwrap_err();
}

#[test]
fn the_pre_commit_framework_says_in_variables_what_is_pushed() {
    let env = TestEnv::new();
    let repo = pushed(&env);
    let from = repo.git(["rev-parse", "HEAD"]);
    repo.commit("s.env", &format!("t={}\n", github_token(1)), "leak");
    let to = repo.git(["rev-parse", "HEAD"]);
    let run = |from: &str, to: &str| {
        let hook = repo.invoke(["hook", "pre-push"]);
        let hook = hook
            .env("PRE_COMMIT_FROM_REF", from)
            .env("PRE_COMMIT_TO_REF", to);
        hook.env("PRE_COMMIT_REMOTE_NAME", "origin").run()
    };
    run(&from, &to).assert_code(3);
    run(&to, &to).assert_ok();
}

#[test]
fn a_repository_of_sha256_is_scanned_like_any_other() {
    let env = TestEnv::new();
    let path = env.work().join("wide");
    std::fs::create_dir(&path).unwrap();
    let repo = Repo::at(&env, path);
    let init = ["init", "--quiet", "--object-format=sha256"];
    repo.git(init);
    repo.git([
        "init",
        "--quiet",
        "--object-format=sha256",
        "--bare",
        "../wide.git",
    ]);
    repo.git(["remote", "add", "origin", "../wide.git"]);
    repo.mem(["hook", "install"]).assert_ok();
    repo.commit("a.txt", "clean\n", "clean");
    push(&env, &repo, &["origin", "HEAD:main"]).unwrap();
    repo.commit("s.env", &format!("a=1\nt={}\n", github_token(1)), "leak");
    let talk = push(&env, &repo, &["origin", "HEAD:main"]).unwrap_err();
    assert!(talk.contains("s.env:2:3"), "{talk}");
    let json = repo
        .mem(["scan", "--history", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["findings"][0]["line"], 2);
    repo.mem(["scan", "--range", "HEAD~1..HEAD"]).assert_code(3);
    repo.mem(["scan", "--range", "--output=x"]).assert_code(2);
    repo.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    repo.git(["tag", "--annotate", "v1", "--message", &github_token(2)]);
    push(&env, &repo, &["origin", "v1"]).unwrap_err();
    push(&env, &repo, &["origin", "HEAD:other"]).unwrap();
    push(&env, &repo, &["origin", ":other"]).unwrap();
}
