//! Which key `mem store` gives to which server, and what a server that means harm gets.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use mem_tests::{Server, TestEnv};

/// Answers every request with the same, and tells what it was asked.
pub(crate) fn listener(
    answer: impl Fn(usize) -> String + Send + 'static,
) -> (String, Receiver<String>) {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    let (sender, requests) = channel();
    thread::spawn(move || {
        for (at, stream) in socket.incoming().enumerate() {
            let mut stream = stream.unwrap();
            if sender.send(head(&mut stream)).is_err() {
                return;
            }
            let _ = stream.write_all(answer(at).as_bytes());
        }
    });
    (url, requests)
}

fn head(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
        bytes.push(byte[0]);
    }
    String::from_utf8_lossy(&bytes).to_lowercase()
}

pub(crate) fn http(status: &str, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\
         {headers}\r\n{body}",
        body.len()
    )
}

const EMPTY: &str = r#"{"data":[],"next_page":null}"#;

#[test]
fn a_key_goes_to_the_origin_it_was_given_for() {
    let env = TestEnv::new();
    let (url, requests) = listener(|_| http("200 OK", "", EMPTY));
    let list = || env.invoke(["store", "list", "--base-url", &url]);
    list()
        .env("ANTHROPIC_API_KEY", "vendor-key")
        .run()
        .assert_ok();
    let seen = requests.recv().unwrap();
    assert!(
        !seen.contains("vendor-key") && !seen.contains("x-api-key"),
        "{seen}"
    );
    assert!(
        seen.contains("anthropic-beta: agent-memory-2026-07-22"),
        "{seen}"
    );
    assert!(seen.contains("anthropic-version: 2023-06-01"), "{seen}");
    list().env("MEM_TOKEN", "of-a-person").run().assert_ok();
    assert!(requests.recv().unwrap().contains("x-api-key: of-a-person"));
    // An agent names any server it likes; it does not get what the person gave for another one.
    let as_agent = list()
        .env("MEM_TOKEN", "of-a-person")
        .env("MEM_ACTOR", "agent");
    as_agent.run().assert_ok();
    assert!(!requests.recv().unwrap().contains("of-a-person"));
    let login = env
        .invoke(["team", "login", "--no-check", "--server", &url])
        .stdin("kept-token\n");
    login.run().assert_ok();
    list().env("MEM_ACTOR", "agent").run().assert_ok();
    assert!(requests.recv().unwrap().contains("x-api-key: kept-token"));
    // In the clear to another machine: never.
    let open = env.invoke(["store", "list", "--base-url", "http://192.0.2.1"]);
    let output = open.env("MEM_TOKEN", "of-a-person").run().assert_code(1);
    assert!(output.stderr.contains("in the clear"), "{}", output.stderr);
}

#[test]
fn nobody_follows_to_another_origin() {
    let env = TestEnv::new();
    let (elsewhere, requests) = listener(|_| http("200 OK", "", EMPTY));
    let location = format!("location: {elsewhere}/v1/memory_stores\r\n");
    let (url, _own) = listener(move |_| http("307 Temporary Redirect", &location, ""));
    let run = env
        .invoke(["store", "list", "--base-url", &url])
        .env("MEM_TOKEN", "token");
    let output = run.run().assert_code(5);
    assert!(output.stderr.contains("redirects"), "{}", output.stderr);
    assert!(requests.try_recv().is_err());
}

#[test]
fn a_server_that_is_busy_is_asked_again_as_often_as_it_wants() {
    let env = TestEnv::new();
    let busy = r#"{"type":"error","error":{"type":"overloaded_error","message":"later"}}"#;
    let (url, requests) = listener(move |at| match at {
        0 => http("529 Overloaded", "retry-after-ms: 10\r\n", busy),
        _ => http("200 OK", "", EMPTY),
    });
    env.mem(["store", "list", "--base-url", &url]).assert_ok();
    assert_eq!(requests.try_iter().count(), 2);
    let (url, requests) = listener(move |_| http("503 No", "x-should-retry: false\r\n", busy));
    let output = env
        .mem(["store", "list", "--json", "--base-url", &url])
        .assert_code(5);
    assert_eq!(requests.try_iter().count(), 1);
    let message = output.json_error()["message"].clone();
    assert!(
        message.as_str().unwrap().contains("overloaded_error"),
        "{message}"
    );
    // One that wants to be left alone for an hour is not waited for.
    let (url, requests) = listener(move |_| http("429 No", "retry-after: 3600\r\n", busy));
    env.mem(["store", "list", "--base-url", &url])
        .assert_code(5);
    assert_eq!(requests.try_iter().count(), 1);
}

