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
fn a_memory_is_guarded_wherever_the_session_stands() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let other = env.repo("other");
    let memory = repo.memory();
    let text = format!("key {}", github_token(1));
    let secret = write(&memory.join("team/new.md"), &text);
    for folder in [other.path(), &memory, env.root()] {
        let mut host = Host::new(&env, &repo, "s-1");
        host.cwd = folder.to_owned();
        let reason = denied(&host, &secret);
        assert!(reason.contains("holds a secret"), "{reason}");
        let elsewhere = write(&env.base().join("projects/x/new.md"), &text);
        assert_eq!(host.fire("pre-tool-use", &elsewhere), None);
    }
    // The settings are those of the session's own project, where the host names it.
    repo.mem(["config", "set", "--repo", "memory.write", "read-only"])
        .assert_ok();
    let mut host = Host::new(&env, &repo, "s-1");
    host.cwd = other.path().to_owned();
    let variables = [("CLAUDE_PROJECT_DIR", repo.path().to_str().unwrap())];
    let fine = write(&memory.join("feedback_x.md"), "fine");
    let answer = host.fire_with("pre-tool-use", &fine, &variables).unwrap();
    let answer = answer["hookSpecificOutput"]["permissionDecisionReason"].to_string();
    assert!(answer.contains("read-only"), "{answer}");
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
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let text = "---\nname: Calm\ndescription: Stay calm\ntype: feedback\n---\nA harmless note.\n";
    let change = write(&path, text);
    let reason = denied(&host, &change);
    assert!(
        reason.contains("put aside for a person to decide on"),
        "{reason}"
    );
    assert_eq!(
        denied(&host, &change),
        reason,
        "the same write again waits once"
    );
    assert!(!path.exists());
    let waiting = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    let entry = &waiting["entries"][0];
    assert_eq!(waiting["entries"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&entry["session"], &entry["host"]),
        (&json!("s-1"), &json!("claude-code"))
    );
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert!(repo.mem(["index", "show"]).stdout.contains("[Calm](a.md)"));
    assert_eq!(
        host.fire("pre-tool-use", &change),
        None,
        "it changes nothing"
    );
}

#[test]
fn an_edit_that_a_person_is_to_see_must_be_one_that_can_be_told() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let path = repo.memory().join("team/reference_x.md");
    let edit = |old: &str| {
        let input = json!({"file_path": path, "old_string": old, "new_string": "THERE"});
        denied(&host, &json!({"tool_name": "Edit", "tool_input": input}))
    };
    for unclear in ["not there", "e"] {
        assert!(
            edit(unclear).contains("cannot be told beforehand"),
            "{unclear}"
        );
    }
    let secret = denied(&host, &write(&path, &github_token(4)));
    assert!(secret.contains("holds a secret"), "{secret}");
    let waiting = || {
        let list = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
        list["entries"].as_array().unwrap().len()
    };
    assert_eq!(waiting(), 0);
    assert!(
        edit("HERE").contains("put aside for a person"),
        "{}",
        edit("HERE")
    );
    assert_eq!(waiting(), 1);
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    let note = repo.note("team/reference_x.md").unwrap();
    assert!(note.ends_with("the key: THERE\n"), "{note}");
}

#[test]
fn nothing_is_written_to_memory_while_the_settings_are_broken() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let paths = [
        repo.memory().join("team/x.md"),
        env.base().join("memory/x.md"),
    ];
    let broken = env.home().join(".config/mem/config.toml");
    put(&broken, "memory.write = [\n");
    for path in &paths {
        let reason = denied(&host, &write(path, "harmless"));
        assert!(reason.contains("settings cannot be read"), "{reason}");
    }
    let code = repo.path().join("a.rs");
    assert_eq!(host.fire("pre-tool-use", &write(&code, "x")), None);
    // A patch is run whole or not at all.
    let patch = |files: &[&Path]| {
        let file = |path: &&Path| format!("*** Add File: {}\n+x\n", path.display());
        let files: String = files.iter().map(file).collect();
        let command = format!("*** Begin Patch\n{files}*** End Patch");
        json!({"tool_name": "apply_patch", "tool_input": {"command": command}})
    };
    for files in [[&*code, &*paths[0]], [&*paths[0], &*code]] {
        let reason = denied(&host, &patch(&files));
        assert!(reason.contains("settings cannot be read"), "{reason}");
    }
    assert_eq!(host.fire("pre-tool-use", &patch(&[&code])), None);
}

