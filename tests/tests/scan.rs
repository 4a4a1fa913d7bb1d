//! `mem scan` over files, trees and streams.

mod formats;
mod git;
mod object_formats;
mod validation;

use std::fs;

use mem_tests::{TestEnv, github_token};

#[test]
fn a_stream_is_the_file_dash_and_the_secret_is_never_printed() {
    let env = TestEnv::new();
    let token = github_token(1);
    let scan = |format: &str| {
        let input = format!("a\n  token: {token}\n");
        env.invoke(["scan", "--stdin", "--format", format])
            .stdin(input)
            .run()
            .assert_code(3)
    };
    for format in ["text", "json", "jsonl", "sarif"] {
        assert!(!scan(format).shown().contains(&token), "{format}");
    }
    let mut json = scan("json").json();
    let print = json["findings"][0]["fingerprint"].take();
    assert!(print.as_str().unwrap().starts_with("github-pat:"));
    insta::assert_snapshot!(json, @r#"{"findings":[{"rule":"github-pat","severity":"critical","confidence":"medium","file":"-","line":2,"column":10,"end_line":2,"end_column":50,"commit":null,"fingerprint":null,"redacted":"ghp_... (40 bytes)"}],"scanned":{"files":1,"bytes":52,"blobs":0},"suppressed":0,"complete":true}"#);
    env.invoke(["scan", "--stdin"])
        .stdin("nothing here\n")
        .run()
        .assert_ok();
}

#[test]
fn a_word_under_the_name_of_a_password_is_listed_with_low_confidence() {
    let env = TestEnv::new();
    let line = format!("db_password: \"{}\"\n", ["pork", "chop"].concat());
    let scan = |args: &[&str]| {
        let args = ["scan", "--stdin", "--format", "json"].iter().chain(args);
        env.invoke(args.copied()).stdin(line.clone()).run()
    };
    let json = scan(&[]).assert_code(3).json();
    assert_eq!(json["findings"][0]["rule"], "weak-password");
    assert_eq!(json["findings"][0]["confidence"], "low");
    scan(&["--confidence", "low"]).assert_code(3);
    for least in ["medium", "high", "certain"] {
        scan(&["--confidence", least]).assert_ok();
    }
}

#[test]
fn what_git_ignores_is_left_out_unless_asked_for() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write(".gitignore", "*.log\n");
    repo.write("x.log", github_token(1));
    repo.mem(["scan"]).assert_ok();
    repo.mem(["scan", "--no-ignore"]).assert_code(3);
    repo.mem(["scan", "x.log"]).assert_code(3);
    repo.git(["add", "--force", "x.log"]);
    repo.mem(["scan"]).assert_code(3);
    repo.git(["rm", "--quiet", "--cached", "x.log"]);
    repo.write(".hidden/.env", format!("K={}\n", github_token(2)));
    let json = repo.mem(["scan", "--format", "json"]).assert_code(3).json();
    assert_eq!(json["findings"][0]["file"], ".hidden/.env");
}

