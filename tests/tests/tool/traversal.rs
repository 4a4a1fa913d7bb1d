//! Every form of path traversal that lists of attacks know: nothing outside is read or written.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::host::{Host, create, delete, insert, rename, replace, view};

/// What is put behind `/memories/`.
const FORMS: &[&str] = &[
    "../secret.txt",
    "..//secret.txt",
    "a/../../secret.txt",
    "a/b/../../../secret.txt",
    "./../secret.txt",
    "../memories/../secret.txt",
    "..\\secret.txt",
    "a\\..\\..\\secret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "%2E%2E%2Fsecret.txt",
    "..%2fsecret.txt",
    "..%5csecret.txt",
    "%2e%2e%5csecret.txt",
    "%252e%252e%252fsecret.txt",
    "..%255csecret.txt",
    "%25252e%25252e%25252fsecret.txt",
    "%c0%ae%c0%ae%c0%afsecret.txt",
    "..%c0%afsecret.txt",
    "..%c1%9csecret.txt",
    "%e0%80%ae%e0%80%ae/secret.txt",
    "%u002e%u002e%u2215secret.txt",
    "..%00/secret.txt",
    "../secret.txt%00.md",
    "..\0/secret.txt",
    "....//secret.txt",
    "....\\\\secret.txt",
    "..;/secret.txt",
    ".. /secret.txt",
    "..\n/secret.txt",
    "\u{ff0e}\u{ff0e}/secret.txt",
    "\u{2024}\u{2024}/secret.txt",
    "..\u{2215}secret.txt",
    "/../secret.txt",
    "//etc/passwd",
    "file:///etc/passwd",
    "~/secret.txt",
    "C:\\secret.txt",
    "\\\\server\\share",
];

fn commands(path: &str) -> Vec<Value> {
    vec![
        view(path),
        create(path, "planted"),
        replace(path, "secret", "planted"),
        insert(path, 0, "planted"),
        rename(path, "/memories/stolen"),
        rename("/memories/own.txt", path),
        delete(path),
    ]
}

#[test]
fn no_form_of_traversal_reaches_anything_outside() {
    for dialect in ["docs", "python", "typescript"] {
        let env = TestEnv::new();
        let host = Host::new(&env, &["--dialect", dialect]);
        host.put("own.txt", "own");
        fs::write(host.base.join("secret.txt"), "secret").unwrap();
        fs::write(env.work().join("secret.txt"), "secret").unwrap();
        let before: Vec<_> = env.files_under(env.root());
        let outside = |(name, _): &(String, Vec<u8>)| !name.starts_with("work/base/memories/");
        let inputs: Vec<Value> = FORMS
            .iter()
            .flat_map(|form| commands(&format!("/memories/{form}")))
            .collect();
        let told = host.all(&inputs);
        assert_eq!(told.len(), inputs.len());
        for (input, told) in inputs.iter().zip(&told) {
            assert!(!told.text.contains("     1\tsecret"), "{dialect}: {input}");
        }
        let after = env.files_under(env.root());
        let kept = |files: &[(String, Vec<u8>)]| {
            files
                .iter()
                .filter(|file| outside(file))
                .cloned()
                .collect::<Vec<_>>()
        };
        assert_eq!(kept(&before), kept(&after), "{dialect}");
    }
}

#[test]
fn the_page_dialect_refuses_what_looks_like_traversal() {
    let env = TestEnv::new();
    let host = Host::new(&env, &[]);
    let literal = [
        "....//",
        "..;/",
        "\u{ff0e}",
        "\u{2024}",
        "..\u{2215}",
        "//etc",
        "file:",
        "~/",
        ".. /",
    ];
    for form in FORMS
        .iter()
        .filter(|form| !literal.iter().any(|begin| form.starts_with(begin)))
    {
        let told = host.ask(create(&format!("/memories/{form}"), "x"));
        let is_refused =
            told.text.contains("is not allowed: ") || told.text.contains("would escape");
        assert!(told.is_error && is_refused, "{form:?}: {}", told.text);
    }
    for path in [
        "/memoriesfoo.txt",
        "memories/a",
        "/etc/passwd",
        "",
        "/",
        "/memories\\a",
        "/MEMORIES/a",
    ] {
        let told = host.ask(create(path, "x"));
        assert_eq!(
            told.text,
            format!("Path must start with /memories, got: {path}")
        );
    }
    assert!(
        host.ask(create("/memories/100%.md", "fine"))
            .text
            .starts_with("File created")
    );
}

