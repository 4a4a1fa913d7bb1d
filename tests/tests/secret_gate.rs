//! A secret in a note: refused for the team, warned of elsewhere, never printed.

use mem_tests::{Repo, TestEnv, github_token, words};

fn save(repo: &Repo<'_>, scope: &str, body: &str) -> mem_tests::Output {
    let line = "save --type project --name Deploy --description 'How to deploy' --scope";
    let save = repo.invoke(words(&format!("{line} {scope}")));
    save.stdin(body).run()
}

#[test]
fn the_team_tier_refuses_a_secret_and_the_file_stays_as_it_was() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(1);
    let output = save(&repo, "team", &format!("Use\n{token}\n")).assert_code(3);
    assert!(!output.shown().contains(&token));
    insta::assert_snapshot!(output.stderr, @r"
    error: `team/project_deploy.md` line 8 holds a secret, github-pat (GitHub personal access token)
    hint: write where the secret is kept instead of the secret itself
    ");
    assert_eq!(repo.note("team/project_deploy.md"), None);
    save(&repo, "team", "The token is in the vault.\n").assert_ok();
}

#[test]
fn a_private_note_is_saved_with_a_warning_and_an_old_secret_is_not_warned_of_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(2);
    let output = save(&repo, "private", &format!("Use {token}\n")).assert_ok();
    assert!(!output.shown().contains(&token));
    insta::assert_snapshot!(output.stderr, @"warning: `project_deploy.md` line 7 looks like a secret, github-pat (GitHub personal access token): write where it is kept instead; revoke it, then `mem redact --text -` removes it from the notes and their history");
    let told = repo.mem(["scan", "--memory"]).assert_code(3).stdout;
    assert!(
        told.contains("then `mem redact --text -` removes it"),
        "{told}"
    );
    let again = ["save", "--update", "--type", "project", "--name", "Deploy"];
    let again = again
        .into_iter()
        .chain(["--description", "How to deploy it"]);
    let output = repo
        .invoke(again)
        .stdin(format!("Still {token}\n"))
        .run()
        .assert_ok();
    assert_eq!(output.stderr, "");
    let json = repo
        .mem(["scan", "--memory", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    assert_eq!(json["findings"][0]["rule"], "github-pat");
}

#[test]
fn a_secret_in_the_daily_log_is_warned_of_with_its_line_in_the_file() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(4);
    repo.mem(["log", "nothing secret"]).assert_ok();
    let warned = repo.mem(["log", &format!("used {token}")]).assert_ok();
    let place = "`logs/2026/01/2026-01-01.md` line 4 looks like a secret, github-pat";
    assert!(warned.stderr.contains(place), "{}", warned.stderr);
    let later = repo.mem(["log", "nothing secret again"]).assert_ok();
    assert_eq!(later.stderr, "");
    let again = repo.mem(["log", &format!("used {token}")]).assert_ok();
    let place = "`logs/2026/01/2026-01-01.md` line 6 looks like a secret, github-pat";
    assert!(again.stderr.contains(place), "{}", again.stderr);
}

#[test]
fn no_secret_comes_back_into_the_team_tier() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "team", "The token is in the vault.\n").assert_ok();
    let token = github_token(5);
    let path = std::path::PathBuf::from(repo.mem(["path"]).line()).join("team/project_deploy.md");
    let text = std::fs::read_to_string(&path).unwrap();
    // Somebody writes it with an editor, somebody else takes it out again.
    std::fs::write(&path, format!("{text}{token}\n")).unwrap();
    repo.mem(["status"]).assert_ok();
    let clean = ["save", "--update", "--type", "project", "--name", "Deploy"];
    let clean = clean
        .into_iter()
        .chain(["--description", "How", "--scope", "team"]);
    repo.invoke(clean).stdin("Ask for it.\n").run().assert_ok();
    let refused = |output: mem_tests::Output| {
        let output = output.assert_code(3);
        assert!(
            output.stderr.contains("holds a secret"),
            "{}",
            output.stderr
        );
        assert!(!output.shown().contains(&token));
    };
    refused(repo.mem(["undo"]));
    refused(repo.mem(["restore", "deploy", "--rev", "1"]));
    std::fs::write(&path, format!("{text}{token}\n")).unwrap();
    let moved = env.work().join("moved");
    std::fs::rename(repo.path(), &moved).unwrap();
    refused(Repo::at(&env, moved).mem(["adopt"]));
}

#[test]
fn a_secret_in_the_name_of_a_file_is_one_too_and_is_not_said() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(3);
    let file = format!("{token}.md");
    let args = [
        "save",
        "--type",
        "reference",
        "--name",
        "Key",
        "--file",
        &file,
    ];
    let about = ["--description", "d", "--body", "x", "--scope"];
    let save = |scope| repo.mem(args.into_iter().chain(about).chain([scope]));
    let refused = save("team").assert_code(3);
    assert!(
        refused
            .stderr
            .contains("the name of the file holds a secret")
    );
    assert!(!refused.stderr.contains(&token));
    let warned = save("private").assert_ok();
    assert!(
        warned
            .stderr
            .contains("the name of the file looks like a secret")
    );
    let input = serde_json::json!({"command": "create", "path": format!("/memories/{token}.txt"),
        "file_text": "x"});
    let tool = repo.invoke(["tool"]).stdin(input.to_string()).run();
    assert!(
        tool.assert_code(1)
            .stdout
            .contains("the name of the file holds a secret")
    );
}