#[test]
fn findings_come_in_the_same_order_from_any_number_of_threads() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for number in 0..60 {
        repo.write(
            &format!("d{}/f{number:02}.txt", number % 7),
            github_token(number),
        );
    }
    let first = repo
        .mem(["scan", "--format", "jsonl"])
        .assert_code(3)
        .stdout;
    assert_eq!(first.lines().count(), 61);
    assert_eq!(
        first,
        repo.mem(["scan", "--format", "jsonl"])
            .assert_code(3)
            .stdout
    );
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_scanned() {
    let env = TestEnv::new();
    let folder = env.work().join("odd");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.txt"), "clean\n").unwrap();
    std::os::unix::fs::symlink("loop", folder.join("loop")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket")).unwrap();
    let output = env.mem(["scan", "--format", "json", "odd"]).assert_code(1);
    assert_eq!(output.json()["complete"], false);
    assert_eq!(output.json()["scanned"]["files"], 1);
    insta::assert_snapshot!(output.stderr, @r"
    warning: cannot follow `odd/loop`: too many levels of symbolic links
    warning: cannot scan `odd/socket`: it is a socket
    ");
    fs::write(folder.join("b.txt"), github_token(1)).unwrap();
    env.mem(["scan", "odd"]).assert_code(3);
    let beside = env.mem(["scan", "odd", "odd/missing"]).assert_code(3);
    assert!(beside.stderr.contains("odd/missing"), "{}", beside.stderr);
    let missing = env.mem(["scan", "odd/missing", "--json", "--quiet"]);
    insta::assert_snapshot!(missing.assert_code(1).stderr, @r#"{"error":{"kind":"not_found","message":"`odd/missing` does not exist","hint":null}}"#);
    let below_a_file = env.mem(["scan", "odd/a.txt/x", "--json"]).assert_code(1);
    let said = "`odd/a.txt/x` does not exist";
    assert!(
        below_a_file.stderr.contains(said),
        "{}",
        below_a_file.stderr
    );
}

#[test]
fn a_file_larger_than_a_window_is_scanned_once_with_its_lines() {
    let env = TestEnv::new();
    let (before, after) = ("all quiet on this line\n", "and on this one as well\n");
    let token = github_token(3);
    let text = format!(
        "{}{token}\n{}",
        before.repeat(200_000),
        after.repeat(50_000)
    );
    fs::write(env.work().join("large.txt"), text).unwrap();
    let json = env
        .mem(["scan", "large.txt", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    assert_eq!(json["findings"][0]["line"], 200_001);
}

#[test]
fn a_secret_in_a_name_is_found_and_not_shown() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(4);
    repo.write(&format!("{token}.txt"), "clean\n");
    let output = repo.mem(["scan"]).assert_code(3);
    assert!(!output.shown().contains(&token), "{}", output.shown());
}

#[test]
fn a_configuration_of_betterleaks_comes_before_that_of_gitleaks() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", "MINE-abcdef\n");
    let rule =
        "[[rules]]\nid = 'mine'\nregex = 'MINE-[a-z]{6}'\nconfidence = 'low'\nfilter = 'true'\n";
    repo.write(".betterleaks.toml", rule);
    repo.write(
        ".gitleaks.toml",
        "[[rules]]\nid = 'other'\nregex = 'MINE'\n",
    );
    let output = repo.mem(["scan", "--format", "json"]).assert_code(3);
    let json = output.json();
    assert_eq!(json["findings"][0]["rule"], "mine");
    assert_eq!(json["findings"][0]["confidence"], "low");
    assert!(
        output.stderr.contains("are not evaluated"),
        "{}",
        output.stderr
    );
    repo.mem(["scan", "--confidence", "medium"]).assert_ok();
}

#[test]
fn a_repository_configures_its_scan_and_the_hidden_are_counted() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", format!("t = {}\n", github_token(1)));
    repo.write(".gitleaks.toml", "[allowlist]\npaths = ['a\\.txt']\n");
    let output = env.mem(["scan", "--format", "json", "app"]).assert_ok();
    assert_eq!(output.json()["suppressed"], 1);
    repo.write(".gitleaks.toml", "[[rules]]\nid = \"x\"\nregex = '('\n");
    let broken = repo.mem(["scan"]).assert_code(1);
    assert!(
        broken.stderr.contains(".gitleaks.toml`, line 3"),
        "{}",
        broken.stderr
    );
    repo.write(".gitleaks.toml", "");
    repo.write(".gitleaksignore", "a.txt:github-pat:1\n");
    repo.mem(["scan"]).assert_ok();
    repo.write("a.txt", format!("\nt = {}\n", github_token(1)));
    repo.mem(["scan"]).assert_code(3);
}

#[test]
fn secrets_are_shown_on_a_terminal_only() {
    let env = TestEnv::new();
    env.invoke(["scan", "--stdin", "--show-secrets"])
        .stdin("x")
        .run()
        .assert_code(2);
}

#[test]
fn a_password_in_an_address_is_found_in_every_scheme_and_what_stands_for_one_is_not() {
    let env = TestEnv::new();
    let leet = ["S3cr3t", "Passw0rd", "99"].concat();
    let inner = ["pass", "1", "word"].concat();
    let scan = |line: &str, code: i32| {
        let run = env.invoke(["scan", "--stdin"]).stdin(format!("{line}\n"));
        let output = run.run();
        assert!(!output.shown().contains(&leet), "{line}");
        assert_eq!(output.code, code, "{line}: {}", output.shown());
    };
    for password in [&leet, &inner] {
        for (before, after) in [
            ("DATABASE_URL=postgres://admin", "@db.acme.io:5432/prod"),
            ("postgres://admin", "@host/db"),
            ("url: redis://", "@cache:6379/0"),
            ("amqp://app", "@mq.acme.io/v"),
            ("`mongodb+srv://app", "@c0.ab1cd.mongodb.net/x`"),
            ("curl https://ben", "@api.acme.io/v1"),
        ] {
            scan(&format!("{before}:{password}{after}"), 3);
        }
    }
    let local = ["post", "gres"].concat();
    for line in [
        format!("{local}://{local}:{local}@localhost:5432/app"),
        format!("{local}://{local}:{local}@db/app"),
        "amqp://guest:guest@rabbitmq:5672".to_owned(),
        "postgres://user:password@db.acme.io/x".to_owned(),
        "postgres://user:${DB_PASSWORD}@db.acme.io/x".to_owned(),
        "postgres://user:$PASS@db.acme.io/x".to_owned(),
        "postgres://user:<password>@db.acme.io/x".to_owned(),
        "postgres://user:{password}@db.acme.io/x".to_owned(),
        "postgres://%s:%s@db.acme.io/x".to_owned(),
        "postgres://user:changeme@db.acme.io/x".to_owned(),
        "https://user:xxx@api.acme.io".to_owned(),
        "see https://host:443/a?b=c@d and http://localhost:8080/@scope/name".to_owned(),
    ] {
        scan(&line, 0);
    }
}
