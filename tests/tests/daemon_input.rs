//! What stands in a daemon's way, and what comes over its socket.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

use crate::daemon::{processes, runtime, status, wait};
use crate::recall::three_notes;

const PROMPT: &str = "may I mock the database in the integration tests?";

/// A repository whose daemon has run: its socket's path, and nobody there.
fn socket(repo: &Repo<'_>, env: &TestEnv) -> PathBuf {
    repo.mem(["init", "--no-setup"]).assert_ok();
    repo.mem(["daemon", "start"]).assert_ok();
    let entries = fs::read_dir(runtime(env)).unwrap().flatten();
    let mut paths = entries.map(|entry| entry.path());
    let socket = paths.find(|path| path.extension().is_some_and(|ending| ending == "sock"));
    repo.mem(["daemon", "stop"]).assert_ok();
    socket.unwrap()
}

#[test]
fn a_dead_socket_is_taken_over_and_a_directory_is_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let socket = socket(&repo, &env);
    drop(UnixListener::bind(&socket).unwrap());
    assert_eq!(status(&repo)["running"], false);
    repo.mem(["daemon", "start"]).assert_ok();
    repo.mem(["daemon", "stop"]).assert_ok();
    fs::create_dir(&socket).unwrap();
    let refused = repo.mem(["daemon", "start"]).assert_code(1);
    assert!(
        refused.stderr.contains("in the way of the socket"),
        "{}",
        refused.stderr
    );
    assert!(socket.is_dir());
    let doctor = repo.mem(["doctor"]).stdout;
    assert!(
        doctor.contains(".sock` is a directory, and stands where the socket"),
        "{doctor}"
    );
    // Everything else goes on.
    repo.mem(["status"]).assert_ok();
    repo.mem(["recall", PROMPT]).assert_ok();
}

#[test]
fn who_speaks_another_protocol_without_a_place_is_replaced() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let socket = socket(&repo, &env);
    let listener = UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = BufReader::new(stream);
            let mut line = String::new();
            let _ = stream.read_line(&mut line);
            let reply = json!({"protocol": 99, "version": "9.9.9"});
            let _ = writeln!(stream.get_mut(), "{reply}");
        }
    });
    repo.mem(["daemon", "start"]).assert_ok();
    assert_eq!(status(&repo)["protocol"], 1);
    assert_eq!(status(&repo)["state"], "watching");
}

/// Has a place and answers as a daemon of another version; ends when it is told to.
const OTHER: &str = r#"
import fcntl, json, os, socket, sys
place, pending = sys.argv[1], sys.argv[2] == "busy"
pid = open(place + ".pid", "w")
fcntl.flock(pid, fcntl.LOCK_EX)
pid.write(f"{os.getpid()}\n9.9.9\n-\n/\n")
pid.flush()
listener = socket.socket(socket.AF_UNIX)
listener.bind(place + ".sock")
listener.listen()
print("ready", flush=True)
while True:
    stream, _ = listener.accept()
    line = stream.makefile().readline()
    if not line:
        continue
    request = json.loads(line)["request"]
    status = {"pid": os.getpid(), "state": "watching", "started_at": "-", "last_sync": None,
              "pending": pending, "trouble": None, "root": "/"}
    reply = {"protocol": 2, "version": "9.9.9", "answer": status}
    try:
        stream.sendall(json.dumps(reply).encode() + b"\n")
    except BrokenPipeError:
        pass
    stream.close()
    if request == "stop":
        os.remove(place + ".sock")
        sys.exit()
"#;

#[test]
fn one_of_another_version_is_replaced_unless_it_is_at_work() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let socket = socket(&repo, &env);
    let other = |how: &str| {
        let mut python = env.command("python3");
        python
            .args(["-c", OTHER])
            .arg(socket.with_extension(""))
            .arg(how);
        let mut child = python.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line, "ready\n");
        child
    };
    let mut busy = other("busy");
    let refused = repo.mem(["daemon", "start"]).assert_code(4);
    assert!(
        refused.stderr.contains("version 9.9.9 is at work"),
        "{}",
        refused.stderr
    );
    repo.mem(["recall", PROMPT]).assert_ok();
    repo.mem(["daemon", "stop"]).assert_ok();
    assert!(busy.wait().unwrap().success());
    let mut free = other("free");
    // A hook that meets it sends for one of its own version.
    let hook = repo.invoke(["hook", "claude", "session-start"]).stdin("{}");
    hook.env("MEM_DAEMON_AUTOSTART", "true").run().assert_ok();
    assert!(free.wait().unwrap().success());
    wait("one of this version runs", || {
        status(&repo)["protocol"] == 1
    });
}

#[test]
fn garbage_on_the_socket_harms_nobody() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let socket = socket(&repo, &env);
    repo.mem(["daemon", "start"]).assert_ok();
    let mut stream = UnixStream::connect(&socket).unwrap();
    stream.write_all(b"\xff\xfe\n{\"protocol\":1}\n").unwrap();
    let work = |name: &str, input: &Value| json!({"protocol": 1, "request": "work", "name": name, "input": input});
    let questions = [
        work("recall", &json!({"prompt": 7})),
        work("nothing", &Value::Null),
    ];
    for question in questions {
        writeln!(stream, "{question}").unwrap();
    }
    let mut lines = BufReader::new(stream).lines();
    for code in ["malformed", "malformed", "failed", "failed"] {
        let reply: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(reply["error"]["code"], code, "{reply}");
    }
    assert_eq!(status(&repo)["running"], true);
}

