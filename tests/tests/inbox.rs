//! `memory.write` and `mem inbox`: agents write as far as a person lets them.

use std::path::PathBuf;

use insta::assert_snapshot;
use mem_tests::{Output, Repo, TestEnv};

/// Saves as an agent of the session would.
fn save(repo: &Repo<'_>, session: &str, name: &str, body: &str) -> Output {
    let args = ["save", "--type", "feedback", "--update", "--name", name];
    let more = ["--description", "how to work", "--body", body];
    as_agent(repo, session, args.into_iter().chain(more))
}

fn as_agent<'a>(repo: &Repo<'_>, session: &str, args: impl IntoIterator<Item = &'a str>) -> Output {
    let run = repo.invoke(args).env("MEM_ACTOR", "agent");
    run.env("MEM_SESSION", session).run()
}

fn confirming<'e>(env: &'e TestEnv) -> Repo<'e> {
    let repo = env.repo("app");
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    repo
}

fn directory(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).line().into()
}

fn ids(repo: &Repo<'_>) -> Vec<String> {
    let json = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    let entries = json["entries"].as_array().unwrap();
    let id = |entry: &serde_json::Value| entry["id"].as_str().unwrap().to_owned();
    entries.iter().map(id).collect()
}

#[test]
fn a_write_of_an_agent_waits_until_a_person_accepts_it() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let refused = save(&repo, "s1", "No mocks", "Use a real database.").assert_code(1);
    assert!(
        refused
            .stderr
            .contains("put aside for a person to decide on")
    );
    assert!(!directory(&repo).join("feedback_no_mocks.md").exists());
    let listed = repo.mem(["inbox"]).assert_ok().stdout;
    assert!(listed.contains("+Use a real database."), "{listed}");
    assert!(listed.contains("feedback_no_mocks.md") && listed.contains("agent"));
    let status = repo.mem(["status"]).assert_ok().stdout;
    assert!(status.contains("waiting: 1 write of agents"), "{status}");

    repo.mem(["inbox", "accept", &ids(&repo)[0]]).assert_ok();
    let shown = repo.mem(["show", "No mocks", "--json"]).assert_ok().json();
    let made = &shown["provenance"]["created"];
    assert_eq!(
        (made["actor"].as_str(), made["session"].as_str()),
        (Some("agent"), Some("s1"))
    );
    assert!(made["reason"].as_str().unwrap().contains("accepted by"));
    let index = repo.mem(["index", "show"]).stdout;
    assert!(index.contains("(feedback_no_mocks.md)"));
    assert!(ids(&repo).is_empty());
    repo.mem(["undo"]).assert_ok();
    repo.mem(["show", "No mocks"]).assert_code(1);
}

#[test]
fn people_write_at_once_whatever_agents_may() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let args = [
        "save",
        "--type",
        "user",
        "--name",
        "Me",
        "--description",
        "d",
        "--body",
        "b",
    ];
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
fn removals_renames_and_logs_wait_too_and_are_carried_out() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for name in ["One", "Two"] {
        save(&repo, "s", name, "text\n").assert_ok();
    }
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    as_agent(&repo, "s", ["remove", "One"]).assert_code(1);
    as_agent(&repo, "s", ["rename", "Two", "Three"]).assert_code(1);
    as_agent(&repo, "s", ["log", "deployed"]).assert_code(1);
    let id_before = repo.mem(["show", "Two", "--json"]).json()["id"].clone();
    assert_eq!(ids(&repo).len(), 3);
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    repo.mem(["show", "One"]).assert_code(1);
    let renamed = repo.mem(["show", "Three", "--json"]).assert_ok().json();
    assert_eq!(renamed["id"], id_before, "a renamed note is the same note");
    let index = repo.mem(["index", "show"]).stdout;
    assert!(!index.contains("One") && !index.contains("Two") && index.contains("Three"));
    assert!(repo.mem(["log", "show"]).stdout.contains("deployed"));
}

#[test]
fn what_was_edited_since_is_merged_or_told_and_never_lost() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "s", "Rule", "one\n\ntwo\n\nthree\n").assert_ok();
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    save(&repo, "a", "Rule", "ONE\n\ntwo\n\nthree\n").assert_code(1);
    env.advance(1);
    save(&repo, "b", "Rule", "one\n\ntwo\n\nTHREE\n").assert_code(1);
    env.advance(1);
    save(&repo, "c", "Rule", "first\n\ntwo\n\nthree\n").assert_code(1);
    let [a, b, c] = &ids(&repo)[..] else {
        panic!("three wait")
    };
    repo.mem(["inbox", "accept", a, b]).assert_ok();
    let text = repo.mem(["show", "Rule", "--raw"]).stdout;
    assert!(text.ends_with("ONE\n\ntwo\n\nTHREE\n"), "{text}");
    let conflict = repo.mem(["inbox", "accept", c]).assert_code(4);
    assert!(conflict.stdout.contains("+first") && conflict.stdout.contains("-ONE"));
    assert_eq!(ids(&repo), std::slice::from_ref(c));
    assert_eq!(repo.mem(["show", "Rule", "--raw"]).stdout, text);
}

