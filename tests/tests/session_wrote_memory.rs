//! `mem session wrote-memory`: whether the agent wrote memory by itself.

use std::fs;

use jiff::{Timestamp, ToSpan as _};
use mem_tests::{Repo, TestEnv, words};
use serde_json::{Value, json};

/// A transcript of calls that all succeeded: each with its uuid, tool and arguments.
fn transcript(repo: &Repo<'_>, calls: &[(&str, &str, Value)]) -> String {
    let mut text = Vec::new();
    for (uuid, tool, input) in calls {
        let call = json!({"type": "assistant", "uuid": uuid, "message": {"role": "assistant",
            "content": [{"type": "tool_use", "id": uuid, "name": tool, "input": input}]}});
        let result = json!({"type": "user", "uuid": format!("{uuid}-r"), "message": {"role": "user",
            "content": [{"type": "tool_result", "tool_use_id": uuid, "content": "x"}]}});
        text.extend([call.to_string(), result.to_string()]);
    }
    let path = repo.path().join("s-1.jsonl");
    fs::write(&path, text.join("\n") + "\n").unwrap();
    path.display().to_string()
}

fn wrote(repo: &Repo<'_>, transcript: &str, since: &str) -> Value {
    let words = [
        "session",
        "wrote-memory",
        "--since",
        since,
        "--transcript",
        transcript,
    ];
    let output = repo.mem(words).assert_ok();
    serde_json::from_slice(&output.stdout_bytes).unwrap()
}

#[test]
fn writes_of_every_kind_count_from_the_record_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let note = repo.memory().join("team/a.md").display().to_string();
    let global = env.base().join("memory/b.md").display().to_string();
    let own = repo.path().join("src/a.rs").display().to_string();
    let calls = [
        ("a", "Write", json!({"file_path": note})),
        ("b", "Edit", json!({"file_path": own})),
        ("d", "MultiEdit", json!({"file_path": global})),
        (
            "f",
            "mcp__plugin_mem_mem__memory_edit",
            json!({"path": "a.md"}),
        ),
    ];
    let path = transcript(&repo, &calls);
    let all = wrote(&repo, &path, "a-r");
    assert_eq!(all["wrote"], true);
    assert_eq!(
        all["by"],
        json!(["MultiEdit", "mcp__plugin_mem_mem__memory_edit"])
    );
    assert_eq!(all["files"], json!([global, "a.md"]));
    assert_eq!(all["since_found"], true);
    let none = wrote(&repo, &path, "f-r");
    assert_eq!((&none["wrote"], &none["by"]), (&json!(false), &json!([])));
    let unknown = repo.mem([
        "session",
        "wrote-memory",
        "--since",
        "zz",
        "--transcript",
        &path,
    ]);
    let unknown = unknown.assert_ok();
    assert!(
        unknown.stderr.contains("the whole transcript"),
        "{}",
        unknown.stderr
    );
    assert_eq!(
        (&unknown.json()["since_found"], &unknown.json()["wrote"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn work_on_code_alone_is_no_write() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let path = transcript(
        &repo,
        &[("b", "Edit", json!({"file_path": repo.path().join("a.rs")}))],
    );
    assert_eq!(wrote(&repo, &path, "zz")["wrote"], false);
    let missing = repo.mem(words(
        "session wrote-memory --since a --transcript /no/x.jsonl",
    ));
    assert!(missing.assert_code(1).stderr.contains("hint:"));
}

/// A transcript of one shell command that ran from one time to another.
fn shell(repo: &Repo<'_>, start: Timestamp, end: Timestamp) -> String {
    let call = json!({"type": "assistant", "uuid": "a", "timestamp": start.to_string(), "message": {"role": "assistant",
        "content": [{"type": "tool_use", "id": "a", "name": "Bash", "input": {"command": "./notes.sh"}}]}});
    let result = json!({"type": "user", "uuid": "b", "timestamp": end.to_string(), "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}});
    let path = repo.path().join("s-1.jsonl");
    fs::write(&path, format!("{call}\n{result}\n")).unwrap();
    path.display().to_string()
}

#[test]
fn a_shell_command_counts_by_what_the_history_has_of_its_time() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let during = |repo: &Repo<'_>, time: Timestamp| {
        let path = shell(repo, time - 5.seconds(), time + 5.seconds());
        wrote(repo, &path, "zz")["by"].clone()
    };
    let save = "save --type user --name Shell --description d --body b";
    repo.mem(words(save)).assert_ok();
    let last = |repo: &Repo<'_>| {
        let output = repo.mem(["history", "--limit", "1", "--json"]).assert_ok();
        let time = output.json()["changes"][0]["time"]
            .as_str()
            .unwrap()
            .to_owned();
        time.parse::<Timestamp>().unwrap()
    };
    assert_eq!(during(&repo, last(&repo)), json!([]), "a person's");
    let save = "save --type user --name Agent --description d --body b";
    repo.invoke(words(save))
        .env("MEM_ACTOR", "agent")
        .run()
        .assert_ok();
    let time = last(&repo);
    assert_eq!(during(&repo, time), json!(["Bash"]), "an agent's");
    assert_eq!(during(&repo, time - 60.seconds()), json!([]), "before it");
    // A file that no command has recorded yet counts by its time.
    let file = repo.memory().join("by_hand.md");
    fs::write(&file, "text\n").unwrap();
    let time = Timestamp::try_from(fs::metadata(&file).unwrap().modified().unwrap()).unwrap();
    assert_eq!(during(&repo, time), json!(["Bash"]), "a program's");
}