#[test]
fn what_a_hostile_server_says_does_no_harm() {
    let env = TestEnv::new();
    let said = r#"{"type":"error","error":{"type":"x\u001b[2J","message":"a\u001b]0;own\u0007\nerror: b"}}"#;
    let (url, _requests) = listener(move |_| http("400 Bad Request", "", said));
    let output = env
        .mem(["store", "list", "--base-url", &url])
        .assert_code(1);
    assert!(
        !output.stderr.contains('\u{1b}') && !output.stderr.contains("\nerror: b"),
        "{}",
        output.stderr
    );
    // A page that leads to itself.
    let circle = r#"{"data":[],"next_page":"same"}"#;
    let (url, _requests) = listener(move |_| http("200 OK", "", circle));
    env.mem(["store", "list", "--base-url", &url])
        .assert_code(5);
    // An answer without an end.
    let endless = format!(r#"{{"data":["{}"]}}"#, "x".repeat(17 * 1024 * 1024));
    let (url, _requests) = listener(move |_| http("200 OK", "", &endless));
    let output = env
        .mem(["store", "list", "--base-url", &url])
        .assert_code(5);
    assert!(output.stderr.contains("too long"), "{}", output.stderr);
    let nonsense = "<html>";
    let (url, _requests) = listener(move |_| http("200 OK", "", nonsense));
    env.mem(["store", "list", "--base-url", &url])
        .assert_code(5);
}

#[test]
fn paths_of_a_hostile_server_are_left_out_one_by_one() {
    let env = TestEnv::new();
    let memory = |path: &str| {
        format!(
            r#"{{"type":"memory","id":"mem_1","memory_store_id":"memstore_1","path":"{path}","content":"x","content_sha256":"{}","content_size_bytes":1,"memory_version_id":"memver_1","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}}"#,
            "0".repeat(64)
        )
    };
    let paths = [
        "/../../escaped",
        "/a/../../b",
        "relative",
        "/good.md",
        "/c\\u0000d",
        "//",
        "/..",
    ];
    let items: Vec<String> = paths.iter().map(|path| memory(path)).collect();
    let page = format!(r#"{{"data":[{}],"next_page":null}}"#, items.join(","));
    let store = r#"{"type":"memory_store","id":"memstore_1","name":"s","description":null,"metadata":null,"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","archived_at":null}"#;
    let (url, _requests) = listener(move |at| match at {
        0 => http("200 OK", "", store),
        _ => http("200 OK", "", &page),
    });
    let before = env.files_under(env.root());
    let run = env.invoke([
        "store",
        "export",
        "memstore_1",
        "out",
        "--json",
        "--base-url",
        &url,
    ]);
    let report = run.run().assert_ok().json();
    assert_eq!(report["files"], 1);
    assert_eq!(report["skipped"].as_array().unwrap().len(), 6);
    let after = env.files_under(env.root());
    let new: Vec<&String> = after
        .iter()
        .filter(|one| !before.contains(one))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(new, ["work/out/good.md"]);
}

#[test]
fn a_wrong_token_is_told_and_a_right_one_works() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let create = [
        "server",
        "token",
        "create",
        "--grant",
        "store:*:write",
        "--data-dir",
        data,
    ];
    let token = env.mem([&create[..], &["--name", "alice"]].concat());
    let token = token.assert_ok().line();
    let server = Server::start(&env, &[]);
    let list = |token: &str| {
        let run = env.invoke(["store", "list", "--base-url", &server.url()]);
        run.env("MEM_TOKEN", token).run()
    };
    let output = list("wrong").assert_code(1);
    assert!(
        output.stderr.contains("authentication_error"),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains("hint: give a key"),
        "{}",
        output.stderr
    );
    list(&token).assert_ok();
}
