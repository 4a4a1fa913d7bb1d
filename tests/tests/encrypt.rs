//! `mem encrypt` as an administrator uses it, beside a server that runs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use mem_tests::http::Answer;
use mem_tests::{Output, Server, TestEnv};
use serde_json::json;

fn data(env: &TestEnv) -> String {
    env.root().join("data").to_str().unwrap().to_owned()
}

fn encrypt(env: &TestEnv, args: &[&str]) -> Output {
    let run = env.invoke(["encrypt"]).args(args);
    run.args(["--data-dir", &data(env)]).run()
}

fn key_file(env: &TestEnv) -> PathBuf {
    env.home().join(".config/mem/master.key")
}

fn put(server: &Server, key: &str, text: &str) {
    let body = json!({ "entries": { key: text } });
    let ask = server.store("PUT", "acme/app", "");
    ask.json(body.to_string()).send().assert(200);
}

#[track_caller]
fn get(server: &Server) -> Answer {
    let answer = server.store("GET", "acme/app", "").send();
    answer.assert(200);
    answer
}

fn is_in_data(env: &TestEnv, text: &str) -> bool {
    let files = env.files_under(&env.root().join("data"));
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
    files.iter().any(|(_, bytes)| holds(bytes))
}

#[test]
fn a_server_goes_on_while_it_is_switched_on_rotated_and_off() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    put(&server, "a.md", "the freeze is on friday");
    assert!(is_in_data(&env, "freeze is on"));
    let on = encrypt(&env, &["on"]).assert_ok();
    assert!(
        on.stdout.contains("1 versions of 1 stores sealed"),
        "{}",
        on.stdout
    );
    assert!(on.stderr.contains("keep a copy elsewhere"), "{}", on.stderr);
    let mode = fs::metadata(key_file(&env)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    put(&server, "b.md", "the second freeze is on monday");
    assert!(!is_in_data(&env, "freeze is on"));
    let first = fs::read_to_string(key_file(&env)).unwrap();
    let rotated = encrypt(&env, &["rotate", "--master", "--json"]).assert_ok();
    assert_eq!(rotated.json()["versions"], 2);
    assert_eq!(rotated.json()["rewrapped"], 1);
    put(&server, "c.md", "the third freeze is on tuesday");
    let read = get(&server).json();
    assert_eq!(
        read["entries"]["a.md"]["content"],
        "the freeze is on friday"
    );
    assert_eq!(read["entries"].as_object().unwrap().len(), 3);
    assert!(!is_in_data(&env, "freeze is on"));
    let status = encrypt(&env, &["status", "--json"]).assert_ok().json();
    assert_eq!(status["on"], true);
    assert_eq!(
        (&status["versions"], &status["sealed"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(status["key"], "ok");
    // The old master key opens nothing any more; the new one stands alone.
    let both = fs::read_to_string(key_file(&env)).unwrap();
    assert!(both.ends_with(&first) && both.len() == 2 * first.len());
    fs::write(key_file(&env), &both[..first.len()]).unwrap();
    let log = server.end();
    let server = Server::open(&env);
    assert_eq!(
        get(&server).json()["entries"]["c.md"]["content"],
        "the third freeze is on tuesday"
    );
    for said in [log, on.stdout, on.stderr, rotated.stdout, rotated.stderr] {
        assert!(!said.contains(&first[..16]) && !said.contains(&both[..16]));
    }
    encrypt(&env, &["off"]).assert_ok();
    assert!(is_in_data(&env, "third freeze is on"));
    assert_eq!(get(&server).json()["entries"].as_object().unwrap().len(), 3);
}

#[test]
fn without_its_key_no_server_starts_and_nothing_is_overwritten() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    put(&server, "a.md", "kept");
    encrypt(&env, &["on"]).assert_ok();
    server.end();
    let key = fs::read_to_string(key_file(&env)).unwrap();
    let serve = || {
        let line = ["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"];
        let run = env.invoke(line).args(["--data-dir", &data(&env)]);
        run.run().assert_code(1).stderr
    };
    fs::remove_file(key_file(&env)).unwrap();
    let told = serve();
    assert!(
        told.contains("there is no master key") && told.contains("hint:"),
        "{told}"
    );
    // Where something is sealed already no new key is made.
    let refused = encrypt(&env, &["on"]).assert_code(1).stderr;
    assert!(refused.contains("there is no master key"), "{refused}");
    assert!(!key_file(&env).exists());
    let status = encrypt(&env, &["status"]).assert_code(1).stdout;
    assert!(status.contains("no master key"), "{status}");
    let write = |text: &str, mode: u32| {
        fs::write(key_file(&env), text).unwrap();
        fs::set_permissions(key_file(&env), fs::Permissions::from_mode(mode)).unwrap();
    };
    write(&format!("{}\n", "5a".repeat(32)), 0o600);
    let told = serve();
    assert!(
        told.contains("is another one") && told.contains("bring back"),
        "{told}"
    );
    for verb in [&["rotate", "--master"][..], &["off"], &["on"]] {
        let told = encrypt(&env, verb).assert_code(1).stderr;
        assert!(told.contains("is another one"), "{told}");
    }
    assert_eq!(
        fs::read_to_string(key_file(&env)).unwrap().len(),
        65,
        "no new one was added"
    );
    write("no key at all\n", 0o600);
    assert!(serve().contains("64 hexadecimal digits"));
    write(&key, 0o644);
    assert!(serve().contains("chmod 600"));
    write(&key, 0o600);
    let server = Server::open(&env);
    assert_eq!(get(&server).json()["entries"]["a.md"]["content"], "kept");
}

#[test]
fn the_key_comes_from_a_command_and_only_a_person_says_so() {
    let env = TestEnv::new();
    let key = "7e".repeat(32);
    let setting = "encryption.key";
    let as_agent = |args: &[&str]| env.invoke(args).env("MEM_ACTOR", "agent").run();
    let told = as_agent(&["config", "set", setting, "command:echo"])
        .assert_code(1)
        .stderr;
    assert!(told.contains("for a person"), "{told}");
    for verb in ["on", "off", "rotate"] {
        as_agent(&["encrypt", verb, "--data-dir", &data(&env)]).assert_code(1);
    }
    // A key in the place of the source is not repeated.
    let wrong = env.invoke(["encrypt", "on", "--data-dir", &data(&env)]);
    let told = wrong
        .env("MEM_ENCRYPTION_KEY", &key)
        .run()
        .assert_code(2)
        .stderr;
    assert!(
        !told.contains("7e7e") && told.contains("never the key itself"),
        "{told}"
    );
    let line = format!("command:printf '%s\\n' {key}");
    env.mem(["config", "set", setting, &line]).assert_ok();
    let server = Server::open(&env);
    put(&server, "a.md", "sealed by a command");
    encrypt(&env, &["on"]).assert_ok();
    assert!(!is_in_data(&env, "sealed by"));
    assert_eq!(
        get(&server).json()["entries"]["a.md"]["content"],
        "sealed by a command"
    );
    let refused = encrypt(&env, &["rotate", "--master"]).assert_code(1).stderr;
    assert!(
        refused.contains("has to give a new key itself"),
        "{refused}"
    );
    assert!(!key_file(&env).exists());
    let status = encrypt(&env, &["status"]).assert_ok().stdout;
    assert!(
        status.contains("(command)") && !status.contains("7e7e"),
        "{status}"
    );
}

#[test]
fn a_directory_without_a_server_is_no_encrypted_one_and_stays_as_it_is() {
    let env = TestEnv::new();
    for verb in ["status", "off", "rotate"] {
        let refused = encrypt(&env, &[verb]).assert_code(2);
        assert!(
            refused.stderr.contains("--data-dir DIR"),
            "{}",
            refused.stderr
        );
    }
    assert!(!env.root().join("data").exists());
}

#[test]
fn there_are_no_keys_to_change_where_nothing_is_encrypted() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    put(&server, "a.md", "the freeze is on friday");
    for more in [&["rotate"][..], &["rotate", "--master"]] {
        let told = encrypt(&env, more).assert_code(1).stderr;
        assert!(told.contains("nothing is encrypted there"), "{told}");
        assert!(told.contains("`mem encrypt on`"), "{told}");
    }
    assert!(!key_file(&env).exists(), "no key was made for nothing");
}

#[test]
fn a_database_that_does_not_answer_has_its_own_exit_code() {
    let env = TestEnv::new();
    // Nobody listens on a port that was just given back.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("postgres://nobody@127.0.0.1:{port}/none");
    for args in [
        &["encrypt", "status"][..],
        &["encrypt", "on"],
        &["erase", "--user", "alice"],
    ] {
        let run = env.invoke(args).env("MEM_DATABASE_URL", &url);
        let told = run.run().assert_code(5).stderr;
        assert!(told.contains("cannot be reached"), "{told}");
    }
}
