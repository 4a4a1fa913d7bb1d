//! `pre-tool-use` and `post-tool-use`.

use std::path::Path;

use mem_tests::{Repo, TestEnv, github_token};
use serde_json::{Value, json};

use super::{Host, put};

fn write(path: &Path, content: &str) -> Value {
    json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": content}})
}

/// Why a tool is refused; empty where it is not.
#[track_caller]
fn denied(host: &Host<'_>, more: &Value) -> String {
    let answer = host.fire("pre-tool-use", more).unwrap_or_default();
    let specific = &answer["hookSpecificOutput"];
    if specific["permissionDecision"].is_null() {
        return String::new();
    }
    assert_eq!(specific["hookEventName"], "PreToolUse");
    assert_eq!(specific["permissionDecision"], "deny");
    specific["permissionDecisionReason"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A repository whose memory has both tiers.
fn repo(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    put(
        &repo.memory().join("team/reference_x.md"),
        "Old text, a place for the key: HERE\n",
    );
    repo
}

#[test]
fn no_tool_puts_a_secret_into_the_teams_memory() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let token = github_token(1);
    let team = repo.memory().join("team/reference_x.md");
    let (half, rest) = token.split_at(12);
    let edit = |old: &str, new: &str| json!({"old_string": old, "new_string": new});
    let with_path = |mut input: Value| {
        input["file_path"] = json!(team);
        input
    };
    for (tool, input) in [
        (
            "Write",
            with_path(json!({"content": format!("key {token}")})),
        ),
        ("Edit", with_path(edit("HERE", &token))),
        ("Edit", with_path(edit("not there", &token))),
        (
            "MultiEdit",
            with_path(json!({"edits": [edit("HERE", half),
            edit(half, &format!("{half}{rest}"))]})),
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": repo.memory().join("team/n.ipynb"),
            "new_source": format!("key = '{token}'")}),
        ),
    ] {
        let reason = denied(&host, &json!({"tool_name": tool, "tool_input": input}));
        assert!(
            reason.contains("holds a secret, github-pat"),
            "{tool} {input}: {reason}"
        );
        assert!(!reason.contains(&token), "{reason}");
    }
    let fine = json!({"tool_name": "Edit", "tool_input": with_path(edit("HERE", "in the vault"))});
    assert_eq!(host.fire("pre-tool-use", &fine), None);
    let reading = json!({"tool_name": "Read", "tool_input": {"file_path": team, "content": token}});
    assert_eq!(host.fire("pre-tool-use", &reading), None);
}

