//! `mem search --sessions`: past sessions of every host, without their secrets.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{Session, TestEnv, github_token};
use serde_json::{Value, json};

fn put_lines(path: &Path, lines: &[Value]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

fn found(session: &Session<'_>, words: &[&str]) -> Vec<Value> {
    let args = [&["search", "--sessions", "--json"], words].concat();
    let output = session.repo.mem(args);
    output.json()["sessions"].as_array().unwrap().clone()
}

fn index_file(env: &TestEnv) -> PathBuf {
    env.home().join(".cache/mem/sessions/index.db")
}

#[test]
fn sessions_of_every_host_are_found_with_the_command_that_resumes_them() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "Why does the importer drop umlauts?");
    let answer = json!([{"type": "text", "text": "The importer decodes Latin-1."}]);
    session.say("assistant", answer);
    let cwd = session.repo.path();
    put_lines(
        &env.home()
            .join(".codex/sessions/2026/01/02/rollout-1-c1.jsonl"),
        &[
            json!({"type": "session_meta", "payload": {"id": "c1", "cwd": cwd}}),
            json!({"type": "response_item", "timestamp": "2026-01-02T08:00:00Z", "payload": {
                "type": "message", "role": "user",
                "content": [{"type": "input_text", "text": "Make the importers faster"}]}}),
        ],
    );
    let text = session.repo.mem(["search", "--sessions", "importer"]);
    let text = text.assert_ok().stdout;
    for part in [
        "2026-01-01  claude-code",
        "you: Why does the importer drop umlauts?",
        "model: The importer decodes Latin-1.",
        "claude --resume 11111111-2222-3333-4444-555555555555",
        "2026-01-02  codex",
        "codex resume c1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let umlauts = found(&session, &["umlaut"]);
    assert_eq!(umlauts.len(), 1, "by its stem");
    assert_eq!(umlauts[0]["passages"][0]["by"], "person");
    let nothing = session.repo.mem(["search", "--sessions", "zeppelin"]);
    nothing.assert_code(1);
    // What is said later is read on, and what is gone is not found any more.
    session.say("user", "Now the zeppelin.");
    assert_eq!(found(&session, &["zeppelin"]).len(), 1);
    assert_eq!(found(&session, &["drop", "umlauts"]).len(), 1, "once");
    fs::remove_file(&session.transcript).unwrap();
    assert!(found(&session, &["zeppelin"]).is_empty());
    assert_eq!(found(&session, &["faster"]).len(), 1);
}

#[test]
fn texts_without_spaces_and_days_are_searched() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "デプロイは毎週火曜日に行います");
    assert_eq!(found(&session, &["火曜日"]).len(), 1);
    assert_eq!(
        found(&session, &["火曜日", "--since", "2026-01-01"]).len(),
        1
    );
    assert!(found(&session, &["火曜日", "--since", "2026-01-02"]).is_empty());
    for hostile in ["\"", "a AND", "NEAR(", "*", "x\u{1}y", "-"] {
        session
            .repo
            .mem(["search", "--sessions", "--", hostile])
            .assert_code(1);
    }
}

#[test]
fn no_secret_is_indexed_and_tools_are_not_read() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let token = github_token(7);
    session.say("user", format!("The deploy key is {token}, use it"));
    let input = json!({"command": "cat notes"});
    session.call(
        "t1",
        "Bash",
        &input,
        "an aardvark in a tool's answer",
        false,
    );
    let hit = &found(&session, &["deploy", "key"])[0];
    let text = hit["passages"][0]["text"].as_str().unwrap();
    assert!(text.contains("[redacted:"), "{text}");
    let bytes = fs::read(index_file(&env)).unwrap();
    let holds = |text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(!holds(&token) && !holds(&token[4..]));
    assert!(found(&session, &["aardvark"]).is_empty());
}

#[test]
fn an_agent_sees_this_project_only_and_ignored_projects_are_left_out() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let other = env.repo("other");
    session.say("user", "The launch code here");
    put_lines(
        &env.home()
            .join(".codex/sessions/2026/01/02/rollout-1-c2.jsonl"),
        &[
            json!({"type": "session_meta", "payload": {"id": "c2", "cwd": other.path()}}),
            json!({"type": "response_item", "payload": {"type": "message", "role": "user",
                "content": [{"type": "input_text", "text": "The launch code there"}]}}),
        ],
    );
    assert_eq!(found(&session, &["launch"]).len(), 2);
    let args = ["search", "--sessions", "launch", "--json"];
    let by_agent = session.repo.invoke(args).env("CLAUDECODE", "1").run();
    let by_agent = by_agent.assert_ok().json();
    let by_agent = by_agent["sessions"].as_array().unwrap();
    assert_eq!(by_agent.len(), 1);
    assert_eq!(by_agent[0]["host"], "claude-code");
    // The folder above both is none of the two.
    let above = env.invoke(args).env("CLAUDECODE", "1").run();
    above.assert_code(1);
    session
        .repo
        .mem(["search", "--sessions", " "])
        .assert_code(1);
    other.write(".claude/settings.json", r#"{"autoMemoryEnabled": false}"#);
    assert_eq!(found(&session, &["launch"]).len(), 1, "memory is off there");
    fs::remove_file(other.path().join(".claude/settings.json")).unwrap();
    assert_eq!(found(&session, &["launch"]).len(), 2);
}

