//! Where tokens do not go: into an error about the command line, and to a server that only a repository names.

use std::sync::atomic::Ordering;

use mem_tests::{Server, TestEnv};

use crate::sync::TERMINAL;
use crate::team::Person;
use crate::team_suggested_size::silent;

#[test]
fn a_token_on_the_command_line_is_not_repeated() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let token = format!(
        "{}_{}",
        "memtok",
        "d5c67b564575c1baef4ca7dbd0340ddb".repeat(2)
    );
    for end in ["", " --json", " --color always"] {
        for line in [
            "team login",
            "team logout",
            "team login --server",
            "sync setup --remote",
        ] {
            let run = ann.mem(&format!("{line} {token}{end}"));
            let all = run.shown();
            assert!(!all.contains(&token), "{line}{end}: {all}");
        }
        let run = ann.mem(&format!("team login {token}{end}")).assert_code(2);
        assert!(run.stderr.contains("unexpected argument"), "{}", run.stderr);
    }
}

#[test]
fn a_suggested_server_hears_nothing_before_somebody_agrees() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let (address, calls) = silent();
    let text = format!("remote = \"http://{address}\"\nrepo = \"acme/app\"\n");
    ann.repo.write(".mem/team.toml", &text);
    for args in [&["team", "join"][..], &["team", "join", "--dry-run"]] {
        let run = ann.invoke(args.iter().copied()).env("MEM_TOKEN", "abcdef");
        run.run().assert_code(2);
        let mut python = env.command("python3");
        python.args(["-c", TERMINAL, "n"]);
        python.arg(mem_tests::binary::path()).args(args);
        python.env("HOME", &ann.home).env("MEM_TOKEN", "abcdef");
        let said = python.current_dir(ann.repo.path()).output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(
            said.contains(&address) && said.contains("the token in MEM_TOKEN is sent there"),
            "{said}"
        );
    }
    ann.mem("status").assert_ok();
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[test]
fn a_variable_that_holds_no_token_is_named() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    for set in ["team.remote http://127.0.0.1:9", "team.repo acme/app"] {
        ann.mem(&format!("config set --repository {set}"))
            .assert_ok();
    }
    let run = ann.invoke(["team", "sync"]).env("MEM_TOKEN", "two words");
    let told = run.run().assert_code(1);
    assert!(
        told.stderr.contains("`MEM_TOKEN` holds no token") && told.stderr.contains("hint:"),
        "{}",
        told.shown()
    );
    assert!(!told.stderr.contains("two words"), "{}", told.stderr);
}

#[test]
fn a_login_asks_the_server_before_it_stores_the_token() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let data = env.root().join("data");
    let token = |args: &[&str]| {
        let create = env.invoke([
            "server",
            "token",
            "create",
            "--data-dir",
            data.to_str().unwrap(),
        ]);
        create.args(args).run().assert_ok().line()
    };
    let good = token(&["--grant", "team:acme/app:write"]);
    let (other, none) = (token(&["--grant", "team:acme/other:write"]), token(&[]));
    let server = Server::start(&env, &[]);
    let url = server.url();
    let tokens = ann.home.join(".local/state/mem/tokens");
    let stored = || std::fs::read_dir(&tokens).map_or(0, Iterator::count);
    let login = |url: &str, token: &str, more: &[&str]| {
        let run = ann.invoke(["team", "login", "--server", url]).args(more);
        run.stdin(format!("{token}\n")).run()
    };
    let wrong = format!("{}_{}", "memtok", "0".repeat(64));
    for token in [wrong.as_str(), "of-something-else"] {
        let run = login(&url, token, &[]).assert_code(1);
        assert!(
            run.stderr.contains("does not know this token"),
            "{}",
            run.shown()
        );
        assert!(
            !run.shown().contains(token) && stored() == 0,
            "{}",
            run.shown()
        );
    }
    let away = login("http://127.0.0.1:1", &good, &[]).assert_code(5);
    assert!(
        away.stderr.contains("--no-check") && stored() == 0,
        "{}",
        away.shown()
    );
    login("http://127.0.0.1:1", &good, &["--no-check"]).assert_ok();
    assert_eq!(stored(), 1);
    // A wrong one does not take the place of a good one, and a token of the server's is good for what it grants.
    login(&url, &good, &[]).assert_ok();
    ann.mem(&format!("team setup --remote {url} --repo acme/app"))
        .assert_ok();
    login(&url, &wrong, &[]).assert_code(1);
    ann.mem("team sync").assert_ok();
    for token in [&other, &none] {
        let run = login(&url, token, &[]).assert_ok();
        assert!(
            run.stderr.contains("may not read `acme/app`"),
            "{}",
            run.shown()
        );
    }
}