#[test]
fn answers_are_the_same_with_a_daemon_and_without() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    repo.commit("src/db.rs", "fn database() {}\n", "code");
    repo.mem([
        "save",
        "--type",
        "project",
        "--scope",
        "global",
        "--name",
        "Own ways",
        "--description",
        "how I run integration tests",
        "--body",
        "With \u{1f600} and `src/db.rs`.",
    ])
    .assert_ok();
    fs::write(
        repo.memory().join("project_raw.md"),
        b"---\nname: raw\ndescription: mock database\n---\n\xff\xfe tests\n",
    )
    .unwrap();
    let all = || {
        let mut answers = Vec::new();
        for args in [
            vec!["recall", PROMPT],
            vec!["recall", PROMPT, "--json", "--explain", "--min-score", "0"],
            vec!["recall", PROMPT, "--format", "paths", "--limit", "1"],
            vec![
                "recall",
                PROMPT,
                "--explain",
                "--scope",
                "private",
                "--type",
                "feedback",
            ],
            vec![
                "recall",
                "what is for lunch?",
                "--explain",
                "--exclude",
                "feedback_no_mocks",
            ],
            vec!["preview", PROMPT, "--tools-in-use", "Bash"],
        ] {
            answers.push(repo.mem(args).assert_ok().shown());
        }
        let limited = repo.invoke(["recall", PROMPT, "--json", "--explain"]);
        answers.push(
            limited
                .env("MEM_RECALL_LIMIT", "1")
                .env("MEM_RECALL_WEIGHTS_LEXICAL", "0")
                .run()
                .shown(),
        );
        answers
    };
    // The index is there before: what is stored is no part of an answer.
    all();
    let without = all();
    repo.mem(["daemon", "start"]).assert_ok();
    let with = all();
    assert_eq!(with, without);
    let answering = processes(&env)
        .into_iter()
        .filter(|line| line.contains("--job answer"));
    assert_eq!(answering.count(), 1, "nobody asked it");
    // What changed a moment ago is known to both.
    repo.edit_note(
        "feedback_no_mocks.md",
        "---\nname: Mocks\ndescription: mock the database as you like\ntype: feedback\n---\nDo.\n",
    );
    let with = all();
    repo.mem(["daemon", "stop"]).assert_ok();
    wait("its processes are gone", || processes(&env).is_empty());
    assert_eq!(all(), with);
    assert_ne!(with, without);
}

#[test]
fn a_prompt_in_a_session_is_answered_alike_and_remembered() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let ask = |session: &str| {
        let event = json!({"session_id": session, "prompt": PROMPT, "cwd": repo.path()});
        let hook = repo.invoke(["hook", "claude", "user-prompt-submit"]);
        hook.stdin(event.to_string()).run().assert_ok().stdout
    };
    let without = [ask("one"), ask("one")];
    repo.mem(["daemon", "start"]).assert_ok();
    assert_eq!([ask("two"), ask("two")], without);
    assert!(
        without[0].contains("mocks") && without[1].is_empty(),
        "{without:?}"
    );
}

#[test]
fn a_line_without_end_and_clients_that_say_nothing_take_no_room() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let socket = socket(&repo, &env);
    repo.mem(["daemon", "start"]).assert_ok();
    let silent: Vec<UnixStream> = (0..200)
        .map(|_| UnixStream::connect(&socket).unwrap())
        .collect();
    let mut stream = UnixStream::connect(&socket).unwrap();
    let piece = vec![b'x'; 1 << 20];
    let sent = (0..1024).take_while(|_| stream.write_all(&piece).is_ok());
    assert!(sent.count() < 8, "a gigabyte was taken");
    let status = status(&repo);
    assert_eq!(status["state"], "watching");
    assert!(status["pss_bytes"].as_u64().unwrap() < 64 << 20, "{status}");
    drop(silent);
}

#[test]
fn a_client_of_the_protocol_gets_the_memories_that_a_person_gets() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let ask = || {
        let messages = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "memory_recall", "arguments": {"prompt": PROMPT}}}),
        ];
        let lines = messages.map(|message| format!("{message}\n")).concat();
        let run = repo.invoke(["mcp"]).stdin(lines).run().assert_ok();
        let last = run.stdout.lines().last().unwrap().to_owned();
        serde_json::from_str::<Value>(&last).unwrap()["result"].clone()
    };
    ask();
    let without = ask();
    assert!(without.to_string().contains("mocks"), "{without}");
    repo.mem(["daemon", "start"]).assert_ok();
    assert_eq!(ask(), without);
    let lines = processes(&env);
    assert!(
        lines.iter().any(|line| line.contains("--job answer")),
        "nobody asked it: {lines:?}"
    );
}
