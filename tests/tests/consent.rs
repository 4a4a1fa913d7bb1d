//! `memory.write`: what agents may write at all, and what is for a person.

use insta::assert_snapshot;
use mem_tests::{TestEnv, words};

use crate::inbox::{as_agent, confirming, directory, ids, save};

#[test]
fn people_write_at_once_whatever_agents_may() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let args = words("save --type user --name Me --description d --body b");
    repo.mem(args).assert_ok();
    assert!(ids(&repo).is_empty());
}

#[test]
fn read_only_refuses_every_way_of_writing_and_leaves_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "s", "Kept", "x").assert_ok();
    repo.mem(["config", "set", "memory.write", "read-only"])
        .assert_ok();
    let before = env.files_under(&directory(&repo));
    for args in [
        &["remove", "Kept"][..],
        &["rename", "Kept", "Other"],
        &["log", "something happened"],
        &["undo"],
    ] {
        let refused = as_agent(&repo, "s", args.iter().copied()).assert_code(1);
        assert!(
            refused.stderr.contains("read-only for agents"),
            "{args:?}: {}",
            refused.stderr
        );
    }
    save(&repo, "s", "Another", "x").assert_code(1);
    assert_eq!(env.files_under(&directory(&repo)), before);
    assert!(ids(&repo).is_empty());
}

#[test]
fn agents_do_not_decide_and_unknown_ids_are_told() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "x").assert_code(1);
    for verb in ["accept", "reject"] {
        let refused = as_agent(&repo, "s", ["inbox", verb, "--all"]).assert_code(1);
        assert!(refused.stderr.contains("for a person to decide on"));
    }
    assert_eq!(ids(&repo).len(), 1);
    assert_snapshot!(repo.mem(["inbox", "accept", "zzzz"]).assert_code(1).shown(), @r"
    exit 1
    --- stdout
    --- stderr
    error: there is no entry `zzzz` in the inbox
    hint: `mem inbox` lists what waits, `mem inbox list --rejected` what was rejected
    ");
}

#[test]
fn a_secret_for_the_team_does_not_even_wait_and_redaction_reaches_the_inbox() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let secret = mem_tests::github_token(7);
    let line =
        format!("save --type reference --scope team --name Key --description d --body {secret}");
    let refused = as_agent(&repo, "s", words(&line)).assert_code(3);
    assert!(
        refused.stderr.contains("holds a secret"),
        "{}",
        refused.stderr
    );
    assert!(ids(&repo).is_empty());
    save(&repo, "s", "Plain", "the word xyzzy stands here").assert_code(1);
    repo.mem(words(
        "save --type user --name Me --description d --body xyzzy",
    ))
    .assert_ok();
    repo.mem(["redact", "--text", "xyzzy", "--yes"]).assert_ok();
    for (file, bytes) in env.files_under(&env.home()) {
        assert!(!bytes.windows(5).any(|window| window == b"xyzzy"), "{file}");
    }
}

#[test]
fn status_tells_once_what_agents_wrote() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "s", "Rule", "x").assert_ok();
    env.advance(60);
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(told.contains("agents wrote feedback_rule.md"), "{told}");
    env.advance(60);
    assert!(!repo.mem(["status"]).assert_ok().stdout.contains("agents"));
    save(&repo, "s", "Second", "x").assert_ok();
    as_agent(&repo, "s", ["remove", "Rule"]).assert_ok();
    // Scripts and agents that look are nobody who has looked.
    let json = repo.mem(["status", "--json"]).assert_ok().json();
    assert_eq!(json["agents"]["changes"], 2);
    as_agent(&repo, "s", ["status"]).assert_ok();
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(
        told.contains("agents wrote feedback_second.md and removed feedback_rule.md since you"),
        "{told}"
    );
}

#[test]
fn every_way_in_which_an_agent_writes_is_held() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for name in ["One", "Two"] {
        let args = ["save", "--type", "feedback", "--name", name];
        let more = ["--description", name, "--body", "Kept as it is."];
        repo.mem(args.into_iter().chain(more)).assert_ok();
    }
    let edit = ["save", "--update", "--type", "feedback", "--name", "One"];
    let more = ["--description", "One", "--body", "Newer."];
    repo.mem(edit.into_iter().chain(more)).assert_ok();
    let folder = directory(&repo);
    let outside = env.base().join("elsewhere");
    std::fs::create_dir(&outside).unwrap();
    let text = "---\nname: N\ndescription: d\ntype: feedback\n---\nB.\n";
    std::fs::write(outside.join("feedback_n.md"), text).unwrap();
    std::fs::write(
        folder.join("feedback_unlisted.md"),
        text.replace("B.", "C."),
    )
    .unwrap();
    let outside = outside.to_str().unwrap();
    let ways: [&[&str]; 13] = [
        &["remove", "feedback_one.md"],
        &["rename", "feedback_one.md", "Uno"],
        &["undo"],
        &["restore", "feedback_one.md"],
        &["log", "did this"],
        &["import", outside],
        &["index", "repair"],
        &["check", "--fix"],
        &["redact", "feedback_one.md", "--yes"],
        &["redact", "--text", "Kept as", "--yes"],
        &["purge", "--repo", "--yes"],
        &["config", "set", "memory.write", "auto"],
        &["config", "unset", "memory.write"],
    ];
    let files = || {
        let files = std::fs::read_dir(&folder).unwrap();
        let mut files: Vec<_> = files
            .map(|file| file.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| (std::fs::read_to_string(&path).unwrap(), path))
            .collect();
        files.sort();
        files
    };
    let before = files();
    for mode in ["read-only", "confirm"] {
        repo.mem(["config", "set", "memory.write", mode])
            .assert_ok();
        for way in ways {
            let refused = as_agent(&repo, "s1", way.iter().copied());
            assert_eq!(refused.code, 1, "{mode} {way:?}: {}", refused.stderr);
            assert!(refused.stderr.contains("hint: "), "{}", refused.stderr);
            assert_eq!(files(), before, "{mode} {way:?}");
        }
        assert_eq!(
            repo.mem(["config", "get", "memory.write"])
                .stdout
                .lines()
                .next(),
            Some(mode)
        );
    }
    assert!(ids(&repo).len() >= 5);
    repo.mem(["config", "set", "memory.write", "auto"])
        .assert_ok();
    as_agent(&repo, "s1", ["import", outside]).assert_ok();
    let history = repo.mem(["history", "feedback_n.md"]).assert_ok().stdout;
    assert!(history.contains("agent"), "{history}");
}

#[test]
fn no_variable_of_a_repository_makes_a_person_of_an_agent() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let set = || {
        let run = repo.invoke(["config", "set", "memory.write", "auto"]);
        run.env("MEM_ACTOR", "person")
    };
    for of_host in ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"] {
        let refused = set().env(of_host, "1").run().assert_code(1);
        assert!(refused.stderr.contains("hint: "), "{}", refused.stderr);
    }
    set().run().assert_ok();
}
