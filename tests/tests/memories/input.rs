//! What cannot be saved, by whom and where: an error with a hint, and nothing written.

use std::fs;

use mem_tests::{TestEnv, words};

use super::memory_dir;

#[test]
fn bad_input_is_an_error_with_a_hint_and_writes_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let long = "x".repeat(300);
    let described = |more: &str| format!("--type project --name n --description d {more}");
    let cases = [
        "--type project --name '' --description d".to_owned(),
        "--type project --name 'two\nlines' --description d".to_owned(),
        "--type project --name n --description 'two\nlines'".to_owned(),
        format!("--type project --name {long} --description d"),
        described("--file ../x.md"),
        described("--file /etc/x.md"),
        described("--file con.md"),
        described("--file MEMORY.md"),
        described("--file team/x.md"),
        described(&format!("--file {long}")),
        described("--tag ''"),
        described("--body ''"),
        described("--importance 6"),
        described("--expires soon"),
        "--type user --name n --description d --scope team".to_owned(),
        "--type opinion --name n --description d".to_owned(),
        "--type project --name n".to_owned(),
    ];
    for args in cases {
        let save = repo.invoke(words(&format!("save --json {args}")));
        let failed = save.stdin("body").run().assert_code(2);
        let error = failed.json_error();
        assert!(
            error["message"].is_string() && error["hint"].is_string(),
            "{args:?}: {error}"
        );
        assert!(failed.stdout.is_empty());
    }
    assert!(!env.base().join("projects").exists(), "nothing was written");
}

#[test]
fn a_body_of_a_hundred_megabytes_is_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let body = vec![b'x'; 100 * 1024 * 1024];
    let args = words("save --type project --name n --description d");
    let failed = repo.invoke(args).stdin(body).run().assert_code(2);
    assert!(failed.stderr.contains("hint:"), "{}", failed.stderr);
    assert!(!env.base().join("projects").exists());
}

#[test]
fn a_body_with_a_nul_byte_is_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let args = words("save --type project --name n --description d");
    let body = b"a long enough text with one \0 in it\n".to_vec();
    let failed = repo.invoke(args).stdin(body).run();
    assert!(failed.stderr.contains("is no text"), "{}", failed.shown());
    assert!(!env.base().join("projects").exists());
}

#[test]
fn commands_that_write_say_that_memory_is_off_and_by_what() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for line in [
        "save --type project --name n --description d --body b",
        "log text",
        "remove n",
        "rename n m",
        "edit n",
    ] {
        let off = repo
            .invoke(words(line))
            .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
            .run()
            .assert_code(1);
        assert!(
            off.stderr.contains("CLAUDE_CODE_DISABLE_AUTO_MEMORY"),
            "{}",
            off.stderr
        );
    }
    assert!(!env.base().exists());
}

#[test]
fn nothing_works_without_a_home_and_says_so() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let failed = repo
        .invoke(["list"])
        .without_env("HOME")
        .run()
        .assert_code(1);
    assert!(
        failed.stderr.contains("hint: set HOME"),
        "{}",
        failed.stderr
    );
}

#[test]
fn a_dash_for_a_body_is_standard_input() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = words("save --type feedback --name Piped --description d");
    let saved = repo.invoke(save).args(["--body", "-"]);
    saved.stdin("Never mock it.\n").run().assert_ok();
    let file = memory_dir(&repo).join("feedback_piped.md");
    let text = fs::read_to_string(file).unwrap();
    assert!(text.ends_with("\nNever mock it.\n"), "{text}");
}