#[test]
fn a_person_edits_what_is_written() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "Always.").assert_code(1);
    let id = &ids(&repo)[0];
    let edit = repo.invoke(["inbox", "edit", id]);
    let edited = edit.env("EDITOR", "sed -i s/Always/Mostly/").run();
    edited.assert_ok();
    let text = repo.mem(["show", "Rule", "--raw"]).assert_ok().stdout;
    assert!(text.contains("Mostly.") && !text.contains("Always."));
    assert!(ids(&repo).is_empty());
    // An emptied text is no decision.
    save(&repo, "s", "Other", "x").assert_code(1);
    let id = &ids(&repo)[0];
    let emptied = repo
        .invoke(["inbox", "edit", id])
        .env("EDITOR", "truncate -s 0")
        .run();
    assert!(emptied.assert_ok().stderr.contains("the entry stays"));
    assert_eq!(ids(&repo).len(), 1);
}

#[test]
fn what_is_rejected_is_kept_for_a_while_and_can_still_be_accepted() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "Always.").assert_code(1);
    let id = ids(&repo).remove(0);
    let short = id.trim_start_matches("inb_")[..6].to_owned();
    repo.mem(["inbox", "reject", &short]).assert_ok();
    assert!(ids(&repo).is_empty());
    let kept = repo.mem(["inbox", "list", "--rejected"]).assert_ok().stdout;
    assert!(kept.contains("+Always."));
    repo.mem(["inbox", "accept", &id]).assert_ok();
    repo.mem(["show", "Rule"]).assert_ok();
}

#[test]
fn the_same_write_again_waits_once_and_a_newer_one_of_the_session_replaces_it() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    for body in ["first", "first", "second"] {
        save(&repo, "s", "Rule", body).assert_code(1);
        env.advance(60);
    }
    save(&repo, "another", "Rule", "third").assert_code(1);
    let listed = repo.mem(["inbox"]).assert_ok().stdout;
    assert_eq!(ids(&repo).len(), 2, "{listed}");
    assert!(!listed.contains("+first") && listed.contains("+second") && listed.contains("+third"));
    let kept = repo.mem(["inbox", "list", "--rejected"]).stdout;
    assert!(kept.contains("+first"), "{kept}");
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
    hint: `mem inbox` lists what waits, `mem inbox list --rejected` what was turned down
    ");
}

#[test]
fn a_damaged_entry_is_told_and_the_others_still_count() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "s", "Rule", "x").assert_code(1);
    let id = ids(&repo).remove(0);
    let state = env.files_under(&env.home());
    let file = state
        .iter()
        .find(|(file, _)| file.ends_with(&format!("inbox/{id}.json")));
    let (file, _) = file.expect("the entry is a file of the state");
    let copy = file.replace(&id, "inb_000000000000000000000000");
    std::fs::write(env.home().join(copy), "{\"half\": ").unwrap();
    let listed = repo.mem(["inbox"]).assert_ok();
    assert!(listed.stdout.contains("Rule") || listed.stdout.contains("feedback_rule.md"));
    assert!(listed.stderr.contains("is no entry of the inbox"));
}

#[test]
fn a_secret_for_the_team_does_not_even_wait_and_redaction_reaches_the_inbox() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let secret = mem_tests::github_token(7);
    let args = [
        "save",
        "--type",
        "reference",
        "--scope",
        "team",
        "--name",
        "Key",
    ];
    let more = ["--description", "d", "--body", &secret];
    let refused = as_agent(&repo, "s", args.into_iter().chain(more)).assert_code(1);
    assert!(
        refused.stderr.contains("holds a secret"),
        "{}",
        refused.stderr
    );
    assert!(ids(&repo).is_empty());
    save(&repo, "s", "Plain", "the word xyzzy stands here").assert_code(1);
    repo.mem([
        "save",
        "--type",
        "user",
        "--name",
        "Me",
        "--description",
        "d",
        "--body",
        "xyzzy",
    ])
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
fn one_conflict_does_not_keep_the_others_waiting() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    for name in ["One", "Two"] {
        let args = ["save", "--type", "feedback", "--name", name];
        let more = ["--description", name, "--body", "First."];
        repo.mem(args.into_iter().chain(more)).assert_ok();
        save(&repo, "s1", name, "The agent's.").assert_code(1);
    }
    save(&repo, "s1", "Three", "The agent's.").assert_code(1);
    for name in ["one", "two"] {
        let path = directory(&repo).join(format!("feedback_{name}.md"));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("First.", "The person's.")).unwrap();
    }
    let output = repo.mem(["inbox", "accept", "--all"]).assert_code(4);
    assert!(
        output
            .stderr
            .contains("warning: `feedback_two.md` was changed")
    );
    assert!(
        output
            .stderr
            .contains("error: `feedback_one.md` was changed")
    );
    assert!(directory(&repo).join("feedback_three.md").exists());
    assert_eq!(ids(&repo).len(), 2);
}