#[test]
fn what_an_agent_wrote_with_a_tool_is_its_change_and_can_be_taken_back() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let path = repo.memory().join("a.md");
    repo.mem(["status"]).assert_ok();
    put(
        &path,
        "---\nname: A\ndescription: d\ntype: feedback\n---\nText.\n",
    );
    host.fire("post-tool-use", &write(&path, "Text."));
    let shown = repo.mem(["show", "a.md", "--json"]).assert_ok().json();
    let made = &shown["provenance"]["created"];
    assert_eq!(
        (&made["actor"], &made["session"]),
        (&json!("agent"), &json!("s-1"))
    );
    assert_eq!(
        (&made["host"], &made["verb"]),
        (&json!("claude-code"), &json!("write"))
    );
    let status = repo.mem(["status"]).assert_ok().stdout;
    assert!(status.contains("agents wrote a.md"), "{status}");
    repo.mem(["undo"]).assert_ok();
    assert!(!path.exists());
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
fn an_index_entry_that_is_missing_is_told_once_the_turn_has_ended() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let wrote = |name: &str| {
        let path = repo.memory().join(format!("project_{name}.md"));
        let text = format!(
            "---\nname: {name}\ndescription: About {name}\ntype: project\n---\n\nThe {name} is so.\n"
        );
        put(&path, &text);
        assert_eq!(
            host.told("post-tool-use", &write(&path, &text)),
            "",
            "the entry may follow"
        );
    };
    wrote("first");
    wrote("second");
    put(
        &repo.memory().join("MEMORY.md"),
        "- [first](project_first.md) — About first\n",
    );
    let told = host.told("stop", &json!({"stop_hook_active": false}));
    insta::assert_snapshot!(told, @r"
    mem checked what was written in this turn:
    - private memory: project_second.md: MEMORY.md does not point to it
    ");
    assert_eq!(
        host.told("stop", &json!({"stop_hook_active": true})),
        "",
        "said once"
    );
    // Where the host does not go on after a turn, there is no later.
    let mut qwen: std::process::Command = env.command(mem_tests::binary::path());
    qwen.args(["hook", "qwen", "post-tool-use"])
        .current_dir(repo.path());
    let path = repo.memory().join("project_second.md");
    let event = host.event(
        "PostToolUse",
        &json!({"tool_name": "write_file", "tool_input": {"file_path": path}}),
    );
    let told = super::context(super::answer(qwen, event.as_bytes()));
    assert!(told.contains("does not point to it"), "{told}");
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

#[test]
fn a_store_that_another_process_keeps_locked_holds_no_tool_up() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    repo.mem([
        "save",
        "--type",
        "project",
        "--name",
        "Deploys",
        "--description",
        "d",
    ])
    .assert_ok();
    let status = repo.mem(["status", "--json"]).assert_ok();
    let status: Value = serde_json::from_slice(&status.stdout_bytes).unwrap();
    let history = Path::new(status["history_dir"].as_str().unwrap());
    let lock = std::fs::File::open(history.with_file_name("lock")).unwrap();
    lock.lock().unwrap();
    let note = repo.memory().join("project_new.md");
    put(&note, "no frontmatter\n");
    let told = host.told("post-tool-use", &write(&note, ""));
    assert!(told.contains("project_new.md"), "{told}");
    let log = super::log(&env);
    assert!(log.contains("has held the lock of"), "{log}");
    assert!(log.trim_end().ends_with("for 2 s"), "{log}");
}
