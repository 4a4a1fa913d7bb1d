//! `mem tool --loop` over everything a line can be, and hosts that go away.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::host::{Host, create, insert, replace, view};

fn answers(output: &mem_tests::Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout_bytes).into_owned();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn whatever_a_line_is_the_next_one_is_answered() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--loop"]);
    let mut input =
        b"not json\n[]\n7\nnull\n{}\n\xff\xfe\n{\"id\":1}\n{\"id\":2,\"input\":[]}\n".to_vec();
    let wrong = [
        json!({}),
        json!({"command": 7}),
        json!({"command": "fly"}),
        json!({"command": "view"}),
        json!({"command": "view", "path": ["/memories"]}),
        json!({"command": "view", "path": "/memories", "view_range": "1-2"}),
        json!({"command": "create", "path": "/memories/a"}),
        json!({"command": "create", "path": "/memories/a", "file_text": null}),
        json!({"command": "insert", "path": "/memories/a", "insert_line": "1", "insert_text": ""}),
        json!({"command": "insert", "path": "/memories/a", "insert_line": 1e300, "insert_text": ""}),
        json!({"command": "rename", "old_path": "/memories/a"}),
    ];
    for (at, one) in wrong.iter().enumerate() {
        input.extend_from_slice(json!({"id": at + 3, "input": one}).to_string().as_bytes());
        input.push(b'\n');
    }
    let last = json!({"id": "last", "type": "tool_use", "input": create("/memories/a", "x")});
    input.extend_from_slice(format!("\n  \n{last}").as_bytes());
    let output = host.run(&[], input).assert_ok();
    let answers = answers(&output);
    let ids: Vec<Value> = answers.iter().map(|one| one["id"].clone()).collect();
    let mut expected = vec![Value::Null; 6];
    expected.extend((1..14).map(|id| json!(id)));
    expected.push(json!("last"));
    assert_eq!(ids, expected);
    let (last, errors) = answers.split_last().unwrap();
    assert!(errors.iter().all(|one| one["is_error"] == true));
    assert_eq!(
        last,
        &json!({"id": "last", "content": "File created successfully at: /memories/a", "is_error": false})
    );
    assert_eq!(output.stderr, "");
}

#[test]
fn fifty_megabytes_in_a_line_are_one_error() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--loop"]);
    let huge = format!(
        "{{\"id\":1,\"input\":{{\"command\":\"create\",\"path\":\"/memories/h\",\"file_text\":\"{}\"}}}}\n{}\n",
        "x".repeat(50_000_000),
        json!({"id": 2, "input": view("/memories/h")})
    );
    let answers = answers(&host.run(&[], huge).assert_ok());
    assert_eq!(
        answers[0],
        json!({"id": 1, "content": "The request is longer than 33554432 bytes.", "is_error": true})
    );
    assert_eq!(
        answers[1]["content"],
        "The path /memories/h does not exist. Please provide a valid path."
    );
}

#[test]
fn each_answer_comes_before_the_next_request() {
    let env = TestEnv::new();
    let base = env.work().join("base");
    let mut command = env.command(mem_tests::binary::path());
    command.args(["tool", "--loop", "--root"]).arg(&base);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for id in 0..3 {
        let input = create(&format!("/memories/{id}"), "x");
        writeln!(stdin, "{}", json!({"id": id, "input": input})).unwrap();
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(
            (&answer["id"], &answer["is_error"]),
            (&json!(id), &json!(false))
        );
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_host_that_reads_no_more_ends_the_loop_quietly() {
    let env = TestEnv::new();
    let mut command = env.command(mem_tests::binary::path());
    command.args(["tool", "--loop", "--root", "base"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let line = json!({"id": 1, "input": view("/memories")}).to_string();
    // It may be gone before all is written.
    for _ in 0..100 {
        let _ = writeln!(stdin, "{line}");
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).as_ref()
        ),
        (Some(0), "")
    );
}

#[test]
fn one_input_that_is_none_is_told_on_stdout() {
    let env = TestEnv::new();
    let host = Host::new(&env, &[]);
    let output = host.run(&[], "{\"command\":").assert_code(1);
    assert!(
        output.stdout.starts_with("The input is not JSON: "),
        "{}",
        output.stdout
    );
    assert_eq!(output.stderr, "");
    let output = host
        .run(&["--json"], view("/memories/x").to_string())
        .assert_code(1);
    assert_eq!(
        output.json(),
        json!({"content": "The path /memories/x does not exist. Please provide a valid path.", "is_error": true})
    );
    host.run(&["--dialect", "klingon"], "").assert_code(2);
}

#[test]
fn two_processes_lose_no_edit_of_each_other() {
    for more in [&[][..], &["--history"]] {
        let env = TestEnv::new();
        let host = Host::new(&env, more);
        host.ask(create("/memories/list", "end\n"));
        std::thread::scope(|scope| {
            for writer in 0..2 {
                let host = &host;
                scope.spawn(move || {
                    let lines = (0..20)
                        .map(|line| insert("/memories/list", 0, &format!("{writer}-{line}")));
                    let told = host.all(&lines.collect::<Vec<_>>());
                    assert!(told.iter().all(|told| !told.is_error), "{told:?}");
                });
            }
        });
        let text = host.text("list").unwrap();
        assert_eq!(text.lines().count(), 41, "{more:?}: {text}");
        assert!(!host.ask(replace("/memories/list", "1-19\n", "")).is_error);
    }
}