#[cfg(unix)]
#[test]
fn every_way_to_the_teams_memory_is_known_and_no_other() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let text = format!("key {}", github_token(1));
    let memory = repo.memory();
    std::os::unix::fs::symlink(&memory, env.root().join("link")).unwrap();
    std::os::unix::fs::symlink(memory.join("team/reference_x.md"), repo.path().join("note"))
        .unwrap();
    let worktree = repo.worktree("branch");
    for host in [
        Host::new(&env, &repo, "s-1"),
        Host::new(&env, &worktree, "s-2"),
    ] {
        for path in [
            env.root().join("link/team/new.md"),
            memory.join("sub/../team/new.md"),
            memory.join("team/deep/er/new.md"),
            repo.path().join("note"),
        ] {
            let reason = denied(&host, &write(&path, &text));
            assert!(
                reason.contains("holds a secret"),
                "{}: {reason}",
                path.display()
            );
        }
        for path in [
            repo.path().join("team/new.md"),
            memory.join("team/../../new.md"),
            env.root().join("elsewhere.md"),
        ] {
            assert_eq!(
                host.fire("pre-tool-use", &write(&path, &text)),
                None,
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn a_secret_in_ones_own_memory_is_a_warning_for_the_model() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let token = github_token(2);
    for path in [repo.memory().join("a.md"), env.base().join("memory/a.md")] {
        let answer = host
            .fire("pre-tool-use", &write(&path, &format!("key {token}")))
            .unwrap();
        assert!(
            answer["hookSpecificOutput"]["permissionDecision"].is_null(),
            "{answer}"
        );
        let text = super::context(Some(answer));
        assert!(
            text.contains("looks like a secret") && !text.contains(&token),
            "{text}"
        );
    }
}

#[test]
fn agents_write_only_with_consent() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let path = repo.memory().join("a.md");
    let change = write(&path, "A harmless note.\n");
    assert_eq!(host.fire("pre-tool-use", &change), None);
    repo.mem(["config", "set", "memory.write", "read-only"])
        .assert_ok();
    assert!(denied(&host, &change).contains("`a.md` stays as it is"));
    assert_eq!(
        host.fire("pre-tool-use", &write(&repo.path().join("a.rs"), "x")),
        None
    );
    assert!(!path.exists());
}

#[test]
fn what_is_to_be_confirmed_waits_for_a_person() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let path = repo.memory().join("project_a.md");
    let note = "---\nname: A\ndescription: A thing\ntype: project\n---\n\nIt is so.\n";
    let reason = denied(&host, &write(&path, note));
    assert!(reason.contains("put aside for a person"), "{reason}");
    assert!(!path.exists(), "the hook itself writes nothing");
    let waiting = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    let entries = waiting["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 1, "{waiting}");
    assert_eq!(entries[0]["session"], "s-1", "{waiting}");
    assert_eq!(entries[0]["actor"], "agent", "{waiting}");
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    assert_eq!(repo.note("project_a.md").as_deref(), Some(note));
    // What changes nothing needs nobody's consent.
    assert_eq!(host.fire("pre-tool-use", &write(&path, note)), None);
    let edit = |old: &str| {
        let input = json!({"file_path": path, "old_string": old, "new_string": "It was so."});
        denied(&host, &json!({"tool_name": "Edit", "tool_input": input}))
    };
    assert!(edit("It is so.").contains("put aside for a person"));
    assert!(edit("not there").contains("cannot be told beforehand"));
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    assert!(
        repo.note("project_a.md")
            .unwrap()
            .ends_with("\nIt was so.\n")
    );
    let token = github_token(4);
    let secret = denied(&host, &write(&repo.memory().join("team/b.md"), &token));
    assert!(secret.contains("holds a secret"), "{secret}");
    let left = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    assert_eq!(left["entries"], json!([]), "{left}");
}

#[test]
fn what_is_wrong_with_a_memory_that_was_written_is_told() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let path = repo.memory().join("project_new.md");
    let told = |content: &str| {
        put(&path, content);
        host.told("post-tool-use", &write(&path, content))
    };
    let bare = told("No fields at all.\n");
    insta::assert_snapshot!(bare, @r"
    mem checked what was written to the private memory:
    - project_new.md: MEMORY.md does not point to it
    - project_new.md: it has no type
    - project_new.md: it has no description, which is all that a selector sees
    ");
    let good = "---\nname: New\ndescription: A thing to know\ntype: project\n---\n\nIt is so.\n";
    put(
        &repo.memory().join("MEMORY.md"),
        "- [New](project_new.md) — A thing to know\n",
    );
    assert_eq!(told(good), "", "quiet when fine");
    let broken =
        "---\nname: \"New\" thing: x\ndescription: A thing to know\ntype: project\n---\n\nIt.\n";
    assert!(told(broken).contains("project_new.md:"), "{}", told(broken));
    told(good);
    let other = json!({"tool_name": "Edit", "tool_input": {"file_path": repo.path().join("x.rs")}});
    assert_eq!(host.fire("post-tool-use", &other), None);
}

#[test]
fn an_index_that_grows_too_large_or_points_nowhere_is_told() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let index = repo.memory().join("MEMORY.md");
    let told = |content: &str| {
        put(&index, content);
        host.told("post-tool-use", &write(&index, content))
    };
    let dangling = told("- [Gone](project_gone.md) — it was here\n");
    assert!(
        dangling.contains("MEMORY.md:1: `project_gone.md` is not there"),
        "{dangling}"
    );
    let long = "Some prose.\n".repeat(230);
    assert!(
        told(&long).contains("the end is not loaded"),
        "{}",
        told(&long)
    );
    let note = repo.memory().join("project_new.md");
    put(
        &note,
        "---\nname: New\ndescription: d e\ntype: project\n---\n\nIt is so.\n",
    );
    let text = host.told("post-tool-use", &write(&note, ""));
    assert!(
        text.contains("the end is not loaded"),
        "each memory makes it grow: {text}"
    );
}
