//! Whatever a hook is given, it ends with 0, quickly, and says nothing that it does not know.

use std::fs;
use std::process::Command;

use mem_tests::{TestEnv, github_token};
use serde_json::json;

use super::{Host, answer, log, processes, put, until_quiet};
use crate::recall::three_notes;

const EVENTS: [&str; 7] = [
    "session-start",
    "user-prompt-submit",
    "pre-tool-use",
    "post-tool-use",
    "pre-compact",
    "stop",
    "session-end",
];

fn hook(env: &TestEnv, words: &[&str]) -> Command {
    let mut command = env.command(mem_tests::binary::path());
    command.args(["hook", "claude"]).args(words);
    command
}

#[test]
fn what_is_no_event_brings_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let deep = [b"{\"prompt\":".as_slice(), &b"[".repeat(200_000)].concat();
    for event in EVENTS {
        for input in [
            &b""[..],
            b"not json",
            b"[]",
            b"null",
            b"{\"prompt\":\"x\"",
            b"\xff\xfe\x00",
            b"{\"session_id\":[],\"cwd\":7,\"prompt\":{},\"tool_input\":\"x\",\"tool_name\":{}}",
            b"{\"cwd\":\"/no/such/folder\",\"prompt\":\"x\"}",
            &deep,
        ] {
            let mut hook = hook(&env, &[event]);
            hook.current_dir(repo.path());
            assert_eq!(answer(hook, input), None, "{event}");
        }
    }
    assert!(
        log(&env).contains("the event is no JSON object"),
        "{}",
        log(&env)
    );
    until_quiet(&env);
}

#[test]
fn unknown_events_and_flags_are_passed_over() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    for words in [
        &["no-such-event", "--nonsense"][..],
        &["--nonsense"],
        &["--nonsense", "stop", "-x"],
        &["stop", "--help"],
        &["", ""],
        &[],
        &["-C", "/no/such/folder", "stop"],
        &["--color", "purple", "stop"],
    ] {
        assert_eq!(answer(hook(&env, words), b"{}"), None, "{words:?}");
    }
    for globals in [
        &["-C", "/no/such/folder"][..],
        &["--color", "purple"],
        &["--no-such"],
    ] {
        let mut hook = env.command(mem_tests::binary::path());
        hook.args(globals).args(["hook", "claude", "stop"]);
        assert_eq!(answer(hook, b"{}"), None, "{globals:?}");
    }
    // A flag of a later version does not keep the event from being answered.
    let host = Host::new(&env, &repo, "s-1");
    let mut hook = host.hook("user-prompt-submit");
    hook.args(["--of-a-later-version", "--json"]);
    let prompt = json!({"prompt": "may I mock the database in the integration tests?"});
    let event = host.event("UserPromptSubmit", &prompt);
    assert_ne!(answer(hook, event.as_bytes()), None);
}

#[test]
fn a_world_that_is_not_fit_brings_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let fields = json!({"prompt": "may I mock the database in the integration tests?"});
    for event in EVENTS {
        let input = host.event(event, &fields);
        for (variable, value) in [
            ("HOME", None),
            ("HOME", Some("relative")),
            ("MEM_NOW", Some("x")),
            ("MEM_DIR", Some("relative")),
            ("MEM_MEMORY_MODE", Some("x")),
        ] {
            let mut hook = host.hook(event);
            match value {
                Some(value) => hook.env(variable, value),
                None => hook.env_remove(variable),
            };
            assert_eq!(answer(hook, input.as_bytes()), None, "{event} {variable}");
        }
        let mut gone = host.hook(event);
        let folder = env.root().join("gone");
        fs::create_dir_all(&folder).unwrap();
        gone.current_dir(&folder);
        let event = event.to_owned();
        let input = json!({"prompt": "x", "cwd": folder}).to_string();
        fs::remove_dir_all(&folder).unwrap();
        // The folder that it would start in is gone as well.
        gone.current_dir(env.root());
        assert_eq!(answer(gone, input.as_bytes()), None, "{event}");
    }
    put(&env.home().join(".config/mem/config.toml"), "not toml [");
    for event in EVENTS {
        assert_eq!(host.fire(event, &fields), None, "{event}");
    }
    assert!(log(&env).contains("config.toml"), "{}", log(&env));
    until_quiet(&env);
}

#[test]
fn state_that_cannot_be_written_costs_only_what_is_remembered() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    put(
        &env.home().join(".local/state"),
        "a file in the place of a folder",
    );
    let host = Host::new(&env, &repo, "s-1");
    let prompt = json!({"prompt": "may I mock the database in the integration tests?"});
    let text = host.told("user-prompt-submit", &prompt);
    assert!(text.contains("No database mocks"), "{text}");
    for event in EVENTS {
        host.fire(event, &json!({}));
    }
    until_quiet(&env);
}

#[test]
fn an_event_of_50_megabytes_is_read_and_a_larger_one_is_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let large = "word ".repeat(10 << 20);
    let prompt = json!({ "prompt": large });
    assert_eq!(host.fire("user-prompt-submit", &prompt), None);
    assert!(
        log(&env).contains("the prompt is larger than"),
        "{}",
        log(&env)
    );
    let path = repo.memory().join("team/large.md");
    let content = format!("{}{}", github_token(3), large);
    let write =
        json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": content}});
    let answer = host.fire("pre-tool-use", &write).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    let huge = json!({ "prompt": "word ".repeat(14 << 20) });
    assert_eq!(host.fire("user-prompt-submit", &huge), None);
    assert!(
        log(&env).contains("the event is larger than 64 MiB"),
        "{}",
        log(&env)
    );
}

#[test]
fn a_transcript_that_is_none_brings_no_notes_and_no_process_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let host = Host::new(&env, &repo, "s-1");
    let folder = host.transcript.with_extension("folder");
    fs::create_dir_all(folder.join("inner")).unwrap();
    for path in [
        folder.display().to_string(),
        "/no/such/file.jsonl".into(),
        "/".into(),
        "x".into(),
    ] {
        for event in ["pre-compact", "stop", "session-end"] {
            assert_eq!(host.fire(event, &json!({ "transcript_path": path })), None);
        }
        assert_eq!(
            host.fire(
                "session-start",
                &json!({"source": "compact", "transcript_path": path})
            ),
            None
        );
    }
    assert_eq!(host.fire("stop", &json!({"session_id": "../../x"})), None);
    until_quiet(&env);
    assert!(log(&env).contains("session-update"), "{}", log(&env));
    assert!(!env.base().join("session-memory").exists());
    assert_eq!(processes(&env), Vec::<String>::new());
}
