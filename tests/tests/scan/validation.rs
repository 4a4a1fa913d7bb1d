//! `mem scan --validate`: whom it asks, and where it refuses to.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use mem_tests::{TestEnv, binary, github_token};

/// A proxy that notes the first line of each connection and hangs up; its address, and what it notes.
fn proxy() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, lines) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut line = String::new();
            let _ = BufReader::new(stream.unwrap()).read_line(&mut line);
            let _ = sender.send(line.trim_end().to_owned());
        }
    });
    (address, lines)
}

#[test]
fn a_token_goes_to_its_provider_and_a_repository_says_nothing_about_that() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(1);
    repo.write("a.txt", format!("token: {token}\nagain: {token}\n"));
    repo.write("b.txt", "zq-1234567890\n");
    repo.write(
        ".betterleaks.toml",
        "[extend]\nuseDefault = true\n[[rules]]\nid = \"github-oauth\"\nregex = '''zq-[0-9]+'''\n\
         validate = \"http.get('http://example.org', {})\"\n",
    );
    let (address, lines) = proxy();
    let run = |args: &[&str]| {
        let run = repo.invoke(["scan"].iter().chain(args).copied());
        let run = run.env("HTTPS_PROXY", &address).env("HTTP_PROXY", &address);
        run.run().assert_code(3)
    };
    let plain = run(&["--json"]);
    assert!(plain.json()["findings"][0].get("validity").is_none());
    assert_eq!(lines.try_iter().count(), 0, "it asked without the flag");
    let output = run(&["--json", "--validate", "--yes"]);
    assert!(!output.shown().contains(&token));
    let json = output.json();
    let findings = json["findings"].as_array().unwrap();
    let said: Vec<(&str, &str, &str)> = findings
        .iter()
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap();
            let reason = text("validity_reason").split(" failed").next().unwrap();
            (text("rule"), text("validity"), reason)
        })
        .collect();
    let asked = ("github-pat", "unknown", "asking api.github.com");
    let own = (
        "github-oauth",
        "unknown",
        "a rule of this repository found it",
    );
    assert_eq!(said, [asked, asked, own]);
    let heard: Vec<String> = lines.try_iter().collect();
    assert_eq!(heard, ["CONNECT api.github.com:443 HTTP/1.1"]);
    let text = run(&["--validate", "--yes", "a.txt"]).stdout;
    assert!(
        text.contains("\n  validity: unknown (asking api.github.com failed: "),
        "{text}"
    );
    let sarif = run(&["--validate", "-y", "--format", "sarif", "a.txt"]).json();
    let properties = &sarif["runs"][0]["results"][0]["properties"];
    assert_eq!(properties["validity"], "unknown");
}

#[test]
fn a_person_agrees_to_the_recipient_before_a_token_is_sent() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(1);
    repo.write("a.txt", format!("token: {token}\n"));
    let (address, lines) = proxy();
    let run = |args: &[&str]| repo.invoke(args).env("HTTPS_PROXY", &address);
    let ask = ["scan", "--validate", "a.txt"];
    insta::assert_snapshot!(run(&ask).run().assert_code(2).stderr, @r"
    error: there is no terminal to ask on before tokens are sent
    hint: give --yes where found tokens may be sent to their providers
    ");
    let question = "send found tokens to their providers (1 to api.github.com)? [y/N]";
    let declined = run(&ask).at_terminal("n\n");
    assert!(declined.contains(question), "{declined}");
    assert!(
        declined.contains("validity: unknown (not asked: sending was declined)"),
        "{declined}"
    );
    assert_eq!(lines.try_iter().count(), 0, "it asked the provider");
    let agreed = run(&ask).at_terminal("y\n");
    assert!(agreed.contains("asking api.github.com failed"), "{agreed}");
    assert!(!agreed.contains(&token) && !declined.contains(&token));
    let heard: Vec<String> = lines.try_iter().collect();
    assert_eq!(heard, ["CONNECT api.github.com:443 HTTP/1.1"]);
    repo.write("b.txt", "nothing\n");
    let clean = run(&["scan", "--validate", "b.txt"]).at_terminal("");
    assert!(!clean.contains("[y/N]"), "{clean}");
}

#[test]
fn nothing_is_sent_from_a_hook() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", github_token(1));
    let (address, lines) = proxy();
    let run = |args: &[&str], name: &str, value: &str| {
        let run = repo.invoke(args).env("HTTPS_PROXY", &address);
        run.env(name, value).run().assert_code(2).stderr
    };
    insta::assert_snapshot!(run(&["scan", "--validate", "--staged"], "X", "1"), @r"
    error: --validate does not go with --staged
    hint: name the files: `mem scan --validate FILE`
    ");
    let refused = run(&["scan", "--validate"], "GIT_INDEX_FILE", ".git/index");
    insta::assert_snapshot!(refused, @r"
    error: --validate sends nothing from a git hook
    hint: run `mem scan --validate` in a terminal, without variables that git sets (GIT_DIR)
    ");
    for name in ["GIT_DIR", "GIT_EXEC_PATH", "GIT_PREFIX", "PRE_COMMIT"] {
        run(&["scan", "--validate", "a.txt"], name, "");
    }
    assert_eq!(lines.try_iter().count(), 0);
}

#[test]
fn what_git_sets_for_its_hooks_is_known() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("a.txt", "clean\n", "first");
    let mem = binary::path().display().to_string();
    for hook in ["pre-commit", "pre-push"] {
        let script =
            format!("#!/bin/sh\n'{mem}' scan --validate a.txt 2>>said.txt\necho $? >>said.txt\n");
        let path = format!(".git/hooks/{hook}");
        repo.write(&path, script);
        let mut chmod = env.command("chmod");
        let changed = chmod.arg("+x").arg(repo.path().join(path)).status();
        assert!(changed.unwrap().success());
    }
    repo.commit("a.txt", "clean, too\n", "second");
    let bare = env.work().join("bare.git").display().to_string();
    repo.git(["init", "--quiet", "--bare", &bare]);
    repo.git(["push", "--quiet", &bare, "HEAD:refs/heads/main"]);
    let said = std::fs::read_to_string(repo.path().join("said.txt")).unwrap();
    let codes = said.lines().filter(|line| *line == "2");
    assert_eq!(codes.count(), 2, "{said}");
    assert_eq!(said.matches("sends nothing from a git hook").count(), 2);
}