#[test]
fn names_that_no_file_can_have_are_told_apart() {
    let env = TestEnv::new();
    let host = Host::new(&env, &[]);
    let told = host.ask(create(&format!("/memories/{}", "n".repeat(256)), "x"));
    assert!(
        told.text
            .ends_with("is not allowed: a name in it is longer than 255 bytes"),
        "{}",
        told.text
    );
    let told = host.ask(create("/memories/a\0b", "x"));
    assert_eq!(
        told.text,
        "Path /memories/a\\u{0}b is not allowed: it contains a control character"
    );
    assert!(
        !host
            .ask(create("/memories/caf\u{e9}.md", "composed"))
            .is_error
    );
    let twin = host.ask(create("/memories/cafe\u{301}.md", "decomposed"));
    assert!(
        twin.is_error && twin.text.contains("looks the same as"),
        "{}",
        twin.text
    );
    assert!(!host.ask(create("/memories/other.md", "x")).is_error);
    assert!(
        host.ask(rename("/memories/other.md", "/memories/cafe\u{301}.md"))
            .is_error
    );
    assert!(
        !host
            .ask(rename("/memories/caf\u{e9}.md", "/memories/cafe\u{301}.md"))
            .is_error
    );
}

#[test]
fn pipes_sockets_and_circles_are_no_files_and_nobody_waits_for_them() {
    let env = TestEnv::new();
    for dialect in ["docs", "python", "typescript"] {
        let host = Host::named(&env, dialect, &["--dialect", dialect]);
        host.put("file", "x");
        let status = env.command("mkfifo").arg(host.at("pipe")).status().unwrap();
        assert!(status.success());
        let _socket = UnixListener::bind(host.at("socket")).unwrap();
        symlink("/dev/zero", host.at("device")).unwrap();
        symlink("circle", host.at("circle")).unwrap();
        for name in ["pipe", "socket"] {
            let path = format!("/memories/{name}");
            assert_eq!(
                host.ask(view(&path)).text,
                format!("Unsupported file type for {path}")
            );
            for input in [
                create(&path, "x"),
                replace(&path, "a", "b"),
                insert(&path, 0, "x"),
            ] {
                assert!(host.ask(input).is_error);
            }
        }
        for input in [
            view("/memories/device"),
            view("/memories/circle"),
            create("/memories/file/x", "y"),
        ] {
            assert!(host.ask(input.clone()).is_error, "{input}");
        }
        let listed = host.ask(view("/memories")).text;
        let names: Vec<&str> = listed.lines().skip(2).collect();
        assert_eq!(names.len(), 1, "{listed}");
        let gone = host.ask(delete("/memories/pipe"));
        match dialect {
            "python" => assert_eq!(gone.text, "The path /memories/pipe does not exist"),
            _ => assert_eq!(gone.text, "Successfully deleted /memories/pipe"),
        }
    }
}

#[test]
fn what_is_not_utf8_is_refused_and_stays_byte_for_byte() {
    let env = TestEnv::new();
    let bytes = b"caf\xe9\nline\n";
    for dialect in ["docs", "python", "typescript"] {
        let host = Host::named(&env, dialect, &["--dialect", dialect]);
        host.put("latin", bytes);
        for input in [
            view("/memories/latin"),
            replace("/memories/latin", "line", "x"),
            insert("/memories/latin", 0, "x"),
        ] {
            let told = host.ask(input);
            assert_eq!(
                told.text,
                "File /memories/latin is not UTF-8 text; it was left as it is."
            );
            assert!(told.is_error);
        }
        assert_eq!(fs::read(host.at("latin")).unwrap(), bytes);
        assert!(
            !host
                .ask(rename("/memories/latin", "/memories/moved"))
                .is_error
        );
        assert_eq!(fs::read(host.at("moved")).unwrap(), bytes);
    }
}

#[test]
fn a_failed_rename_leaves_nothing_behind() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--dialect", "python"]);
    host.put("a/f", "x");
    let told = host.all(&[
        rename("/memories/none", "/memories/new/deep/f"),
        rename("/memories/a", "/memories/a/inside"),
        json!({"command": "rename", "old_path": "/memories/a/f", "new_path": "/memories/new/../../out"}),
    ]);
    assert!(told.iter().all(|told| told.is_error), "{told:?}");
    let names: Vec<_> = fs::read_dir(host.at(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["a"]);
}