#[test]
fn searches_at_the_same_time_index_each_message_once() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let filler = "and more of it ".repeat(400);
    let lines: Vec<Value> = (0..600)
        .map(|number| {
            let text = format!("{filler} About the osprey, part {number}");
            json!({"type": "user", "uuid": "u", "cwd": session.repo.path(),
                "message": {"role": "user", "content": text}})
        })
        .collect();
    // What is read on is added to what was read before.
    put_lines(&session.transcript, &lines[..1]);
    assert_eq!(found(&session, &["osprey"]).len(), 1);
    put_lines(&session.transcript, &lines);
    let args = ["search", "--sessions", "--json", "osprey"];
    let searches: Vec<_> = (0..6).map(|_| session.repo.invoke(args).spawn()).collect();
    for mut search in searches {
        assert!(search.wait().unwrap().success());
    }
    let part = &found(&session, &["osprey", "\"part 7\""])[0];
    let texts: Vec<&str> = part["passages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts.iter().filter(|text| text.ends_with("part 7")).count(),
        1,
        "{texts:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_the_index_stops_no_search() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "A kestrel");
    assert_eq!(found(&session, &["kestrel"]).len(), 1);
    fs::remove_file(index_file(&env)).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(index_file(&env))
        .status();
    assert!(made.unwrap().success());
    assert_eq!(found(&session, &["kestrel"]).len(), 1);
}

#[test]
fn a_damaged_index_is_made_again_and_a_redaction_takes_it_away() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "A word of the past: petrichor");
    assert_eq!(found(&session, &["petrichor"]).len(), 1);
    fs::write(index_file(&env), vec![7; 8192]).unwrap();
    assert_eq!(found(&session, &["petrichor"]).len(), 1);
    let note = [
        "save",
        "--type",
        "project",
        "--name",
        "P",
        "--description",
        "petrichor",
    ];
    session
        .repo
        .mem([&note[..], &["--body", "b"]].concat())
        .assert_ok();
    session
        .repo
        .mem(["redact", "--text", "petrichor", "--yes"])
        .assert_ok();
    assert!(!index_file(&env).exists());
}

#[test]
fn past_prompts_of_the_project_are_recalled_for_again() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let repo = &session.repo;
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "Retries",
        "--description",
    ];
    let save = save
        .into_iter()
        .chain(["how often the bank is retried", "--body", "Five times."]);
    repo.mem(save).assert_ok();
    let token = github_token(1);
    session.say("user", format!("how often do we retry the bank? {token}"));
    session.say("assistant", "Five times.");
    session.say("user", "write a poem about the sea");
    let listed = |args: &[&str]| {
        let json = repo.mem([&["session", "prompts", "--json"], args].concat());
        let json = json.assert_ok();
        assert!(!json.stdout.contains(&token), "{}", json.stdout);
        json.json()["prompts"].as_array().unwrap().clone()
    };
    let given = |one: &Value| one["memories"].as_array().unwrap().len();
    let all = listed(&[]);
    assert_eq!(
        all.iter().map(given).collect::<Vec<_>>(),
        [0, 1],
        "the newest first"
    );
    assert_eq!(all[1]["memories"][0]["name"], "Retries");
    assert_eq!(listed(&["--limit", "1"]).len(), 1);
    assert_eq!(
        listed(&["--min-score", "1"])
            .iter()
            .map(given)
            .sum::<usize>(),
        0
    );
    // A prompt of several lines is one line of the list.
    session.say("user", "first line\nsecond\tline");
    let text = repo.mem(["session", "prompts"]).assert_ok().stdout;
    assert!(text.contains("first line second line\n"), "{text}");
    // Prompts of other projects are not shown.
    let other = env
        .repo("other")
        .mem(["session", "prompts", "--json"])
        .assert_ok();
    assert_eq!(other.json()["prompts"], json!([]));
}
